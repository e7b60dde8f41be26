import { Schema } from "effect"
import { Address, BrokerAccount } from "../chains/Address.ts"
import { NativeAmount } from "../money/Amount.ts"
import { AssetId } from "../chains/Asset.ts"
import { Bps } from "../money/Bps.ts"
import { ChannelId } from "./Channel.ts"
import { ExactOutput } from "../quotes/ExactOutput.ts"
import { Affiliate, CcmPayload, DcaParameters } from "./SwapRequest.ts"
import { Fee } from "../money/Fee.ts"
import { Price } from "../money/Price.ts"
import { BoundQuote } from "../quotes/BoundQuote.ts"
import { BlockIndex, EpochMillis } from "../Time.ts"
import { optional } from "../optional.ts"

/** The states of a swap, in order. A refund ends as `completed` (decision 23). */
export const SwapState = Schema.Literals([
  "waiting",
  "receiving",
  "swapping",
  "sending",
  "sent",
  "completed",
  "failed",
])
export type SwapState = typeof SwapState.Type

/** The failure of a deposit or an egress (chainflip/wire.md 3.7). */
export const Failure = Schema.Struct({
  failedAt: EpochMillis,
  failedBlockIndex: BlockIndex,
  /** DEPOSIT_IGNORED, DEPOSIT_REJECTED, GIVEN_UP, SWAP_OUTPUT_TOO_SMALL, REFUND_OUTPUT_TOO_SMALL, SENDING_FAILED. */
  mode: Schema.String,
  reason: Schema.Struct({ code: Schema.String, message: Schema.String }),
})
export type Failure = typeof Failure.Type

/** The time and cause of a failed deposit or egress. */
const failureFields = {
  failure: optional(Failure),
  failedAt: optional(EpochMillis),
  failedBlockIndex: optional(BlockIndex),
}

/** One chunk of a swap; a regular swap has exactly one (chainflip/wire.md 3.7 ChunkInfo). */
export const Chunk = Schema.Struct({
  /** In the source asset. */
  inputAmount: NativeAmount,
  /** In the intermediate asset. */
  intermediateAmount: optional(NativeAmount),
  /** In the destination asset. */
  outputAmount: optional(NativeAmount),
  scheduledAt: EpochMillis,
  scheduledBlockIndex: BlockIndex,
  executedAt: optional(EpochMillis),
  executedBlockIndex: optional(BlockIndex),
  retryCount: Schema.Int,
  latestSwapRescheduledAt: optional(EpochMillis),
  latestSwapRescheduledBlockIndex: optional(BlockIndex),
  latestSwapRescheduledReason: optional(Schema.String),
  abortedAt: optional(EpochMillis),
  abortedBlockIndex: optional(BlockIndex),
  abortedReason: optional(Schema.String),
})
export type Chunk = typeof Chunk.Type

/** How the swap is executed: at once, over time, or not at all (where the deposit was not credited). */
export const Execution = Schema.Union([
  Schema.TaggedStruct("regular", { chunk: Chunk }),
  Schema.TaggedStruct("dca", {
    lastExecutedChunk: optional(Chunk),
    currentChunk: optional(Chunk),
    executedChunks: Schema.Int,
    remainingChunks: Schema.Int,
  }),
])
export type Execution = typeof Execution.Type

/** Totals over all chunks; input in the source asset, output in the destination asset. */
export const SwapProgress = Schema.Struct({
  originalInputAmount: NativeAmount,
  remainingInputAmount: NativeAmount,
  swappedInputAmount: NativeAmount,
  swappedIntermediateAmount: NativeAmount,
  swappedOutputAmount: NativeAmount,
  execution: optional(Execution),
})
export type SwapProgress = typeof SwapProgress.Type

