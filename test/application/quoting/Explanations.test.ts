import { assert, describe, it } from "@effect/vitest"
import { Array, Effect } from "effect"
import { AccountId } from "#domain/accounts/Account.ts"
import { noBps } from "#domain/money/Bps.ts"
import { EpochMillis } from "#domain/Time.ts"
import {
  explainedFor,
  type KeptAnswer,
  mostExplained,
  ownExplanations,
} from "#application/quoting/Explanations.ts"

const begin = 1_790_692_455_000

const answerTo = (account: number, after = 0): KeptAnswer => ({
  account: AccountId.make(account),
  at: EpochMillis.make(begin + after),
  commissionBps: noBps,
  by: "net",
  preference: [],
  depositCost: undefined,
  quotes: [],
})

const keeping = () => {
  const explanations = ownExplanations()
  return {
    /** Keeps an answer; what is known of it later. */
    keep: (answer: KeptAnswer) => {
      const place = explanations.place()
      explanations.keep(place, answer)
      return (now: number = answer.at) =>
        Effect.runSync(explanations.find(answer.account, place, EpochMillis.make(now)))
    },
    place: explanations.place,
  }
}

describe("the explanations that a process keeps", () => {
  it("stay for an account however many answers another gets, whose own oldest go", () => {
    const { keep } = keeping()
    const quiet = [answerTo(1), answerTo(1)]
    const quietLooks = quiet.map((answer) => keep(answer))
    const busy = Array.makeBy(2 * mostExplained, () => answerTo(2))
    const busyLooks = busy.map((answer) => keep(answer))
    assert.deepStrictEqual(quietLooks.map((look) => look()), quiet)
    const left = mostExplained - quiet.length
    assert.isTrue(busyLooks.slice(0, -left).every((look) => look() === "over"))
    assert.isTrue(busyLooks.slice(-left).every((look, index) => look() === busy[busy.length - left + index]))
  })

  it("are shared by two busy accounts, whoever came first", () => {
    const { keep } = keeping()
    const first = Array.makeBy(mostExplained, () => keep(answerTo(1)))
    const second = Array.makeBy(mostExplained, () => keep(answerTo(2)))
    const known = [first, second].map((looks) => looks.filter((look) => look() !== "over").length)
    assert.deepStrictEqual(known, [mostExplained / 2, mostExplained / 2])
  })

  it("are those of the latest accounts where there is one for each", () => {
    const { keep } = keeping()
    const looks = Array.makeBy(mostExplained + 1, (account) => keep(answerTo(account)))
    assert.deepStrictEqual(looks.map((look) => look() !== "over"), [false, ...looks.slice(1).map(() => true)])
  })

  it("make room once they are over, whoever's they are", () => {
    const { keep } = keeping()
    for (let account = 2; account < 2 + mostExplained / 2; account++) {
      for (const answer of [answerTo(account), answerTo(account)]) keep(answer)
    }
    const later = explainedFor + 1
    const looks = Array.makeBy(mostExplained, () => keep(answerTo(1, later)))
    assert.isTrue(looks.every((look) => look() !== "over"))
  })

  it("are in places that do not tell how many answers there were", () => {
    const { place } = keeping()
    const numbers = Array.makeBy(100, () => place().number)
    assert.strictEqual(new Set(numbers).size, numbers.length)
    assert.notDeepEqual(numbers, numbers.toSorted((one, other) => one - other))
  })
})
