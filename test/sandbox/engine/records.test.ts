import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import { Bps } from "#domain/money/Bps.ts"
import { Price, toX128 } from "#domain/money/Price.ts"
import { BlockIndex } from "#domain/Time.ts"
import type { SwapView } from "#sandbox/engine/State.ts"
import * as Network from "#sandbox/engine/Network.ts"
import {
  deposit,
  feeOf,
  makeNetwork,
  native,
  open,
  pass,
  passUntil,
  present,
  recordOf,
  seconds,
  turn,
  units,
} from "./support.ts"

const price = (text: string): bigint =>
  toX128(Price.make(BigDecimal.fromStringUnsafe(text)), "btc.btc", "eth.eth")
const tenth = units("btc.btc", "0.1")

const assertAbsent = (record: SwapView, ...members: ReadonlyArray<keyof SwapView>): void =>
  members.forEach((member) => assert.notProperty(record, member))

describe("the record of a swap", () => {
  it("waiting: has neither swap nor deposit, and its price limit", () => {
    const network = makeNetwork()
    const refund = { minimumPriceX128: price("32.5"), maximumOraclePriceSlippageBps: 100 }
    const record = recordOf(network, open(network, { refund, brokerCommissionBps: 25 }))
    assert.strictEqual(record.state, "waiting")
    assert.deepStrictEqual(record.fees, [])
    assertAbsent(record, "swapId", "deposit", "swap", "swapEgress", "refundEgress", "boost", "dca", "ccm")
    assert.isTrue(
      BigDecimal.equals(present(record.fillOrKill).minimumPrice, BigDecimal.fromStringUnsafe("32.5")),
    )
    assert.strictEqual(present(record.fillOrKill).maximumOraclePriceSlippageBps, 100)
    assert.deepStrictEqual(record.brokers.map(({ commissionBps }) => Number(commissionBps)), [25])
    assert.strictEqual(record.estimatedDuration, 1_614_000)
    assert.strictEqual(record.sourceChainRequiredBlockConfirmations, 3)
  })

  it("receiving: shows the transaction and its confirmations as they grow", () => {
    const network = makeNetwork()
    const opened = open(network)
    const transactionReference = deposit(network, opened, tenth)
    const shown = () => recordOf(network, opened).deposit
    assert.deepStrictEqual(shown(), { amount: tenth, transactionReference, transactionConfirmations: 0 })
    pass(network, seconds(600))
    assert.deepStrictEqual(shown(), { amount: tenth, transactionReference, transactionConfirmations: 1 })
    pass(network, seconds(1_200))
    assert.strictEqual(shown()?.transactionConfirmations, 3)
    assert.strictEqual(recordOf(network, opened).state, "receiving")
    assertAbsent(recordOf(network, opened), "swapId", "swap")
    pass(network, seconds(6))
    assert.strictEqual(recordOf(network, opened).state, "swapping")
  })

  it("swapping: has its number, the witnessed deposit, and one chunk that waits two blocks", () => {
    const network = makeNetwork()
    const opened = open(network)
    deposit(network, opened, tenth)
    const record = passUntil(network, opened, "swapping")
    assert.strictEqual(record.swapId, "1000001")
    assert.strictEqual(record.deposit?.witnessedBlockIndex, "14000301-1")
    const { execution, ...totals } = present(record.swap)
    assert.deepStrictEqual(totals, {
      originalInputAmount: native(tenth - 310n),
      remainingInputAmount: native(tenth - 310n),
      swappedInputAmount: native(0n),
      swappedIntermediateAmount: native(0n),
      swappedOutputAmount: native(0n),
    })
    assert.deepStrictEqual(execution, {
      _tag: "regular",
      chunk: {
        inputAmount: native(tenth - 310n),
        scheduledAt: present(record.deposit?.witnessedAt),
        scheduledBlockIndex: BlockIndex.make("14000301-2"),
        retryCount: 0,
      },
    })
    assert.strictEqual(feeOf(record.fees, "ingress", "btc.btc"), 310n)
  })

  it("sending and sent: a payment without, then with its transaction", () => {
    const network = makeNetwork()
    const opened = open(network)
    deposit(network, opened, tenth)
    const sending = passUntil(network, opened, "sending")
    assert.notProperty(present(sending.swapEgress), "transactionReference")
    assert.isDefined(sending.swapEgress?.scheduledAt)
    const sent = passUntil(network, opened, "sent")
    assert.match(present(sent.swapEgress?.transactionReference), /^0x5a4db0[0-9a-f]{58}$/u)
    assert.notProperty(present(sent.swapEgress), "witnessedAt")
  })

  it("completed: all of it swapped, paid net of the egress fee, and witnessed", () => {
    const network = makeNetwork()
    const opened = open(network, { brokerCommissionBps: 25 })
    deposit(network, opened, tenth)
    const record = passUntil(network, opened, "completed")
    const swap = present(record.swap)
    assert.strictEqual(swap.remainingInputAmount, 0n)
    assert.strictEqual(swap.swappedInputAmount, swap.originalInputAmount)
    const paid = present(record.swapEgress).amount
    assert.strictEqual(paid + present(feeOf(record.fees, "egress", "eth.eth")), swap.swappedOutputAmount)
    assert.isDefined(record.swapEgress?.witnessedBlockIndex)
    assert.deepStrictEqual(record.fees.map(({ type }) => type), ["ingress", "network", "broker", "egress"])
    assertAbsent(record, "refundEgress", "fallbackEgress")
  })

  it("dca: counts chunks, sums totals and shows the last and the current one", () => {
    const network = makeNetwork()
    const opened = open(network, { dca: { numberOfChunks: 3, chunkIntervalBlocks: 4 } })
    deposit(network, opened, native(10_000_312n))
    const first = passUntil(network, opened, "swapping")
    assert.notProperty(present(first.swap?.execution), "lastExecutedChunk")
    pass(network, seconds(12))
    const record = recordOf(network, opened)
    const execution = present(record.swap?.execution)
    if (execution._tag !== "dca") throw new Error("Not in chunks")
    assert.strictEqual(execution.executedChunks, 1)
    assert.strictEqual(execution.remainingChunks, 2)
    assert.strictEqual(execution.lastExecutedChunk?.inputAmount, 3_333_334n)
    assert.strictEqual(execution.currentChunk?.inputAmount, 3_333_334n)
    assert.strictEqual(execution.currentChunk?.scheduledAt, execution.lastExecutedChunk?.executedAt)
    assert.strictEqual(record.swap?.remainingInputAmount, 6_666_668n)
    assert.deepStrictEqual(record.dca, { numberOfChunks: 3, chunkIntervalBlocks: 4 })
    const done = passUntil(network, opened, "completed")
    assert.strictEqual(done.swap?.swappedInputAmount, 10_000_002n)
    const last = present(done.swap?.execution)
    assert.strictEqual(last._tag === "dca" && last.executedChunks, 3)
    assert.notProperty(last, "currentChunk")
  })

  it("boosted: goes from waiting to swapping, and says what the boost cost", () => {
    const network = makeNetwork()
    const opened = open(network, { boostFeeBps: 10 })
    assert.deepStrictEqual(recordOf(network, opened).boost, { maximumBoostFeeBps: Bps.make(10) })
    deposit(network, opened, tenth)
    pass(network, seconds(606))
    const record = recordOf(network, opened)
    assert.strictEqual(record.state, "swapping")
    assert.strictEqual(record.boost?.effectiveBoostFeeBps, 5)
    assert.strictEqual(record.boost?.boostedAt, record.deposit?.witnessedAt)
    assert.strictEqual(feeOf(record.fees, "boost", "btc.btc"), 5_000n)
    assert.strictEqual(record.swap?.originalInputAmount, tenth - 5_000n - 310n)
    const [pool] = Network.boostPools(network)
    assert.deepStrictEqual([pool?.available, pool?.lent], [native(190_000_000n), native(10_000_000n)])
    pass(network, seconds(1_200))
    const [repaid] = Network.boostPools(network)
    assert.deepStrictEqual([repaid?.available, repaid?.lent], [native(200_005_000n), native(0n)])
  })

  it("boost skipped: is credited with its confirmations at no boost fee", () => {
    const network = makeNetwork()
    const opened = open(network, { boostFeeBps: 5 })
    deposit(network, opened, units("btc.btc", "3"))
    pass(network, seconds(606))
    const record = recordOf(network, opened)
    assert.strictEqual(record.state, "receiving")
    assert.strictEqual(record.boost?.effectiveBoostFeeBps, 0)
    assert.isDefined(record.boost?.skippedAt)
    assert.isDefined(record.boost?.skippedBlockIndex)
    assert.isUndefined(feeOf(passUntil(network, opened, "completed").fees, "boost", "btc.btc"))
  })

  it("retrying: counts retries, says why, and swaps when the price is back", () => {
    const network = makeNetwork()
    const opened = open(network, { refund: { minimumPriceX128: price("33") } })
    turn(network, { _tag: "MovePrice", asset: "btc.btc", bps: -500 })
    deposit(network, opened, tenth)
    passUntil(network, opened, "swapping")
    pass(network, seconds(12 + 30))
    const execution = present(recordOf(network, opened).swap?.execution)
    if (execution._tag !== "regular") throw new Error("In chunks")
    assert.strictEqual(execution.chunk.retryCount, 2)
    assert.strictEqual(execution.chunk.latestSwapRescheduledReason, "MinPriceViolation")
    assert.isDefined(execution.chunk.latestSwapRescheduledBlockIndex)
    turn(network, { _tag: "MovePrice", asset: "btc.btc", bps: 600 })
    assert.isDefined(passUntil(network, opened, "completed").swapEgress)
  })

  it("refunded: completed, with the deposit less three fees on its way back and no chunk executed", () => {
    const network = makeNetwork()
    const opened = open(network, { refund: { minimumPriceX128: price("40"), retryDurationBlocks: 12 } })
    deposit(network, opened, tenth)
    passUntil(network, opened, "swapping")
    const record = passUntil(network, opened, "completed")
    const execution = present(record.swap?.execution)
    if (execution._tag !== "regular") throw new Error("In chunks")
    assert.strictEqual(execution.chunk.retryCount, 2)
    assert.strictEqual(execution.chunk.abortedReason, "MinPriceViolation")
    assert.notProperty(execution.chunk, "executedAt")
    assertAbsent(record, "swapEgress")
    assert.strictEqual(record.refundEgress?.amount, tenth - 310n - 774n - 1_420n)
    assert.strictEqual(feeOf(record.fees, "refund", "btc.btc"), 774n)
    assert.strictEqual(feeOf(record.fees, "egress", "btc.btc"), 1_420n)
    assert.match(present(record.refundEgress?.transactionReference), /^5a4db0/u)
  })

  it("partly refunded: pays what was swapped and sends back what was not", () => {
    const network = makeNetwork()
    const opened = open(network, {
      refund: { minimumPriceX128: price("33"), retryDurationBlocks: 0 },
      dca: { numberOfChunks: 4, chunkIntervalBlocks: 2 },
    })
    deposit(network, opened, tenth)
    passUntil(network, opened, "swapping")
    pass(network, seconds(12))
    turn(network, { _tag: "MovePrice", asset: "eth.eth", bps: 1_000 })
    const record = passUntil(network, opened, "completed")
    const swap = present(record.swap)
    const execution = present(swap.execution)
    if (execution._tag !== "dca") throw new Error("Not in chunks")
    assert.deepStrictEqual([execution.executedChunks, execution.remainingChunks], [1, 3])
    assert.strictEqual(execution.currentChunk?.abortedReason, "MinPriceViolation")
    assert.strictEqual(swap.remainingInputAmount + swap.swappedInputAmount, swap.originalInputAmount)
    assert.strictEqual(record.refundEgress?.amount, swap.remainingInputAmount - 774n - 1_420n)
    assert.isTrue(present(record.swapEgress).amount < swap.swappedOutputAmount)
    assert.isDefined(record.swapEgress?.witnessedAt)
    assert.isDefined(record.refundEgress?.witnessedAt)
  })

  it("ccm: carries the message", () => {
    const network = makeNetwork()
    const ccm = { gasBudget: native(1_000n), message: "0xabcd" }
    const opened = open(network, { ccm })
    assert.deepStrictEqual(recordOf(network, opened).ccm, ccm)
    deposit(network, opened, tenth)
    const record = passUntil(network, opened, "completed")
    assert.strictEqual(feeOf(record.fees, "egress", "eth.eth"), 141_203_311_901_000n)
  })
})
