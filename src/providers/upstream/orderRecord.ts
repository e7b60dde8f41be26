import { Option, Struct } from "effect"
import { NativeAmount, noAmount } from "#domain/money/Amount.ts"
import type { Address } from "#domain/chains/Address.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import type { Fee } from "#domain/money/Fee.ts"
import {
  type ChannelRecord,
  type Chunk,
  type Deposit,
  type Egress,
  type Failure,
  givenUp,
  type SwapProgress,
  type SwapState,
  type SwapStatus,
} from "#domain/swaps/Swap.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { referenceOn } from "#domain/chains/TransactionReference.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { isSameAddress, toBlockIndex } from "./openedOrder.ts"
import { upstreamText } from "./failures.ts"

/** The record of a swap whose upstream knows one order, one deposit and one payment. */

export interface StatusContext {
  /** The last record, which keeps the times at which things were first seen. */
  readonly known: SwapStatus
  readonly depositChannel: ChannelRecord
  /** By the upstream's clock. */
  readonly now: EpochMillis
}

/** What an answer says has happened, in one place and without the ways in which the wire says nothing. */
export interface OrderFacts {
  readonly status: string
  readonly updatedAt: EpochMillis
  /** Whether a deposit was seen, by this answer or an earlier one. */
  readonly hasDeposit: boolean
  /** Gross, in native units of the source asset; the amount that was quoted as long as nothing better is known. */
  readonly depositAmount: NativeAmount
  /** Whether that is the amount that was quoted, because the upstream has not said what came. */
  readonly isDepositExpected: boolean
  /** The same, only where the upstream says it. */
  readonly depositedAmount: NativeAmount | undefined
  readonly depositTransaction: string | undefined
  /** Of further transactions, where the deposit came in several. */
  readonly otherDepositTransactions: ReadonlyArray<string>
  /** What went into the swap. */
  readonly amountIn: NativeAmount
  readonly amountOut: NativeAmount | undefined
  /** Whether that is what was promised, because the upstream does not say what it paid. */
  readonly isOutPromised?: boolean
  readonly payoutTransaction: string | undefined
  readonly refundedAmount: NativeAmount | undefined
  /** Where the upstream names it. */
  readonly refundTransaction?: string | undefined
  readonly refundReason: string | undefined
  /** What a failure is said to be in our messages, where the upstream's own reason does not say it. */
  readonly explanation?: string | undefined
}

/** An amount that was paid. Upstreams write "nothing paid" as null, as 0, or leave it out. */
export const positive = (amount: NativeAmount | undefined): NativeAmount | undefined =>
  amount === 0n ? undefined : amount

/** The record with an order's addresses as an answer says them; one that is the same stays as it is on record. */
export const termsAsSaid = (
  { depositChannel, known, now }: StatusContext,
  said: { readonly [Name in "destination" | "deposit" | "refund"]?: Address | undefined } = {},
) => {
  const addressOf = (asset: AssetId, said: Address | undefined, known: Address): Address =>
    said === undefined || isSameAddress(chainOf(asset), said, known) ? known : said
  const { destinationAddress, destinationAsset, fillOrKill, sourceAsset } = known
  return {
    ...known,
    destinationAddress: addressOf(destinationAsset, said.destination, destinationAddress),
    depositChannel: {
      ...depositChannel,
      depositAddress: addressOf(sourceAsset, said.deposit, depositChannel.depositAddress),
      isExpired: now >= depositChannel.estimatedExpiryTime,
    },
    ...optionalMembers(fillOrKill, ({ refundAddress, ...terms }) => ({
      fillOrKill: { ...terms, refundAddress: addressOf(sourceAsset, said.refund, refundAddress) },
    })),
  }
}

/** Whether an amount that an answer does not tell is only expected: unless one before has told it. */
export const isStillExpected = (told: NativeAmount | undefined, { deposit }: SwapStatus): boolean =>
  told === undefined && (deposit === undefined || deposit.isExpected === true)

/** Nobody makes one deposit in more transactions; what more there is only fills our records. */
const mostTransactions = 50

/** The transactions of the deposit in the spelling of their chain: the one that is on record stays the first. */
export const depositTransactions = (named: ReadonlyArray<string>, { deposit, sourceAsset }: SwapStatus) => {
  const spelled = (hash: string): string => referenceOn(chainOf(sourceAsset), hash) ?? hash
  const hashes = [...new Set(named.map(spelled))].slice(0, mostTransactions)
  const before = deposit?.transactionReference
  const recorded = before === undefined ? undefined : spelled(before)
  const first = recorded !== undefined && hashes.includes(recorded) ? recorded : hashes[0] ?? recorded
  return { depositTransaction: first, otherDepositTransactions: hashes.filter((hash) => hash !== first) }
}

/** How far a swap is: what happens to the money next decides which parts of the record there are. */
export interface Stage {
  readonly state: SwapState
  /** `none`: nothing is being swapped yet; `payout` and `refund`: where the money goes; `lost`: it stays. */
  readonly course: "none" | "payout" | "refund" | "lost"
  readonly notices: ReadonlyArray<string>
}

