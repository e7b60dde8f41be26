import { Effect, Option, Result, Struct } from "effect"
import type { Address } from "../../domain/Address.ts"
import { NativeAmount, noAmount } from "../../domain/Amount.ts"
import { type AssetId, chainOf } from "../../domain/Asset.ts"
import type { Fee } from "../../domain/Fee.ts"
import type { MalformedBody } from "../../domain/ProviderError.ts"
import type { Chunk, Deposit, Egress, Failure, SwapProgress, SwapStatus } from "../../domain/Swap.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { lightSpan } from "../../platform/lightSpan.ts"
import { spread } from "../../platform/spread.ts"
import type { Channels } from "../Provider.ts"
import { isSameAddress, toBlockIndex } from "../upstream/coordinates.ts"
import type { Client } from "./client.ts"
import type { Conditions, Tokens } from "./conditions.ts"
import { failAs } from "./errors.ts"
import { toFees } from "./quotes.ts"
import {
  type OrderFacts,
  readStage,
  type Stage,
  type StatusContext,
  toOrderFacts,
  WireStatus,
} from "./stages.ts"
import { decode, logged, type Noticed } from "../upstream/decode.ts"
import { upstreamText } from "../upstream/failures.ts"

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
const toParts = (order: OrderFacts, stage: Stage, context: StatusContext) => {
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

/** The record, and a line for the log about each thing that somebody should know. */
interface ReadStatus extends Noticed {
  readonly status: SwapStatus
}

/** The asset of an id, or ours where nobody knows the id any more: ids have changed their form before. */
const assetOf = (tokens: Tokens, id: string, known: AssetId): AssetId =>
  [...tokens.values()].find((token) => token.id === id)?.asset ?? known

/** An address as it is on record, unless the answer says another one. */
const addressOf = (asset: AssetId, said: Address, known: Address): Address =>
  isSameAddress(chainOf(asset), said, known) ? known : said

/**
 * The terms that the answer gives the order. An answer about another order than ours would tell of somebody else's
 * money: whoever knows the swap compares them, of every provider alike.
 */
const termsAsSaid = (
  { quoteResponse: { quote, quoteRequest } }: WireStatus,
  { depositChannel, known, now }: StatusContext,
  tokens: Tokens,
) => {
  const { destinationAddress, destinationAsset, fillOrKill, sourceAsset } = known
  return {
    sourceAsset: assetOf(tokens, quoteRequest.originAsset, sourceAsset),
    destinationAsset: assetOf(tokens, quoteRequest.destinationAsset, destinationAsset),
    destinationAddress: addressOf(destinationAsset, quoteRequest.recipient, destinationAddress),
    depositChannel: {
      ...depositChannel,
      depositAddress: addressOf(sourceAsset, quote.depositAddress, depositChannel.depositAddress),
      isExpired: now >= depositChannel.estimatedExpiryTime,
    },
    ...(fillOrKill === undefined ? {} : {
      fillOrKill: {
        ...fillOrKill,
        refundAddress: addressOf(sourceAsset, quoteRequest.refundTo, fillOrKill.refundAddress),
      },
    }),
  }
}

/** An address is for one swap, so the channel's number is the swap's, from when there is one. */
const swapIdOf = ({ course }: Stage, { known, depositChannel }: StatusContext): { swapId?: string } => {
  if (known.swapId !== undefined) return { swapId: known.swapId }
  return course === "payout" ? { swapId: `${depositChannel.id.channelId}` } : {}
}

const toStatus = (base: SwapStatus, order: OrderFacts, stage: Stage, context: StatusContext): SwapStatus => ({
  ...Struct.omit(base, ["deposit", "swap", "swapEgress", "refundEgress"]),
  ...swapIdOf(stage, context),
  ...toParts(order, stage, context),
  state: stage.state,
  lastStateChainUpdateAt: order.updatedAt,
})

/** Reads the answer of `GET /v0/status` about the channel of a record, as it is. */
const readStatus = (
  body: unknown,
  { tokens, ...context }: StatusContext & { readonly tokens: Tokens },
): Result.Result<ReadStatus, MalformedBody> =>
  Result.map(decode(WireStatus, body), (wire) => {
    // What the answer says nothing of stays as it was.
    const base: SwapStatus = { ...context.known, ...termsAsSaid(wire, context, tokens) }
    const order = toOrderFacts(wire, context)
    const stage = readStage(order, context)
    return "unknown" in stage
      ? { status: base, notices: [stage.unknown] }
      : { status: toStatus(base, order, stage, context), notices: stage.notices }
  })

/** The operation: an order is found by its deposit address. */
export const makeStatus = (client: Client, conditions: Conditions): Channels["status"] =>
  Effect.fnUntraced(
    function* (_channel, known) {
      const { depositChannel } = known
      if (depositChannel === undefined) return Option.none()
      const tokens = yield* conditions.tokens
      const heard = yield* client.status(depositChannel.depositAddress)
      if (Option.isNone(heard)) return Option.none()
      const { body, text, answeredAt } = heard.value
      const { status } = yield* logged(readStatus(body, { known, depositChannel, tokens, now: answeredAt }))
      return Option.some({ status, body: text })
    },
    failAs("status"),
    lightSpan("NearIntents.status"),
  )