/** The deposit as seen on the source chain; `amount` is gross. */
export const Deposit = Schema.Struct({
  amount: NativeAmount,
  /** True while the upstream says that a deposit came, and not how much: the amount is what was expected. */
  isExpected: optional(Schema.Literal(true)),
  transactionReference: optional(Schema.String),
  /** Further transactions of a deposit that came in several. They are not shown, but each of them finds the swap. */
  otherTransactionReferences: optional(Schema.Array(Schema.String)),
  transactionConfirmations: optional(Schema.Int),
  witnessedAt: optional(EpochMillis),
  witnessedBlockIndex: optional(BlockIndex),
  ...failureFields,
})
export type Deposit = typeof Deposit.Type

/** The call that an aborted EVM broadcast would have made; anyone may still send it (chainflip/wire.md 3.7). */
export const TransactionPayload = Schema.Struct({
  contract: Schema.String,
  value: Schema.String,
  chainId: Schema.Int,
  data: Schema.String,
})

/** A payment out: of the output (destination asset) or of a refund (source asset). */
export const Egress = Schema.Struct({
  amount: NativeAmount,
  /** True where the upstream says that it paid, and not how much: the amount is what it had promised. */
  isPromised: optional(Schema.Literal(true)),
  scheduledAt: optional(EpochMillis),
  scheduledBlockIndex: optional(BlockIndex),
  transactionReference: optional(Schema.String),
  witnessedAt: optional(EpochMillis),
  witnessedBlockIndex: optional(BlockIndex),
  /** Present only on a fallback egress. */
  destinationAddress: optional(Address),
  transactionPayload: optional(TransactionPayload),
  ...failureFields,
})
export type Egress = typeof Egress.Type

/** The outcome of the boost that the user accepted. */
export const Boost = Schema.Struct({
  maximumBoostFeeBps: Bps,
  effectiveBoostFeeBps: optional(Bps),
  boostedAt: optional(EpochMillis),
  boostedBlockIndex: optional(BlockIndex),
  skippedAt: optional(EpochMillis),
  skippedBlockIndex: optional(BlockIndex),
})
export type Boost = typeof Boost.Type

/** The price limit of a swap, and the address to which its deposit is refunded. */
export const FillOrKillParameters = Schema.Struct({
  retryDurationBlocks: Schema.Int,
  refundAddress: Address,
  minimumPrice: Price,
  maximumOraclePriceSlippageBps: optional(Bps),
})
export type FillOrKillParameters = typeof FillOrKillParameters.Type

/** The upstream's own signature of the answer that opened a channel, with what it is of: anybody can verify it. */
export const ProviderSignature = Schema.Struct({
  /** The text that is signed, which names the deposit address. */
  text: Schema.String,
  /** The signature and the public key, as the upstream writes them. */
  signature: Schema.String,
  publicKey: Schema.String,
})
export type ProviderSignature = typeof ProviderSignature.Type

/** The channel as the upstream's record shows it. */
export const ChannelRecord = Schema.Struct({
  id: ChannelId,
  createdAt: EpochMillis,
  brokerCommissionBps: Bps,
  affiliateBrokers: Schema.Array(Affiliate),
  depositAddress: Address,
  sourceChainExpiryBlock: Schema.Int,
  estimatedExpiryTime: EpochMillis,
  isExpired: Schema.Boolean,
  openedThroughBackend: Schema.Boolean,
  /** In the source asset. */
  expectedDepositAmount: optional(NativeAmount),
  /** What the expected deposit was said to come to when the channel was opened, in the destination asset. Not shown. */
  expectedOutputAmount: optional(NativeAmount),
  /** About what the expected deposit comes to by the prices of the hour; nobody promises it. For pages alone. */
  estimatedOutput: optional(NativeAmount),
  /** What is promised of the output, where it is what was asked for. */
  exactOutput: optional(ExactOutput),
  /** The upstream's own name of the channel. It is not shown. */
  reference: optional(Schema.NonEmptyString),
  /** On the record of a further deposit: another swap was opened with the channel, and looks out for deposits. Not shown. */
  isLater: optional(Schema.Literal(true)),
  memo: optional(Schema.NonEmptyString),
  exactAmount: optional(NativeAmount),
  /** The limits of a deposit, as they were when the channel was opened. Shown in the warnings of its payment alone. */
  minimumDeposit: optional(NativeAmount),
  maximumDeposit: optional(NativeAmount),
  /** The channel's page in an explorer, as the caller got it. */
  explorerUrl: optional(Schema.String),
  /** Absent where the upstream signs nothing. */
  providerSignature: optional(ProviderSignature),
})
export type ChannelRecord = typeof ChannelRecord.Type

