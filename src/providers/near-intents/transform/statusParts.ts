import { NativeAmount, noAmount } from "../../../domain/Amount.ts"
import type { Fee } from "../../../domain/Fee.ts"
import type { Chunk, Deposit, Egress, Failure, SwapProgress } from "../../../domain/Swap.ts"
import type { EpochMillis } from "../../../domain/Time.ts"
import { spread } from "../../../platform/spread.ts"
import { upstreamText } from "../../upstream/upstreamText.ts"
import { toBlockIndex } from "./coordinates.ts"
import { toFees } from "./fees.ts"
import type { OrderFacts, StatusContext } from "./orderFacts.ts"
import type { Stage } from "./stage.ts"

/** The upstream has no times of single events: one that is not on record yet happened with the last update. */
const firstSeen = (known: EpochMillis | undefined, { updatedAt }: OrderFacts): EpochMillis =>
  known ?? updatedAt

const toFailure = ({ updatedAt, status, refundReason }: OrderFacts, mode: string): Failure => ({
  failedAt: updatedAt,
  failedBlockIndex: toBlockIndex(updatedAt),
  mode,
  reason: {
    code: upstreamText(refundReason ?? status),
    message: refundReason === undefined
      ? "The provider gives no reason: ask it about the deposit address"
      : `The provider says ${upstreamText(refundReason)}`,
  },
})

const failed = (order: OrderFacts, mode: string) => ({
  failure: toFailure(order, mode),
  failedAt: order.updatedAt,
  failedBlockIndex: toBlockIndex(order.updatedAt),
})

/** The deposit; credited as soon as something is done with it. */
const toDeposit = (order: OrderFacts, { course }: Stage, { known }: StatusContext): Deposit => {
  const witnessedAt = firstSeen(known.deposit?.witnessedAt, order)
  return {
    amount: order.depositAmount,
    ...spread(order.depositTransaction, (transactionReference) => ({ transactionReference })),
    ...(order.otherDepositTransactions.length === 0
      ? {}
      : { otherTransactionReferences: order.otherDepositTransactions }),
    ...(course === "none" ? {} : { witnessedAt, witnessedBlockIndex: toBlockIndex(witnessedAt) }),
    ...(course === "lost" && order.amountOut === undefined ? failed(order, "DEPOSIT_REJECTED") : {}),
  }
}

const knownChunk = ({ known }: StatusContext): Chunk | undefined =>
  known.swap?.execution?._tag === "regular" ? known.swap.execution.chunk : undefined

const toChunk = (order: OrderFacts, { course }: Stage, context: StatusContext): Chunk => {
  const before = knownChunk(context)
  const scheduledAt = firstSeen(before?.scheduledAt, order)
  const executedAt = firstSeen(before?.executedAt, order)
  const abortedAt = firstSeen(before?.abortedAt, order)
  return {
    inputAmount: order.amountIn,
    scheduledAt,
    scheduledBlockIndex: toBlockIndex(scheduledAt),
    ...spread(order.amountOut, (outputAmount) => ({
      outputAmount,
      executedAt,
      executedBlockIndex: toBlockIndex(executedAt),
    })),
    retryCount: 0,
    ...(course === "refund"
      ? {
        abortedAt,
        abortedBlockIndex: toBlockIndex(abortedAt),
        abortedReason: upstreamText(order.refundReason ?? order.status),
      }
      : {}),
  }
}

/** The swap is one chunk, which is done when there is an output. */
const toProgress = (order: OrderFacts, stage: Stage, context: StatusContext): SwapProgress => {
  const isDone = order.amountOut !== undefined
  return {
    originalInputAmount: order.amountIn,
    remainingInputAmount: isDone ? noAmount : order.amountIn,
    swappedInputAmount: isDone ? order.amountIn : noAmount,
    swappedIntermediateAmount: noAmount,
    swappedOutputAmount: order.amountOut ?? noAmount,
    execution: { _tag: "regular", chunk: toChunk(order, stage, context) },
  }
}

/** A payment: seen on its chain once the swap is completed. */
const toEgress = (
  amount: NativeAmount,
  transactionReference: string | undefined,
  before: Egress | undefined,
  order: OrderFacts,
  { state }: Stage,
): Egress => {
  const scheduledAt = firstSeen(before?.scheduledAt, order)
  const witnessedAt = firstSeen(before?.witnessedAt, order)
  return {
    amount,
    scheduledAt,
    scheduledBlockIndex: toBlockIndex(scheduledAt),
    ...spread(transactionReference, (transactionReference) => ({ transactionReference })),
    ...(state === "completed" ? { witnessedAt, witnessedBlockIndex: toBlockIndex(witnessedAt) } : {}),
    ...(state === "failed" ? failed(order, "SENDING_FAILED") : {}),
  }
}

/** What a refund cost, where the refund is less than the deposit; else what the upstream said it would. */
const refundFee = ({ depositedAmount, refundedAmount, refundFee }: OrderFacts): NativeAmount | undefined =>
  depositedAmount !== undefined && refundedAmount !== undefined && refundedAmount < depositedAmount
    ? NativeAmount.make(depositedAmount - refundedAmount)
    : refundFee

const feesOf = (order: OrderFacts, { course }: Stage, context: StatusContext): ReadonlyArray<Fee> => {
  const { sourceAsset, destinationAsset } = context.known
  if (course === "payout") {
    return toFees({
      sourceAsset,
      destinationAsset,
      amountIn: order.amountIn,
      commissionBps: context.depositChannel.brokerCommissionBps,
      withdrawFee: order.withdrawFee,
    })
  }
  const refund = course === "refund" ? refundFee(order) : undefined
  return refund === undefined ? [] : [{ type: "refund", asset: sourceAsset, amount: refund }]
}

/** The parts of the record that an answer decides; absent ones are not there (yet). */
export const toParts = (order: OrderFacts, stage: Stage, context: StatusContext) => {
  const { known } = context
  const { course } = stage
  const hasDeposit = order.hasDeposit || course !== "none"
  return {
    fees: feesOf(order, stage, context),
    ...(hasDeposit ? { deposit: toDeposit(order, stage, context) } : {}),
    ...(course === "payout" || course === "refund" ? { swap: toProgress(order, stage, context) } : {}),
    ...(course === "payout" || course === "lost"
      ? spread(order.amountOut, (amount) => ({
        swapEgress: toEgress(amount, order.payoutTransaction, known.swapEgress, order, stage),
      }))
      : {}),
    ...(course === "none" || course === "lost" ? {} : spread(order.refundedAmount, (amount) => ({
      refundEgress: toEgress(amount, undefined, known.refundEgress, order, stage),
    }))),
  }
}