/** A stage, and a line for the log about what somebody should know of it. */
export const stage = (state: SwapState, course: Stage["course"], notice?: string): Stage => ({
  state,
  course,
  notices: notice === undefined ? [] : [notice],
})

/** The upstream has no times of single events: one that is not on record yet happened with the last update. */
const firstSeen = (known: EpochMillis | undefined, { updatedAt }: OrderFacts): EpochMillis =>
  known ?? updatedAt

const toFailure = ({ explanation, refundReason, status, updatedAt }: OrderFacts, mode: string): Failure => ({
  failedAt: updatedAt,
  failedBlockIndex: toBlockIndex(updatedAt),
  mode,
  reason: {
    code: upstreamText(refundReason ?? status),
    message: explanation ??
      (refundReason === undefined
        ? "The provider gives no reason: ask it about the deposit address"
        : `The provider says ${upstreamText(refundReason)}`),
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
    ...(order.isDepositExpected ? { isExpected: true as const } : {}),
    ...optionalMembers(order.depositTransaction, (transactionReference) => ({ transactionReference })),
    ...(order.otherDepositTransactions.length === 0
      ? {}
      : { otherTransactionReferences: order.otherDepositTransactions }),
    ...(course === "none" ? {} : { witnessedAt, witnessedBlockIndex: toBlockIndex(witnessedAt) }),
    ...(course === "lost" && order.amountOut === undefined
      ? failed(order, order.refundedAmount === undefined ? "DEPOSIT_REJECTED" : givenUp)
      : {}),
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
    ...optionalMembers(order.amountOut, (outputAmount) => ({
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
    ...optionalMembers(transactionReference, (transactionReference) => ({ transactionReference })),
    ...(state === "completed" ? { witnessedAt, witnessedBlockIndex: toBlockIndex(witnessedAt) } : {}),
    ...(state === "failed" ? failed(order, "SENDING_FAILED") : {}),
  }
}

/** What a swap that was given up has sent back did arrive, though the swap failed. */
const refunding = (stage: Stage): Stage => stage.course === "lost" ? { ...stage, state: "completed" } : stage

/** The parts of the record that an answer decides; absent ones are not there (yet). */
const toParts = (order: OrderFacts, stage: Stage, context: StatusContext, fees: ReadonlyArray<Fee>) => {
  const { known } = context
  const { course } = stage
  const hasDeposit = order.hasDeposit || course !== "none"
  return {
    fees,
    ...(hasDeposit ? { deposit: toDeposit(order, stage, context) } : {}),
    ...(course === "payout" || course === "refund" ? { swap: toProgress(order, stage, context) } : {}),
    ...(course === "payout" || course === "lost"
      ? optionalMembers(order.amountOut, (amount) => ({
        swapEgress: {
          ...toEgress(amount, order.payoutTransaction, known.swapEgress, order, stage),
          ...(order.isOutPromised === true ? { isPromised: true as const } : {}),
        },
      }))
      : {}),
    ...(course === "none" ? {} : optionalMembers(order.refundedAmount, (amount) => ({
      refundEgress: toEgress(amount, order.refundTransaction, known.refundEgress, order, refunding(stage)),
    }))),
  }
}

/** An address is for one swap, so the channel's number is the swap's, from when there is one. */
const swapIdOf = ({ course }: Stage, { known, depositChannel }: StatusContext): { swapId?: string } => {
  if (known.swapId !== undefined) return { swapId: known.swapId }
  return course === "payout" ? { swapId: `${depositChannel.id.channelId}` } : {}
}

/** What was kept of the deposit for an output that was asked for: it went neither into the swap nor back. */
export const keptOfSurplus = (
  { amountIn, depositedAmount, refundedAmount }: OrderFacts,
  { state }: Stage,
  { depositChannel: { exactOutput }, known: { sourceAsset } }: StatusContext,
): ReadonlyArray<Fee> => {
  if (exactOutput === undefined || depositedAmount === undefined || state !== "completed") return []
  const kept = NativeAmount.makeOption(depositedAmount - amountIn - (refundedAmount ?? 0n))
  return Option.toArray(kept).filter((amount) => amount > 0n).map((amount) => ({
    type: "refund",
    asset: sourceAsset,
    amount,
  }))
}

/** The record that follows from an answer: `base` with the parts that the answer decides, and its fees. */
export const toStatus = (
  base: SwapStatus,
  order: OrderFacts,
  stage: Stage,
  context: StatusContext,
  fees: ReadonlyArray<Fee>,
): SwapStatus => ({
  ...Struct.omit(base, ["deposit", "swap", "swapEgress", "refundEgress"]),
  ...swapIdOf(stage, context),
  ...toParts(order, stage, context, fees),
  state: stage.state,
  lastStateChainUpdateAt: order.updatedAt,
})
