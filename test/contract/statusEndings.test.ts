import { assert } from "@effect/vitest"
import { addresses } from "./support/addresses.ts"
import { assertFees, assertTwins, nativeAt } from "./support/assets.ts"
import { withOwnBroker } from "./support/call.ts"
import { at, type Json, listAt, textAt } from "./support/Json.ts"
import { amount, assertMembers, blockIndex, digits, equal, moment, object, text } from "./support/members.ts"
import {
  assertFailureParts,
  assertSwapTotals,
  chunk,
  common,
  egress,
  feeTypesOf,
} from "./support/statusForms.ts"
import { deposit, network, openSwap, pass, passUntil, statusOf } from "./support/swaps.ts"

/** A fast pair: deposits on Arbitrum are confirmed within seconds. */
const fromArbitrum = { sourceAsset: "eth.arb", destinationAsset: "eth.eth" }
const oneEther = "1000000000000000001"

const unreachablePrice = {
  sourceAsset: "eth.arb",
  minimumPrice: "40",
  refundAddress: addresses.arb,
  retryDurationInBlocks: "0",
}

/** A refund together with everything that was taken from the deposit on the way. */
const refundWithFees = (status: Json): bigint =>
  listAt(status, "fees").reduce(
    (sum, fee) => sum + nativeAt(fee, "amountNative"),
    nativeAt(status, "refundEgress", "amountNative"),
  )

