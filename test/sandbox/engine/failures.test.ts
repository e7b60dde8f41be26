import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import { Price, toX128 } from "#domain/money/Price.ts"
import type { SwapView } from "#sandbox/engine/State.ts"
import type { Control } from "#sandbox/engine/Command.ts"
import {
  addresses,
  deposit,
  feeOf,
  makeNetwork,
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

describe("the record of a swap that failed", () => {
  const failed = (...controls: ReadonlyArray<Control>): SwapView => {
    const network = makeNetwork()
    const opened = open(network)
    controls.forEach((control) => turn(network, control))
    deposit(network, opened, tenth)
    return passUntil(network, opened, "failed")
  }

  it("deposit ignored: is below the minimum, with totals and no swap", () => {
    const network = makeNetwork()
    const opened = open(network)
    deposit(network, opened, 39_999n)
    const record = passUntil(network, opened, "failed")
    assertAbsent(record, "swapId", "swapEgress", "refundEgress")
    const failure = present(record.deposit?.failure)
    assert.strictEqual(failure.mode, "DEPOSIT_IGNORED")
    assert.deepStrictEqual(failure.reason, {
      code: "BelowMinimumDeposit",
      message: "The deposited amount was below the minimum required",
    })
    assert.strictEqual(record.deposit?.failedAt, failure.failedAt)
    assert.strictEqual(record.deposit?.failedBlockIndex, failure.failedBlockIndex)
    assert.deepStrictEqual(record.fees, [])
    assert.strictEqual(record.swap?.originalInputAmount, 39_999n)
    assert.strictEqual(record.swap?.remainingInputAmount, 39_999n)
    assert.notProperty(present(record.swap), "execution")
  })

  it("deposit ignored: does not pay the ingress fee", () => {
    const record = failed({ _tag: "SetAsset", asset: "btc.btc", ingressFee: tenth })
    assert.strictEqual(record.deposit?.failure?.reason.code, "NotEnoughToPayFees")
  })

  it("deposit rejected: goes back, and the next one is taken", () => {
    const network = makeNetwork()
    const opened = open(network, { boostFeeBps: 30 })
    turn(network, { _tag: "RejectNextDeposit", address: opened.depositAddress })
    deposit(network, opened, tenth)
    const record = passUntil(network, opened, "failed")
    assert.strictEqual(record.deposit?.failure?.mode, "DEPOSIT_REJECTED")
    assert.strictEqual(record.deposit?.failure?.reason.code, "TransactionRejectedByBroker")
    assert.strictEqual(record.refundEgress?.amount, tenth - 1_420n)
    assert.notProperty(present(record.boost), "boostedAt")
    pass(network, seconds(3_600))
    assert.isDefined(recordOf(network, opened).refundEgress?.witnessedAt)
    assert.strictEqual(recordOf(network, opened).state, "failed")
    deposit(network, opened, tenth)
    passUntil(network, opened, "completed")
  })

  it("egress too small: says so, and is never scheduled", () => {
    const record = failed({ _tag: "SetAsset", asset: "eth.eth", egressDustLimit: units("eth.eth", "10") })
    const egress = present(record.swapEgress)
    assert.strictEqual(egress.failure?.mode, "SWAP_OUTPUT_TOO_SMALL")
    assert.strictEqual(egress.failure?.reason.code, "BelowEgressDustLimit")
    assert.isDefined(egress.failedAt)
    assert.notProperty(egress, "scheduledAt")
    assert.isTrue(egress.amount > 0n)
  })

  it("egress too small: the fee takes all of it", () => {
    const record = failed({ _tag: "SetAsset", asset: "eth.eth", egressFee: units("eth.eth", "10") })
    assert.strictEqual(record.swapEgress?.amount, 0n)
    assert.strictEqual(feeOf(record.fees, "egress", "eth.eth"), record.swap?.swappedOutputAmount)
  })

  it("refund too small: says so", () => {
    const network = makeNetwork()
    const opened = open(network, { refund: { minimumPriceX128: price("40"), retryDurationBlocks: 0 } })
    turn(network, { _tag: "SetAsset", asset: "btc.btc", egressDustLimit: tenth })
    deposit(network, opened, tenth)
    const record = passUntil(network, opened, "failed")
    assert.strictEqual(record.refundEgress?.failure?.mode, "REFUND_OUTPUT_TOO_SMALL")
  })

  it("broadcast aborted: leaves the call that anyone may still make", () => {
    const record = failed({ _tag: "NextEgress", asset: "eth.eth", outcome: "abort" })
    const egress = present(record.swapEgress)
    assert.strictEqual(egress.failure?.mode, "SENDING_FAILED")
    assert.deepStrictEqual(egress.failure?.reason, {
      code: "BroadcastAborted",
      message: "The swap broadcast was aborted",
    })
    const call = present(egress.transactionPayload)
    assert.strictEqual(call.chainId, 1)
    assert.include(call.data, addresses("Ethereum").slice(2))
    assert.isTrue(call.data.endsWith(egress.amount.toString(16)))
  })

  it("broadcast aborted: a refund's says so, and no chain but an EVM one has a call", () => {
    const network = makeNetwork()
    const opened = open(network, { refund: { minimumPriceX128: price("40"), retryDurationBlocks: 0 } })
    turn(network, { _tag: "NextEgress", asset: "btc.btc", outcome: "abort" })
    deposit(network, opened, tenth)
    const record = passUntil(network, opened, "failed")
    assert.strictEqual(record.refundEgress?.failure?.reason.message, "The refund broadcast was aborted")
    assert.notProperty(present(record.refundEgress), "transactionPayload")
  })

  it("fallback: stays failed while the payment goes another way", () => {
    const network = makeNetwork()
    const opened = open(network, { destinationAsset: "sol.sol" })
    turn(network, { _tag: "NextEgress", asset: "sol.sol", outcome: "fallback" })
    deposit(network, opened, tenth)
    const record = passUntil(network, opened, "failed")
    assert.strictEqual(record.fallbackEgress?.destinationAddress, addresses("Solana"))
    assert.strictEqual(record.fallbackEgress?.amount, record.swapEgress?.amount)
    assert.notProperty(present(record.swapEgress), "transactionReference")
    pass(network, seconds(120))
    assert.isDefined(recordOf(network, opened).fallbackEgress?.witnessedAt)
    assert.strictEqual(recordOf(network, opened).state, "failed")
  })
})
