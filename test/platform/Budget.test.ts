import { assert, describe, it } from "@effect/vitest"
import { Effect, Random } from "effect"
import { AccountId } from "../../src/domain/Account.ts"
import { Budget, type Urgency } from "../../src/platform/Budget.ts"

const perMinute = 100
const [one, other] = [AccountId.make(1), AccountId.make(2)]

/** How many of so many calls at once are made. */
const made = (budget: Budget, calls: number, party: AccountId | undefined, urgency: Urgency, now: number) =>
  Array.from({ length: calls }, () => budget.spend({ party, urgency }, now)).filter((wait) => wait === 0)
    .length

/** A budget that nobody has used for long. */
const full = (of = perMinute) => {
  const budget = new Budget(of, 1, 0)
  budget.share(1, 3_600_000)
  return budget
}
const begin = 3_600_000

const urgencies = ["opening", "status", "asked", "search"] as const

/** Sequences of a random kind, each of which is the same in every run. */
const sequences = (count: number, play: (draw: Draw) => void) =>
  Effect.forEach(
    Array.from({ length: count }, (_, seed) => seed),
    (seed) =>
      Random.Random.pipe(
        Random.withSeed(`sequence ${seed}`),
        Effect.map((random) =>
          play({
            between: (least, most) => least + Math.floor(random.nextDoubleUnsafe() * (most - least + 1)),
            chance: (part) => random.nextDoubleUnsafe() < part,
          })
        ),
      ),
    { discard: true },
  )

interface Draw {
  /** A whole number, both included. */
  readonly between: (least: number, most: number) => number
  readonly chance: (part: number) => boolean
}

describe("a budget", () => {
  it.effect("never spends more than a minute has, whenever that begins, whoever asks for what", () =>
    sequences(60, ({ between }) => {
      const perMinute = between(10, 600)
      const budget = full(perMinute)
      const spent: Array<number> = []
      let now = begin
      for (let asked = 0; asked < 80; asked++) {
        now += between(0, 30_000)
        const urgency = urgencies[between(0, 3)] ?? "asked"
        const count = made(budget, between(1, 60), AccountId.make(between(1, 5)), urgency, now)
        spent.push(...Array.from({ length: count }, () => now))
      }
      // The first call after so many is more than a minute later.
      const first = spent.findIndex((at, index) => at - (spent[index - perMinute] ?? -Infinity) < 60_000)
      assert.strictEqual(first, -1)
    }))

  it.effect("never refuses an account that asks below its share, in whatever sequence five others flood and swaps are opened", () =>
    sequences(100, ({ between, chance }) => {
      const perMinute = between(50, 600)
      const accounts = between(2, 6)
      const budget = full(perMinute)
      // An equal part of the half of what becomes free; swaps are opened with the other half.
      const opening = Math.ceil(2 * 60_000 / (perMinute * 0.6))
      const spacing = Math.ceil(accounts * opening / 0.9)
      let nextOpening = begin
      let now = begin
      let next = begin
      for (let asked = 0; asked < 60; asked++) {
        now += chance(0.5) ? 0 : between(1, 20_000)
        while (Math.min(next, nextOpening) <= now) {
          if (nextOpening < next) {
            assert.strictEqual(budget.spend({ party: undefined, urgency: "opening" }, nextOpening), 0)
            nextOpening += opening
            continue
          }
          assert.strictEqual(budget.spend({ party: one, urgency: "asked" }, next), 0)
          next += spacing
        }
        made(budget, between(1, 60), AccountId.make(between(2, accounts)), "asked", now)
      }
    }))

  it("gives an account that is alone all that becomes free", () => {
    const budget = full()
    let count = 0
    for (let second = 0; second < 600; second++) {
      count += made(budget, 20, one, "asked", begin + second * 1_000)
    }
    assert.isAtLeast(count, 9.9 * perMinute * 0.6)
  })

  it("gives those who flood equally much, whenever they began", () => {
    const budget = full()
    const counts = [0, 0]
    for (let second = 0; second < 60; second++) made(budget, 20, one, "asked", begin + second * 1_000)
    for (let second = 60; second < 660; second++) {
      const now = begin + second * 1_000
      // The one always asks first, and ten times as often.
      counts[0] = (counts[0] ?? 0) + made(budget, 50, one, "asked", now)
      counts[1] = (counts[1] ?? 0) + made(budget, 5, other, "asked", now)
    }
    assert.isAtLeast(Math.min(...counts) / Math.max(...counts), 0.9)
  })

  it("has something for an opening, and for a status, however many quotes are asked for", () => {
    const budget = full()
    for (let account = 2; account < 200; account++) made(budget, 40, AccountId.make(account), "asked", begin)
    assert.strictEqual(made(budget, 3, undefined, "status", begin), 3)
    assert.strictEqual(made(budget, 3, one, "opening", begin), 3)
  })

  it("makes hardly a search while others ask for as much as there is, and any number while nobody does", () => {
    const budget = full()
    let [searched, idle] = [0, 0]
    for (let tenth = 0; tenth < 3_000; tenth++) {
      const now = begin + tenth * 100
      made(budget, 5, one, "asked", now)
      if (tenth > 100) searched += made(budget, 5, undefined, "search", now)
    }
    const quiet = full()
    for (let tenth = 0; tenth < 3_000; tenth++) {
      idle += made(quiet, 5, undefined, "search", begin + tenth * 100)
    }
    assert.isAtMost(searched, 10)
    assert.isAtLeast(idle, 4.5 * perMinute * 0.6)
  })

  it("says when there is something again, and is right", () => {
    const budget = full()
    made(budget, 200, one, "asked", begin)
    const wait = budget.spend({ party: one, urgency: "asked" }, begin)
    assert.isAbove(wait, 0)
    assert.strictEqual(budget.spend({ party: one, urgency: "asked" }, begin + wait), 0)
  })

  it("has nothing for anybody while the upstream has shut it", () => {
    const budget = full()
    budget.shut(30_000, begin)
    assert.strictEqual(budget.spend({ party: one, urgency: "opening" }, begin + 1), 29_999)
    assert.strictEqual(budget.spend({ party: one, urgency: "opening" }, begin + 30_000), 0)
  })

  it("is cut at once where this process gets a smaller part, and fills slowly where it gets a larger one", () => {
    const budget = full()
    budget.share(0.25, begin)
    assert.strictEqual(budget.free, 10)
    budget.share(1, begin)
    assert.strictEqual(budget.free, 10)
    budget.share(1, begin + 10_000)
    assert.strictEqual(budget.free, 20)
  })

  it("begins half full, as an earlier process may have spent the minute", () => {
    assert.strictEqual(new Budget(perMinute, 1, 0).free, 20)
  })

  it("gets nothing by a clock that was set back, and goes on with it", () => {
    const budget = full()
    budget.share(0.25, begin)
    budget.share(1, begin - 60_000)
    assert.strictEqual(budget.free, 10)
    budget.share(1, begin - 50_000)
    assert.strictEqual(budget.free, 20)
  })
})
