import { assert, describe, it } from "@effect/vitest"
import { Effect, Random } from "effect"
import { AccountId } from "#domain/accounts/Account.ts"
import { Budget, type Urgency } from "#infrastructure/platform/Budget.ts"

const perMinute = 100
/** What an upstream allows, in two parts. */
const [atOnce, evenly] = [0.15, 0.83]
const [one, other] = [AccountId.make(1), AccountId.make(2)]

/** How many of so many calls at once are made. */
const made = (budget: Budget, calls: number, party: AccountId | undefined, urgency: Urgency, now: number) =>
  Array.from({ length: calls }, () => budget.spend({ party, urgency }, now)).filter((wait) => wait === 0)
    .length

const part = (of: number) => ({ atOnce: of, evenly: of })

/** A budget that nobody has used for long. */
const full = (of = perMinute) => {
  const budget = new Budget(of, part(1), 0)
  budget.share(part(1), 3_600_000)
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

  it.effect("refuses an account that asks below its share next to nothing, in whatever sequence five others flood and swaps are opened", () =>
    Effect.gen(function* () {
      let [asked, refused] = [0, 0]
      yield* sequences(100, ({ between, chance }) => {
        const perMinute = between(50, 600)
        const accounts = between(2, 6)
        const budget = full(perMinute)
        // An equal part of the half of what becomes free; swaps are opened with the other half.
        const opening = Math.ceil(2 * 60_000 / (perMinute * evenly))
        const spacing = Math.ceil(accounts * opening / 0.8)
        let nextOpening = begin
        let now = begin
        let next = begin
        for (let step = 0; step < 60; step++) {
          now += chance(0.5) ? 0 : between(1, 20_000)
          while (Math.min(next, nextOpening) <= now) {
            if (nextOpening < next) {
              // It would be made before a second has passed.
              assert.isBelow(budget.spend({ party: undefined, urgency: "opening" }, nextOpening), 1_000)
              nextOpening += opening
              continue
            }
            asked += 1
            if (budget.spend({ party: one, urgency: "asked" }, next) > 0) refused += 1
            next += spacing
          }
          made(budget, between(1, 60), AccountId.make(between(2, accounts)), "asked", now)
        }
      })
      assert.isAbove(asked, 10_000)
      assert.isAtMost(refused / asked, 1 / 1_000)
    }))

  it("gives an account that is alone all that becomes free", () => {
    const budget = full()
    let count = 0
    for (let second = 0; second < 600; second++) {
      count += made(budget, 20, one, "asked", begin + second * 1_000)
    }
    assert.isAtLeast(count, 9.9 * perMinute * evenly)
  })

  it("gives an account that is alone all but a fifth of what can be had at once", () => {
    const budget = full(1_000)
    assert.strictEqual(made(budget, 1_000, one, "asked", begin), Math.floor(0.8 * 1_000 * atOnce))
  })

  it.effect.each([12, 50, 60, 100, 600])(
    "refuses an account nothing that alone asks for four fifths of %s a minute, whatever is done in the background",
    (perMinute) =>
      Effect.sync(() => {
        const budget = full(perMinute)
        const every = 60_000 / (0.8 * perMinute)
        let searched = 0
        for (let call = 0; call * every < 30 * 60_000; call++) {
          const now = begin + call * every
          assert.strictEqual(made(budget, 1, one, "asked", now), 1, `call ${call}`)
          searched += made(budget, 3, undefined, "search", now + 1)
        }
        // What it leaves of all that becomes free, and of what there was at the begin.
        assert.isAtMost(searched, 30 * perMinute * (evenly - 0.8) + perMinute)
      }),
  )

  it("refuses two nothing that ask for two fifths each, at any time of each other, and while swaps are followed", () => {
    for (const apart of [0, 0.1, 0.5, 0.9]) {
      const budget = full()
      const every = 60_000 / (0.4 * perMinute)
      for (let call = 0; call * every < 10 * 60_000; call++) {
        const now = begin + call * every
        assert.strictEqual(made(budget, 1, one, "asked", now), 1, `call ${call}`)
        assert.strictEqual(made(budget, 1, other, "asked", now + apart * every), 1, `call ${call}`)
        if (call % 20 === 0) assert.strictEqual(made(budget, 1, undefined, "status", now + apart * every), 1)
      }
    }
  })

  it.effect.each([36, 50, 100, 600])(
    "has the first call of an account that is new, of %s, whoever floods",
    (perMinute) =>
      Effect.sync(() => {
        const budget = full(perMinute)
        for (let tenth = 0; tenth < 6_000; tenth++) {
          const now = begin + tenth * 100
          made(budget, 10, one, "asked", now)
          made(budget, 10, other, "asked", now)
          if (tenth % 150 === 149) {
            assert.strictEqual(made(budget, 1, AccountId.make(3 + tenth), "asked", now + 50), 1)
          }
        }
      }),
  )

  it("shares only with those that have asked in the last seconds", () => {
    const budget = full()
    for (let second = 0; second < 60; second++) made(budget, 5, other, "asked", begin + second * 1_000)
    const later = begin + 71_000
    let count = made(budget, 100, one, "asked", later)
    for (let second = 1; second <= 60; second++) {
      count += made(budget, 20, one, "asked", later + second * 1_000)
    }
    assert.isAtLeast(count, perMinute * evenly)
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
    assert.strictEqual(made(budget, 1, one, "opening", begin), 1)
    // One that has to wait is the next.
    const wait = budget.spend({ party: other, urgency: "opening" }, begin)
    assert.isAtMost(wait, Math.ceil(60_000 / (perMinute * evenly)))
    budget.queue("opening", 1)
    for (let account = 200; account < 400; account++) {
      assert.strictEqual(made(budget, 1, AccountId.make(account), "asked", begin + wait), 0)
      assert.strictEqual(made(budget, 1, AccountId.make(account), "status", begin + wait), 0)
    }
    budget.queue("opening", -1)
    assert.strictEqual(made(budget, 1, other, "opening", begin + wait), 1)
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
    assert.isAtLeast(idle, 4.5 * perMinute * evenly)
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
    budget.share(part(0.25), begin)
    assert.strictEqual(budget.left(begin), perMinute * atOnce / 4)
    budget.share(part(1), begin)
    assert.strictEqual(budget.left(begin), perMinute * atOnce / 4)
    budget.share(part(1), begin + 5_000)
    assert.approximately(budget.left(begin + 5_000), perMinute * (atOnce / 4 + evenly / 12), 1e-6)
  })

  it("begins full, or with what an earlier process has left", () => {
    assert.strictEqual(new Budget(perMinute, part(1), 0).left(0), perMinute * atOnce)
    const second = perMinute * evenly / 60
    assert.strictEqual(new Budget(perMinute, part(1), begin, { at: begin, calls: 3 }).left(begin), 3)
    assert.strictEqual(
      new Budget(perMinute, part(0.5), begin, { at: begin, calls: 30 }).left(begin),
      perMinute * atOnce / 2,
    )
    const later = new Budget(perMinute, part(1), begin, { at: begin - 2_000, calls: 0 })
    assert.approximately(later.left(begin), 2 * second, 1e-9)
    // What another may still be spending is there when it has ended.
    const before = new Budget(perMinute, part(1), begin, { at: begin + 2_000, calls: 0 })
    assert.strictEqual(made(before, 1, one, "opening", begin + 1_999), 0)
    assert.approximately(before.left(begin + 3_000), second, 1e-9)
  })

  it("gets nothing by a clock that was set back, and goes on with it", () => {
    const budget = full()
    budget.share(part(0.25), begin)
    budget.share(part(1), begin - 60_000)
    assert.strictEqual(budget.left(begin - 60_000), perMinute * atOnce / 4)
    budget.share(part(1), begin - 55_000)
    assert.approximately(budget.left(begin - 55_000), perMinute * (atOnce / 4 + evenly / 12), 1e-6)
  })
})
