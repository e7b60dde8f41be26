import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { addresses } from "#test/contract/support/addresses.ts"
import { withOwnBroker } from "#test/contract/support/call.ts"
import { integerAt, objectAt, textAt } from "#test/contract/support/Json.ts"
import { deposit, openSwap, pass, recordOf } from "#test/contract/support/swaps.ts"

withOwnBroker()("What is expected of a swap", (it) => {
  it.effect("stays as it is for as long as a phase lasts, from the deposit to the payout", () =>
    Effect.gen(function* () {
      const opened = yield* openSwap({
        platform: "chainflip",
        sourceAsset: "btc.btc",
        destinationAsset: "eth.eth",
        refundAddress: addresses.btc,
      })
      yield* deposit(opened, "10000000")
      const expected = new Map<string, Set<string>>()
      let looks = 0
      for (let phase = ""; !phase.startsWith("completed"); looks++) {
        assert.isBelow(looks, 300, "the swap never completed")
        const record = yield* recordOf(opened)
        phase = textAt(record, "guidance", "phase")
        const guidance = objectAt(record, "guidance")
        const end = guidance.expectedBy === undefined ? "" : `${integerAt(guidance, "expectedBy")}`
        // Whether a deposit is confirmed is another phase, of the same state.
        const seen = `${textAt(record, "status", "state")} ${phase}`
        expected.set(seen, (expected.get(seen) ?? new Set()).add(end))
        yield* pass(60)
      }
      assert.isAbove(looks, 20)
      assert.isAtLeast(expected.size, 3)
      for (const [phase, ends] of expected) assert.strictEqual(ends.size, 1, `${phase}: ${[...ends]}`)
    }))
})
