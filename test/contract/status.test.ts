import { assert } from "@effect/vitest"
import { addresses } from "./support/addresses.ts"
import { assertFees, assertTwins, human, nativeAt } from "./support/assets.ts"
import { withOwnBroker } from "./support/call.ts"
import { at, find, integerAt, listAt, numberAt, textAt } from "./support/Json.ts"
import {
  amount,
  assertMembers,
  blockIndex,
  digits,
  equal,
  integer,
  moment,
  number,
  object,
  text,
} from "./support/members.ts"
import {
  deposit,
  network,
  openSwap,
  pass,
  passUntil,
  recordOf,
  statusOf,
  type SwapQuery,
} from "./support/swaps.ts"
import {
  assertSwapTotals,
  chunk,
  common,
  depositChannel,
  egress,
  feeTypesOf,
  scheduledEgress,
} from "./support/statusForms.ts"

/** Of ether on Arbitrum, where deposits are confirmed within seconds; and of bitcoin, for boosts. */
const oneEther = "1000000000000000001"
const tenthOfBitcoin = "10000001"

const openFromArbitrum = (changes: SwapQuery = {}) => openSwap({ sourceAsset: "eth.arb", ...changes })
const dca = { numberOfChunks: "4", chunkIntervalBlocks: "2" }

/** A swap that goes wrong at once when its price cannot be had, and says where to. */
const unreachablePrice = { minimumPrice: "40", refundAddress: addresses.arb, retryDurationInBlocks: "0" }

