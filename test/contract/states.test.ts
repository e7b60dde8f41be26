import { assert } from "@effect/vitest"
import { addresses } from "./support/addresses.ts"
import { withOwnBroker } from "./support/call.ts"
import { assertJournalsTell } from "./support/journals.ts"
import { find, textAt } from "./support/Json.ts"
import { deposit, openSwap, passToBitcoinBlock, passUntil, statusOf } from "./support/swaps.ts"

/** Every state of a swap that does not fail, in the order of decision 23. */
const states = ["waiting", "receiving", "swapping", "sending", "sent", "completed"]

const ether = { sourceAsset: "eth.arb", amountNative: "1000000000000000001" }
const bitcoin = { sourceAsset: "btc.btc", amountNative: "10000001" }
const unreachable = { minimumPrice: "40", refundAddress: addresses.arb, retryDurationInBlocks: "10" }

const journeys = [
  { what: "a regular swap", from: ether, terms: {} },
  { what: "a boosted swap", from: bitcoin, terms: { boostFee: "10" } },
  { what: "a DCA swap", from: ether, terms: { numberOfChunks: "5" } },
  { what: "a refunded swap", from: ether, terms: unreachable },
]

withOwnBroker()("the states of a swap (decision 23)", (it) => {
  for (const { from: { amountNative, sourceAsset }, terms, what } of journeys) {
    it.effect(`${what} goes through all of them in order`, function* () {
      const opened = yield* openSwap({ sourceAsset, ...terms })
      assert.strictEqual(textAt(yield* statusOf(opened), "state"), "waiting")
      yield* passToBitcoinBlock
      yield* deposit(opened, amountNative)
      const { seen, status } = yield* passUntil(opened, "completed")
      assert.deepStrictEqual(["waiting", ...seen], states)
      assert.strictEqual(find(status, "boost", "boostedAt") !== undefined, "boostFee" in terms)
      assert.strictEqual(find(status, "refundEgress") !== undefined, "minimumPrice" in terms)
    })
  }

  it.effect("are all in the journals", () => assertJournalsTell)
})

withOwnBroker({ SANDBOX_GENESIS: "2020-01-01T00:00:00Z" })("a sandbox whose time is long past", (it) => {
  it.effect("is followed all the same: its own time says whether a channel is open", function* () {
    const opened = yield* openSwap({ sourceAsset: "eth.arb" })
    assert.strictEqual(textAt(yield* statusOf(opened), "state"), "waiting")
    yield* deposit(opened, "1000000000000000001")
    yield* passUntil(opened, "completed", 30)
  })
})