/** Everything known about a swap in any state (chainflip/wire.md 3.7, 3.9), in native amounts. Stored as JSON. */
export const SwapStatus = Schema.Struct({
  state: SwapState,
  /** The upstream's number of the swap; absent until it has one. */
  swapId: optional(Schema.String),
  sourceAsset: AssetId,
  destinationAsset: AssetId,
  destinationAddress: Address,
  /** Absent on a vault swap. */
  depositChannel: optional(ChannelRecord),
  boost: optional(Boost),
  /** In milliseconds. */
  estimatedDuration: optional(Schema.Finite),
  sourceChainRequiredBlockConfirmations: optional(Schema.Int),
  fees: Schema.Array(Fee),
  brokers: Schema.Array(Schema.Struct({ account: BrokerAccount, commissionBps: Bps })),
  deposit: optional(Deposit),
  swap: optional(SwapProgress),
  swapEgress: optional(Egress),
  refundEgress: optional(Egress),
  fallbackEgress: optional(Egress),
  ccm: optional(CcmPayload),
  fillOrKill: optional(FillOrKillParameters),
  dca: optional(DcaParameters),
  lastStateChainUpdateAt: optional(EpochMillis),
  /** The quote that the swap was opened by; our own knowledge, which no upstream has. Shown as its outcome. */
  quote: optional(BoundQuote),
})
export type SwapStatus = typeof SwapStatus.Type

const isUnderWay = (egress: Egress | undefined): boolean =>
  egress !== undefined && egress.transactionReference === undefined && egress.witnessedAt === undefined &&
  egress.failedAt === undefined && egress.failure === undefined

/** Whether a payment is still under way. A failed swap can have one, such as its refund. */
export const hasPendingEgress = (status: SwapStatus): boolean =>
  isUnderWay(status.swapEgress) || isUnderWay(status.refundEgress) || isUnderWay(status.fallbackEgress)

/** Whether the swap has come to its end: the money has arrived, gone back, or is stuck. */
export const isSettled = (status: SwapStatus): boolean =>
  status.state === "completed" || status.state === "failed"

/** How a swap ended. The first three are `completed` as a state; `failed` paid nothing that is known. */
export const SwapResult = Schema.Literals(["completed", "refunded", "partlyRefunded", "failed"])
export type SwapResult = typeof SwapResult.Type

/** Whether a refund is proved: by its time alone at 1Click, which names no hash (near-intents/wire.md 1). */
export const hasRefunded = ({ refundEgress }: SwapStatus): boolean =>
  refundEgress !== undefined && refundEgress.amount > 0n && refundEgress.failure === undefined &&
  (refundEgress.transactionReference !== undefined || refundEgress.witnessedAt !== undefined)

/** The failure mode of a deposit of which the provider sends back a part at most. */
export const givenUp = "GIVEN_UP"

/**
 * The result of a swap; none while it is open. A failed swap is refunded once its refund is proved, unless the provider
 * keeps the rest. The database has the same rule to list swaps by (`swap_result`, migration 0064).
 */
export const resultOf = (status: SwapStatus): SwapResult | undefined => {
  if (status.state === "failed") {
    return hasRefunded(status) && status.deposit?.failure?.mode !== givenUp ? "refunded" : "failed"
  }
  if (status.state !== "completed") return undefined
  if (status.refundEgress === undefined) return "completed"
  return status.swapEgress === undefined ? "refunded" : "partlyRefunded"
}