withOwnBroker()("the record of a swap that went another way (chainflip/wire.md 3.9)", (it) => {
  it.effect("refunded: is completed with a refund in the source asset and no payment", function* () {
    const opened = yield* openSwap(unreachablePrice)
    yield* deposit(opened, oneEther)
    const { status } = yield* passUntil(opened, "completed", 30)
    assertMembers(status, { ...common, refundEgress: object }, ["swapEgress", "fallbackEgress"])
    assertMembers(at(status, "refundEgress"), egress)
    assertTwins(at(status, "refundEgress"), { amount: "eth.arb" })
    assertMembers(at(status, "swap", "regular"), {
      ...moment("abortedAt"),
      abortedBlockIndex: blockIndex,
      abortedReason: equal("MinPriceViolation"),
    }, ["executedAt", "outputAmount"])
    assert.deepStrictEqual(feeTypesOf(status).toSorted(), ["egress", "ingress", "network"])
    for (const fee of listAt(status, "fees")) assert.strictEqual(textAt(fee, "asset"), "eth.arb")
    assert.strictEqual(refundWithFees(status), BigInt(oneEther))
    assertSwapTotals(status)
  })

  it.effect("partly refunded dca: has both payments and what remained", function* () {
    const opened = yield* openSwap({ ...unreachablePrice, minimumPrice: "0.9", numberOfChunks: "4" })
    yield* deposit(opened, oneEther)
    yield* passUntil(opened, "swapping")
    yield* pass(12)
    yield* network("movePrice", { asset: "eth.arb", bps: -5_000 })
    const { status } = yield* passUntil(opened, "completed")
    yield* network("movePrice", { asset: "eth.arb", bps: 10_000 })
    assertMembers(at(status, "swapEgress"), egress)
    assertMembers(at(status, "refundEgress"), egress)
    assertTwins(at(status, "swapEgress"), { amount: "eth.eth" })
    assertTwins(at(status, "refundEgress"), { amount: "eth.arb" })
    assert.isTrue(nativeAt(status, "swap", "remainingInputAmountNative") > 0n)
    assertMembers(at(status, "swap", "dca", "currentChunk"), {
      ...moment("abortedAt"),
      abortedBlockIndex: blockIndex,
      abortedReason: equal("MinPriceViolation"),
    })
    assertMembers(at(status, "swap", "dca", "lastExecutedChunk"), chunk)
    assertSwapTotals(status)
    assertFees(listAt(status, "fees"))
  })

  it.effect("deposit ignored: names why, has totals of nothing and no swap", function* () {
    const opened = yield* openSwap(fromArbitrum)
    yield* deposit(opened, "3899999999999999")
    const { status } = yield* passUntil(opened, "failed")
    assertMembers(status, common, ["swapId", "swapEgress", "refundEgress", "fallbackEgress"])
    assertFailureParts(at(status, "deposit"), "DEPOSIT_IGNORED", "BelowMinimumDeposit")
    assertTwins(at(status, "deposit"), { amount: "eth.arb" })
    assert.deepStrictEqual(listAt(status, "fees"), [])
    assertMembers(at(status, "swap"), amount("originalInputAmount"), ["regular", "dca"])
    assertSwapTotals(status)
    assert.strictEqual(textAt(status, "swap", "swappedInputAmountNative"), "0")
  })

  it.effect("deposit rejected: goes back", function* () {
    const opened = yield* openSwap(fromArbitrum)
    yield* network("rejectNextDeposit", { address: textAt(opened, "address") })
    yield* deposit(opened, oneEther)
    yield* passUntil(opened, "failed")
    yield* pass(3_600)
    const status = yield* statusOf(opened)
    assertMembers(status, { ...common, state: equal("failed") }, ["swapId", "swapEgress"])
    assertFailureParts(at(status, "deposit"), "DEPOSIT_REJECTED", "TransactionRejectedByBroker")
    assertMembers(at(status, "refundEgress"), egress)
    assertTwins(at(status, "refundEgress"), { amount: "eth.arb" })
  })

  it.effect("egress too small: the payment has failed and was never scheduled", function* () {
    yield* network("setAsset", { asset: "usdc.sol", egressDustLimit: "100000000000" })
    const opened = yield* openSwap({ sourceAsset: "eth.arb", destinationAsset: "usdc.sol" })
    yield* deposit(opened, oneEther)
    const { status } = yield* passUntil(opened, "failed")
    assertMembers(status, { ...common, swapId: digits }, ["refundEgress", "fallbackEgress"])
    assertFailureParts(at(status, "swapEgress"), "SWAP_OUTPUT_TOO_SMALL", "BelowEgressDustLimit")
    assertMembers(at(status, "swapEgress"), amount("amount"), ["transactionReference", "witnessedAt"])
    assertTwins(at(status, "swapEgress"), { amount: "usdc.sol" })
    assertSwapTotals(status)
  })

  it.effect("refund too small: the refund has failed", function* () {
    yield* network("setAsset", { asset: "usdc.arb", egressDustLimit: "100000000000" })
    const opened = yield* openSwap({
      sourceAsset: "usdc.arb",
      minimumPrice: "1",
      retryDurationInBlocks: "0",
      refundAddress: addresses.arb,
    })
    yield* deposit(opened, "1000000001")
    const { status } = yield* passUntil(opened, "failed")
    assertMembers(status, common, ["swapEgress"])
    assertFailureParts(at(status, "refundEgress"), "REFUND_OUTPUT_TOO_SMALL", "BelowEgressDustLimit")
  })

  it.effect("broadcast aborted: leaves the call that anyone may still make", function* () {
    yield* network("nextEgress", { asset: "eth.eth", outcome: "abort" })
    const opened = yield* openSwap(fromArbitrum)
    yield* deposit(opened, oneEther)
    const { status } = yield* passUntil(opened, "failed")
    assertFailureParts(at(status, "swapEgress"), "SENDING_FAILED", "BroadcastAborted")
    assertMembers(at(status, "swapEgress"), { transactionPayload: object }, [
      "transactionReference",
      "witnessedAt",
    ])
    assertMembers(at(status, "swapEgress", "transactionPayload"), { contract: text, value: text, data: text })
    assertMembers(status, common, ["fallbackEgress", "refundEgress"])
  })

  it.effect("fallback: the payment goes another way, and the swap stays failed", function* () {
    yield* network("nextEgress", { asset: "sol.sol", outcome: "fallback" })
    const opened = yield* openSwap({ sourceAsset: "eth.arb", destinationAsset: "sol.sol" })
    yield* deposit(opened, oneEther)
    yield* passUntil(opened, "failed")
    yield* pass(600)
    const status = yield* statusOf(opened)
    assert.strictEqual(textAt(status, "state"), "failed")
    assertFailureParts(at(status, "swapEgress"), "SENDING_FAILED", "BroadcastAborted")
    assertMembers(at(status, "fallbackEgress"), { ...egress, destinationAddress: equal(addresses.sol) })
    assertTwins(at(status, "fallbackEgress"), { amount: "sol.sol" })
  })
})
