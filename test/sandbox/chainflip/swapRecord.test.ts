import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { inSandbox } from "../inSandbox.ts"
import {
  advance,
  at,
  change,
  type Client,
  deposit,
  ethereumAddress,
  feeTypes,
  members,
  openChannel,
  type OpenedChannel,
  statesOf,
  statusOf,
  textAt,
} from "../support.ts"

/** The record after a day, when everything is over. */
const endOf = Effect.fnUntraced(function* (client: Client, channel: OpenedChannel) {
  yield* advance(client, 86_400)
  const { json } = yield* statusOf(client, channel.id)
  return json
})

/** The record as soon as a chunk has been executed. */
const firstChunkDone = Effect.fnUntraced(function* (client: Client, channel: OpenedChannel) {
  for (let block = 0; block < 1_000; block++) {
    const { json } = yield* statusOf(client, channel.id)
    if (Number(at(json, "swap", "dca", "executedChunks")) > 0) return json
    yield* advance(client, 6)
  }
  return yield* Effect.die("no chunk was executed")
})

describe("the record of a swap", () => {
  inSandbox("shows chunks, the last and the current one", function* (client) {
    const channel = yield* openChannel(client, {
      dca_parameters: { number_of_chunks: 3, chunk_interval: 10 },
    })
    const dcaParams = { numberOfChunks: 3, chunkIntervalBlocks: 10 }
    yield* deposit(client, channel, "25000000")
    const waiting = (yield* statusOf(client, channel.id)).json
    assert.deepStrictEqual(at(waiting, "dcaParams"), dcaParams)
    assert.deepStrictEqual(at(waiting, "depositChannel", "dcaParams"), dcaParams)
    const seen = yield* statesOf(client, channel)
    const first = at(seen.get("SWAPPING"), "swap", "dca")
    assert.deepInclude(first, { lastExecutedChunk: null, executedChunks: 0, remainingChunks: 3 })
    assert.isNotNull(at(first, "currentChunk"))
    const last = at(seen.get("COMPLETED"), "swap", "dca")
    assert.deepInclude(last, { currentChunk: null, executedChunks: 3, remainingChunks: 0 })
    assert.notProperty(at(seen.get("COMPLETED"), "swap"), "regular")
  })

  inSandbox(
    "of a swap from USDC counts network and broker fee as not swapped, also once all is paid",
    function* (client) {
      const channel = yield* openChannel(client, {
        source_asset: { chain: "Ethereum", asset: "USDC" },
        destination_asset: { chain: "Ethereum", asset: "ETH" },
        refund_parameters: { refund_address: ethereumAddress },
      })
      yield* deposit(client, channel, "1000000000")
      const done = yield* endOf(client, channel)
      assert.strictEqual(textAt(done, "state"), "COMPLETED")
      const types = feeTypes(done)
      const fees = ["NETWORK", "BROKER"].map((type) =>
        BigInt(textAt(done, "fees", types.indexOf(type), "amount"))
      )
      assert.isTrue(fees.every((fee) => fee > 0n))
      assert.strictEqual(
        textAt(done, "swap", "remainingInputAmount"),
        `${fees.reduce((sum, fee) => sum + fee, 0n)}`,
      )
    },
  )

  inSandbox("shows what became of a boost", function* (client) {
    const boosted = yield* openChannel(client, { boost_fee: 10 })
    yield* deposit(client, boosted, "10000000")
    const done = yield* endOf(client, boosted)
    assert.deepStrictEqual(members(at(done, "boost")), [
      "boostedAt",
      "boostedBlockIndex",
      "effectiveBoostFeeBps",
      "maxBoostFeeBps",
    ])
    assert.include(feeTypes(done), "BOOST")

    yield* change(client, "setAsset", { asset: "btc.btc", boostEnabled: false })
    const skipped = yield* openChannel(client, { boost_fee: 10 })
    yield* deposit(client, skipped, "10000000")
    const boost = at(yield* endOf(client, skipped), "boost")
    assert.deepInclude(boost, { maxBoostFeeBps: 10, effectiveBoostFeeBps: 0 })
    assert.includeMembers([...members(boost)], ["skippedAt", "skippedBlockIndex"])
  })

  inSandbox("refunds a deposit whose price is never met", function* (client) {
    const channel = yield* openChannel(client, {
      refund_parameters: { min_price: `0x${(2n ** 200n).toString(16)}`, retry_duration: 10 },
    })
    yield* deposit(client, channel, "25000000")
    const done = yield* endOf(client, channel)
    assert.strictEqual(at(done, "state"), "COMPLETED")
    assert.notProperty(done, "swapEgress")
    assert.include(members(at(done, "refundEgress")), "witnessedAt")
    const chunk = at(done, "swap", "regular")
    assert.include(members(chunk), "latestSwapRescheduledReason")
    assert.strictEqual(at(chunk, "abortedReason"), "MinPriceViolation")
    assert.notProperty(chunk, "executedAt")
    assert.includeMembers([...feeTypes(done)], ["REFUND"])
  })

  inSandbox("shows why a deposit was not credited", function* (client) {
    const channel = yield* openChannel(client)
    yield* deposit(client, channel, "1000")
    const failed = yield* endOf(client, channel)
    assert.strictEqual(at(failed, "state"), "FAILED")
    assert.deepStrictEqual(members(at(failed, "deposit", "failure")), [
      "failedAt",
      "failedBlockIndex",
      "mode",
      "reason",
    ])
    assert.deepInclude(at(failed, "deposit", "failure"), {
      mode: "DEPOSIT_IGNORED",
      reason: { name: "BelowMinimumDeposit", message: "The deposited amount was below the minimum required" },
    })
    assert.deepStrictEqual(at(failed, "fees"), [])
    assert.notProperty(failed, "swapId")
    assert.deepStrictEqual(at(failed, "swap"), {
      originalInputAmount: "1000",
      remainingInputAmount: "1000",
      swappedInputAmount: "0",
      swappedIntermediateAmount: "0",
      swappedOutputAmount: "0",
    })
  })

  inSandbox("sends a rejected deposit back", function* (client) {
    const channel = yield* openChannel(client)
    yield* change(client, "rejectNextDeposit", { address: channel.address })
    yield* deposit(client, channel, "25000000")
    const failed = yield* endOf(client, channel)
    assert.strictEqual(at(failed, "state"), "FAILED")
    assert.strictEqual(at(failed, "deposit", "failure", "mode"), "DEPOSIT_REJECTED")
    assert.property(failed, "refundEgress")
  })

  inSandbox("shows an aborted payment with the call that it would have made", function* (client) {
    const channel = yield* openChannel(client)
    yield* change(client, "nextEgress", { asset: "eth.eth", outcome: "abort" })
    yield* deposit(client, channel, "25000000")
    const failed = yield* endOf(client, channel)
    assert.strictEqual(at(failed, "state"), "FAILED")
    assert.strictEqual(at(failed, "swapEgress", "failure", "mode"), "SENDING_FAILED")
    assert.deepStrictEqual(members(at(failed, "swapEgress", "transactionPayload")), [
      "chainId",
      "contract",
      "data",
      "value",
    ])
  })

  inSandbox("shows the second try of a payment that failed", function* (client) {
    const channel = yield* openChannel(client)
    yield* change(client, "nextEgress", { asset: "eth.eth", outcome: "fallback" })
    yield* deposit(client, channel, "25000000")
    const failed = yield* endOf(client, channel)
    assert.strictEqual(at(failed, "state"), "FAILED")
    assert.strictEqual(at(failed, "fallbackEgress", "destinationAddress"), ethereumAddress)
    assert.include(members(at(failed, "fallbackEgress")), "txRef")
  })

  inSandbox("pays and refunds what chunks that ended early leave", function* (client) {
    const rate = yield* client.call("node", "cf_swap_rate_v3", ["BTC", "ETH", "0x989680", 25])
    const price = BigInt(textAt(rate, "result", "output")) * 2n ** 128n / 10_000_000n
    const channel = yield* openChannel(client, {
      dca_parameters: { number_of_chunks: 2, chunk_interval: 100 },
      refund_parameters: { min_price: `0x${(price * 99n / 100n).toString(16)}`, retry_duration: 10 },
    })
    yield* deposit(client, channel, "10000000")
    const halfDone = yield* firstChunkDone(client, channel)
    assert.strictEqual(at(halfDone, "swap", "dca", "executedChunks"), 1)
    yield* change(client, "movePrice", { asset: "eth.eth", bps: 1_000 })
    const done = yield* endOf(client, channel)
    assert.strictEqual(at(done, "state"), "COMPLETED")
    assert.property(done, "swapEgress")
    assert.property(done, "refundEgress")
    assert.deepInclude(at(done, "swap", "dca"), { executedChunks: 1, remainingChunks: 1 })
    assert.strictEqual(at(done, "swap", "dca", "currentChunk", "abortedReason"), "MinPriceViolation")
    assert.isAbove(Number(textAt(done, "swap", "remainingInputAmount")), 0)
  })
})