/** A reason in letters alone: no address, hash or amount is. */
const wordedReason = /^[A-Za-z][A-Za-z_ ,.:'-]{0,79}$/

/** The upstream's reason why money of a swap did not go where it should; none where it has digits, as addresses have. */
export const reasonOf = (
  { deposit, fallbackEgress, refundEgress, swap, swapEgress }: SwapStatus,
): string | undefined => {
  const execution = swap?.execution
  const chunk = execution?._tag === "regular" ? execution.chunk : execution?.currentChunk
  const codes = [deposit, swapEgress, refundEgress, fallbackEgress].map((part) => part?.failure?.reason.code)
  return [...codes, chunk?.abortedReason].find((reason) => reason !== undefined && wordedReason.test(reason))
}

export const statesOfResult: Readonly<Record<SwapResult, ReadonlyArray<SwapState>>> = {
  completed: ["completed"],
  refunded: ["completed", "failed"],
  partlyRefunded: ["completed"],
  failed: ["failed"],
}

const depositsOf = ({ deposit }: SwapStatus): ReadonlyArray<string> =>
  [deposit?.transactionReference, ...(deposit?.otherTransactionReferences ?? [])]
    .flatMap((reference) => reference === undefined ? [] : [reference.toLowerCase()])

/** Whether two statuses are certainly of one deposit: they name a transaction of it that is the same. */
export const isSameDeposit = (one: SwapStatus, other: SwapStatus): boolean => {
  const others = depositsOf(other)
  return depositsOf(one).some((reference) => others.includes(reference))
}

/** Whether two statuses are certainly of two deposits: each names transactions, and none is the same. */
export const isOtherDeposit = (one: SwapStatus, other: SwapStatus): boolean =>
  depositsOf(one).length > 0 && depositsOf(other).length > 0 && !isSameDeposit(one, other)

/** Whether two statuses of a channel can be of one swap: by its number, or by the deposit while one has no number. */
export const isSameSwap = (one: SwapStatus, other: SwapStatus): boolean =>
  one.swapId !== undefined && other.swapId !== undefined
    ? one.swapId === other.swapId
    : !isOtherDeposit(one, other)

/** What became of the quote that a swap was opened by; in the destination asset. */
export interface QuoteOutcome {
  readonly quoted: NativeAmount
  readonly promised: NativeAmount
  readonly received: NativeAmount
  /** How much more than quoted was received, in hundredths of a percent of it; below 0 where it was less. */
  readonly bps: number
}

/** Whether what arrived is for the whole amount that was quoted for; an output that was asked for is for any deposit. */
const isAsQuoted = ({ deposit, depositChannel, quote, refundEgress }: SwapStatus): boolean =>
  depositChannel?.exactOutput !== undefined ||
  deposit?.amount === quote?.amount && refundEgress === undefined

/** A completed swap's outcome; none where the quote was for another deposit, a part was refunded, or no payout is named. */
export const outcomeOf = (status: SwapStatus): QuoteOutcome | undefined => {
  const { quote, state, swapEgress } = status
  if (state !== "completed" || quote === undefined || !isAsQuoted(status)) return undefined
  if (swapEgress === undefined || swapEgress.isPromised === true || quote.quoted === 0n) return undefined
  const { promised, quoted } = quote
  const { amount: received } = swapEgress
  return { quoted, promised, received, bps: Math.round(Number((received - quoted) * 100_000n / quoted) / 10) }
}

/** Whether nothing is left to wait for. */
export const isOver = (status: SwapStatus): boolean => isSettled(status) && !hasPendingEgress(status)

/** Whether a payment in or out has failed. */
export const hasFailed = ({ failedAt, failure }: Deposit | Egress): boolean =>
  failedAt !== undefined || failure !== undefined
