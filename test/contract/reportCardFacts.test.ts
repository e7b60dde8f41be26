import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { eventually } from "#test/durability/eventually.ts"
import { addresses } from "./support/addresses.ts"
import { get, withOwnBroker } from "./support/call.ts"
import { find, integerAt, type Json, listAt } from "./support/Json.ts"
import { journalOf } from "./support/journals.ts"
import { deposit, network, openSwap, passUntil, type SwapQuery } from "./support/swaps.ts"

const oneEther = "1000000000000000001"

/** What the last entry of a journal says of how a swap ended. */
const outcomeIn = (journal: ReadonlyArray<Json>): string => {
  const status = find(journal.at(-1) ?? null, "status") ?? null
  if (find(status, "state") === "failed") return "failed"
  return find(status, "swapEgress") === undefined ? "refunded" : "completed"
}

const ended = Effect.fnUntraced(function* (terms: SwapQuery, state: string) {
  const opened = yield* openSwap({ sourceAsset: "eth.arb", ...terms })
  yield* deposit(opened, oneEther)
  yield* passUntil(opened, state, 30)
  return outcomeIn(yield* journalOf(opened))
})

withOwnBroker()("the report card of a provider", (it) => {
  it.effect("sums what the journals of its swaps tell", function* () {
    const limited = { minimumPrice: "40", refundAddress: addresses.arb, retryDurationInBlocks: "0" }
    const outcomes = [
      yield* ended({}, "completed"),
      yield* ended({}, "completed"),
      yield* ended(limited, "completed"),
    ]
    yield* network("nextEgress", { asset: "eth.eth", outcome: "abort" })
    outcomes.push(yield* ended({}, "failed"))
    const counted = (outcome: string) => outcomes.filter((one) => one === outcome).length
    assert.deepStrictEqual([counted("completed"), counted("refunded"), counted("failed")], [2, 1, 1])
    const card = yield* eventually(
      get("/providers/chainflip/history"),
      (card) => integerAt(card, "total", "swaps", "failed") === 1,
    )
    for (const outcome of ["completed", "refunded", "failed"]) {
      assert.strictEqual(integerAt(card, "total", "swaps", outcome), counted(outcome), outcome)
      const ofDays = listAt(card, "days").reduce(
        (sum: number, day) => sum + integerAt(day, "swaps", outcome),
        0,
      )
      assert.strictEqual(ofDays, counted(outcome), outcome)
    }
    assert.strictEqual(integerAt(card, "total", "stalls"), 0)
  })
})