withOwnBroker()("the record of a swap (decision 23, chainflip/wire.md 3.9)", (it) => {
  it.effect("waiting: has the channel and its limits, and nothing of a deposit", function* () {
    const opened = yield* openFromArbitrum({ ...unreachablePrice, commissionBps: "25" })
    const record = yield* recordOf(opened)
    assertMembers(record, { id: integer, platform: equal("chainflip"), status: object })
    const status = at(record, "status")
    assertMembers(status, { ...common, state: equal("waiting"), estimatedDurationSeconds: number }, [
      "swapId",
      "deposit",
      "swap",
      "swapEgress",
      "refundEgress",
      "fallbackEgress",
      "boost",
      "dcaParams",
      "ccmParams",
    ])
    assert.deepStrictEqual(listAt(status, "fees"), [])
    assertMembers(at(status, "depositChannel"), { ...depositChannel, isExpired: equal(false) }, ["dcaParams"])
    assert.strictEqual(numberAt(status, "estimatedDurationSeconds"), "114.39")
    assert.strictEqual(numberAt(status, "sourceChainRequiredBlockConfirmations"), "2")
    assertMembers(at(status, "fillOrKillParams"), {
      retryDurationBlocks: integer,
      refundAddress: equal(addresses.arb),
      minimumPrice: equal("40"),
    })
    assert.strictEqual(textAt(status, "depositChannel", "depositAddress"), textAt(opened, "address"))
    assert.strictEqual(
      textAt(status, "depositChannel", "sourceChainExpiryBlock"),
      numberAt(opened, "sourceExpiryBlock"),
    )
  })

  it.effect("expired: still waits, but says that the channel has expired", function* () {
    const opened = yield* openSwap({ sourceAsset: "eth.arb" })
    yield* pass(25 * 3_600)
    const status = yield* statusOf(opened)
    assert.strictEqual(textAt(status, "state"), "waiting")
    assert.isTrue(at(status, "depositChannel", "isExpired"))
    assertMembers(at(status, "depositChannel"), depositChannel)
  })

  it.effect("receiving: has the transaction and its amount, not yet witnessed", function* () {
    const opened = yield* openFromArbitrum()
    const hash = yield* deposit(opened, oneEther)
    const { status } = yield* passUntil(opened, "receiving")
    assertMembers(status, common, ["swapId", "swap", "swapEgress", "refundEgress"])
    assertMembers(at(status, "deposit"), {
      ...amount("amount"),
      transactionReference: equal(hash),
      transactionConfirmations: integer,
    }, ["witnessedAt", "witnessedAtDate", "witnessedBlockIndex", "failure", "failedAt"])
    assertTwins(at(status, "deposit"), { amount: "eth.arb" })
    assert.strictEqual(textAt(status, "deposit", "amountNative"), oneEther)
  })

  it.effect("swapping, regular: has its number and a chunk that is not executed yet", function* () {
    const opened = yield* openFromArbitrum()
    yield* deposit(opened, oneEther)
    const { status } = yield* passUntil(opened, "swapping")
    assertMembers(status, { ...common, swapId: digits }, ["swapEgress", "refundEgress", "dcaParams"])
    assertMembers(at(status, "deposit"), { ...moment("witnessedAt"), witnessedBlockIndex: blockIndex })
    assertSwapTotals(status)
    assert.isUndefined(find(status, "swap", "dca"))
    assertMembers(at(status, "swap", "regular"), {
      ...amount("inputAmount"),
      ...moment("scheduledAt"),
      scheduledBlockIndex: blockIndex,
      retryCount: integer,
    }, ["executedAt", "executedAtDate", "executedBlockIndex", "outputAmount", "outputAmountNative"])
    assertFees(listAt(status, "fees"))
  })

  it.effect("swapping, dca: counts its chunks, has the last and the current, and grows", function* () {
    const opened = yield* openFromArbitrum(dca)
    yield* deposit(opened, oneEther)
    yield* passUntil(opened, "swapping")
    yield* pass(24)
    const status = yield* statusOf(opened)
    assertMembers(status, { ...common, dcaParams: object })
    assert.isUndefined(find(status, "swap", "regular"))
    const progress = at(status, "swap", "dca")
    assertMembers(progress, { executedChunks: integer, remainingChunks: integer })
    assert.strictEqual(integerAt(progress, "executedChunks") + integerAt(progress, "remainingChunks"), 4)
    assertMembers(at(progress, "lastExecutedChunk"), chunk)
    assertMembers(at(progress, "currentChunk"), { ...amount("inputAmount"), ...moment("scheduledAt") }, [
      "executedAt",
    ])
    assertTwins(at(progress, "lastExecutedChunk"), {
      inputAmount: "eth.arb",
      intermediateAmount: "usdc.eth",
      outputAmount: "eth.eth",
    })
    assert.deepStrictEqual(at(status, "depositChannel", "dcaParams"), at(status, "dcaParams"))
    assertSwapTotals(status)
    const before = nativeAt(status, "swap", "swappedOutputAmountNative")
    yield* pass(12)
    assert.isTrue(nativeAt(yield* statusOf(opened), "swap", "swappedOutputAmountNative") > before)
    const { status: completed } = yield* passUntil(opened, "completed")
    assert.strictEqual(numberAt(completed, "swap", "dca", "executedChunks"), "4")
    assert.isUndefined(find(completed, "swap", "dca", "currentChunk"))
    assertSwapTotals(completed)
  })

  it.effect("swapping, retrying: counts the tries and says why", function* () {
    const opened = yield* openFromArbitrum({ ...unreachablePrice, retryDurationInBlocks: "100" })
    yield* deposit(opened, oneEther)
    yield* passUntil(opened, "swapping")
    yield* pass(60)
    const status = yield* statusOf(opened)
    assert.strictEqual(textAt(status, "state"), "swapping")
    assert.isAbove(integerAt(status, "swap", "regular", "retryCount"), 0)
    assertMembers(at(status, "swap", "regular"), {
      ...moment("latestSwapRescheduledAt"),
      latestSwapRescheduledBlockIndex: blockIndex,
      latestSwapRescheduledReason: equal("MinPriceViolation"),
    }, ["executedAt", "abortedAt"])
  })

  it.effect("sending, sent and completed: the payment gains its transaction, then is witnessed", function* () {
    const opened = yield* openFromArbitrum({ commissionBps: "25" })
    yield* deposit(opened, oneEther)
    const { status: sending } = yield* passUntil(opened, "sending")
    assertMembers(at(sending, "swapEgress"), scheduledEgress, [
      "transactionReference",
      "witnessedAt",
      "failure",
    ])
    const { status: sent } = yield* passUntil(opened, "sent")
    assertMembers(at(sent, "swapEgress"), { ...scheduledEgress, transactionReference: text }, ["witnessedAt"])
    const { status } = yield* passUntil(opened, "completed")
    assertMembers(at(status, "swapEgress"), egress)
    assertMembers(status, { ...common, swapId: digits, state: equal("completed") }, ["refundEgress", "boost"])
    assertMembers(at(status, "swap", "regular"), chunk)
    assertTwins(at(status, "swap", "regular"), {
      inputAmount: "eth.arb",
      intermediateAmount: "usdc.eth",
      outputAmount: "eth.eth",
    })
    assertTwins(at(status, "swapEgress"), { amount: "eth.eth" })
    assertSwapTotals(status)
    assert.deepStrictEqual(feeTypesOf(status), ["ingress", "network", "broker", "egress"])
    assertFees(listAt(status, "fees"))
    const fee = nativeAt(status, "fees", 3, "amountNative")
    const output = nativeAt(status, "swap", "swappedOutputAmountNative")
    assert.strictEqual(nativeAt(status, "swapEgress", "amountNative"), output - fee)
    const taken = nativeAt(status, "fees", 0, "amountNative")
    assert.strictEqual(nativeAt(status, "swap", "originalInputAmountNative"), BigInt(oneEther) - taken)
  })

  it.effect("one leg: has no intermediate amount in its chunk", function* () {
    const opened = yield* openSwap({ sourceAsset: "eth.arb", destinationAsset: "usdc.eth" })
    yield* deposit(opened, "1234567890123456789")
    const { status } = yield* passUntil(opened, "completed")
    const absent = ["intermediateAmount", "intermediateAmountNative"]
    assertMembers(at(status, "swap", "regular"), { ...amount("outputAmount") }, absent)
    assert.strictEqual(textAt(status, "swap", "swappedIntermediateAmountNative"), "0")
    assertTwins(at(status, "swapEgress"), { amount: "usdc.eth" })
    assertTwins(at(status, "deposit"), { amount: "eth.arb" })
  })

  it.effect("completed, boosted: says what the boost was and when", function* () {
    const opened = yield* openSwap({ boostFee: "30" })
    yield* deposit(opened, tenthOfBitcoin)
    const { seen, status } = yield* passUntil(opened, "completed")
    assert.include(seen, "swapping")
    assertMembers(at(status, "boost"), {
      maximumBoostFeeBps: integer,
      effectiveBoostFeeBps: integer,
      ...moment("boostedAt"),
      boostedBlockIndex: blockIndex,
    }, ["skippedAt", "skippedBlockIndex"])
    assert.strictEqual(numberAt(status, "boost", "effectiveBoostFeeBps"), "5")
    assert.deepStrictEqual(feeTypesOf(status), ["boost", "ingress", "network", "egress"])
    assert.strictEqual(
      textAt(status, "fees", 0, "amountNative"),
      `${BigInt(tenthOfBitcoin) * 5n / 10_000n}`,
    )
    assert.strictEqual(numberAt(status, "fees", 0, "amount"), human("btc.btc", "5000"))
  })

  it.effect("boost skipped: says so, and costs nothing", function* () {
    yield* network("setAsset", { asset: "btc.btc", boostEnabled: false })
    const opened = yield* openSwap({ boostFee: "30" })
    yield* deposit(opened, tenthOfBitcoin)
    const { status } = yield* passUntil(opened, "completed", 30)
    assertMembers(at(status, "boost"), { ...moment("skippedAt"), skippedBlockIndex: blockIndex }, [
      "boostedAt",
      "boostedBlockIndex",
    ])
    assert.strictEqual(numberAt(status, "boost", "maximumBoostFeeBps"), "30")
    assert.strictEqual(numberAt(status, "boost", "effectiveBoostFeeBps"), "0")
    assert.notInclude(feeTypesOf(status), "boost")
    yield* network("setAsset", { asset: "btc.btc", boostEnabled: true })
  })
})
