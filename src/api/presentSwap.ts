import { type NativeAmount, toHuman } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { formatChannelId } from "#domain/swaps/Channel.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
import { Guidance } from "#domain/swaps/Guidance.ts"
import { type JournalEntry, JournalNote, type KeptBody } from "#domain/swaps/Journal.ts"
import {
  type Boost,
  type ChannelRecord,
  type Chunk,
  type Deposit,
  type Egress,
  type Execution,
  type FillOrKillParameters,
  outcomeOf,
  resultOf,
  type SwapProgress,
  type SwapStatus,
} from "#domain/swaps/Swap.ts"
import type { SwapRecord } from "#domain/swaps/SwapRecord.ts"
import { awaitsDeposit, paymentOf } from "#domain/swaps/payment/Payment.ts"
import { type PaymentTerms, termsOfSwap } from "#domain/swaps/payment/Payable.ts"
import { type EpochMillis, toIsoDate } from "#domain/Time.ts"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { writerOf } from "./bodyText.ts"
import { presentSwapCommission } from "./commissionFigures.ts"
import type { JournalEntryBody } from "./JournalEntry.ts"
import { presentExactOutput } from "./exactOutput.ts"
import { presentPayment } from "./Payment.ts"
import { noPrices, presentExactDeposit, presentFee, seconds, withValues } from "./shape.ts"
import { SwapRecordBody, type SwapStatusBody } from "./SwapRecord.ts"
import type { PriceAt } from "#domain/money/UsdValue.ts"
import type { Network } from "#domain/chains/Chain.ts"
import { transactionUrl } from "#domain/chains/explorer.ts"
import type { ProviderName } from "#domain/ProviderName.ts"

/*
 * A status in the form of the contract: the domain's members, with every amount also in human units and every time also
 * as a date. Members that need neither are passed on as they are: a new one is added to the domain and the body only.
 */

type Body = typeof SwapStatusBody.Type
type ProgressBody = NonNullable<Body["swap"]>
type Pair = Pick<SwapStatus, "sourceAsset" | "destinationAsset">

/** The asset that every route with two legs passes through (chainflip/wire.md 1.2). */
const intermediateAsset: AssetId = "usdc.eth"

const presentFillOrKill = ({ minimumPrice, ...parameters }: FillOrKillParameters) => ({
  ...parameters,
  minimumPrice: formatDecimal(minimumPrice),
})

const presentTerms = ({ dca, fillOrKill }: SwapStatus) => ({
  ...optionalMembers(dca, (dcaParams) => ({ dcaParams })),
  ...optionalMembers(fillOrKill, (fillOrKill) => ({ fillOrKillParams: presentFillOrKill(fillOrKill) })),
})

const presentChannel = (
  record: ChannelRecord,
  status: SwapStatus,
  priceAt: PriceAt,
): Body["depositChannel"] & object => {
  const { exactAmount, exactOutput, expectedDepositAmount, id, memo, sourceChainExpiryBlock, ...others } =
    record
  const { maximumDeposit: _most, minimumDeposit: _least, reference: _, ...channel } = others
  return {
    ...channel,
    id: formatChannelId(id),
    createdAtDate: toIsoDate(channel.createdAt),
    sourceChainExpiryBlock: `${sourceChainExpiryBlock}`,
    estimatedExpiryDate: toIsoDate(channel.estimatedExpiryTime),
    ...optionalMembers(expectedDepositAmount, (amount) => ({
      expectedDepositAmount: toHuman(status.sourceAsset, amount),
      expectedDepositAmountNative: amount,
    })),
    ...presentExactDeposit(status.sourceAsset, { exactAmount, memo }),
    ...withValues(priceAt(channel.createdAt), (valueOf) =>
      defined({
        expectedDepositValueUsd: valueOf(status.sourceAsset, expectedDepositAmount),
        exactValueUsd: valueOf(status.sourceAsset, exactAmount),
      })),
    ...optionalMembers(
      exactOutput,
      (exactOutput) => ({ exactOutput: presentExactOutput(exactOutput, status) }),
    ),
    ...presentTerms(status),
  }
}

const presentBoost = (boost: Boost): Body["boost"] & object => ({
  ...boost,
  ...optionalMembers(boost.boostedAt, (at) => ({ boostedAtDate: toIsoDate(at) })),
  ...optionalMembers(boost.skippedAt, (at) => ({ skippedAtDate: toIsoDate(at) })),
})

/** The asset of a transfer, and the network that it is on, where that is known. */
interface Moved {
  readonly asset: AssetId
  readonly network: Network | undefined
  readonly priceAt: PriceAt
}

/** When an amount moved: when it was seen, else scheduled, else refused. */
const timeOf = (payment: Partial<Egress> | undefined): EpochMillis | undefined =>
  payment?.witnessedAt ?? payment?.scheduledAt ?? payment?.failedAt ?? payment?.failure?.failedAt

const presentTransfer = (payment: Deposit | Egress, { asset, network, priceAt }: Moved) => ({
  amount: toHuman(asset, payment.amount),
  amountNative: payment.amount,
  ...withValues(priceAt(timeOf(payment)), (valueOf) => defined({ valueUsd: valueOf(asset, payment.amount) })),
  ...defined({ transactionUrl: transactionUrl(asset, network, payment.transactionReference) }),
  ...optionalMembers(payment.witnessedAt, (at) => ({ witnessedAtDate: toIsoDate(at) })),
  ...optionalMembers(payment.failedAt, (at) => ({ failedAtDate: toIsoDate(at) })),
  ...optionalMembers(payment.failure, (failure) => ({
    failure: { ...failure, failedAtDate: toIsoDate(failure.failedAt) },
  })),
})

const presentDeposit = (deposit: Deposit, moved: Moved): Body["deposit"] & object => {
  const { failure: _failure, otherTransactionReferences: _others, ...shown } = deposit
  return { ...shown, ...presentTransfer(deposit, moved) }
}

const presentEgress = (egress: Egress, moved: Moved): Body["swapEgress"] & object => {
  const { failure: _failure, ...shown } = egress
  return {
    ...shown,
    ...presentTransfer(egress, moved),
    ...optionalMembers(egress.scheduledAt, (at) => ({ scheduledAtDate: toIsoDate(at) })),
  }
}

const presentChunk = ({ inputAmount, intermediateAmount, outputAmount, ...chunk }: Chunk, pair: Pair) => ({
  ...chunk,
  inputAmount: toHuman(pair.sourceAsset, inputAmount),
  inputAmountNative: inputAmount,
  ...optionalMembers(intermediateAmount, (amount) => ({
    intermediateAmount: toHuman(intermediateAsset, amount),
    intermediateAmountNative: amount,
  })),
  ...optionalMembers(outputAmount, (amount) => ({
    outputAmount: toHuman(pair.destinationAsset, amount),
    outputAmountNative: amount,
  })),
  scheduledAtDate: toIsoDate(chunk.scheduledAt),
  ...optionalMembers(chunk.executedAt, (at) => ({ executedAtDate: toIsoDate(at) })),
  ...optionalMembers(chunk.latestSwapRescheduledAt, (at) => ({ latestSwapRescheduledAtDate: toIsoDate(at) })),
  ...optionalMembers(chunk.abortedAt, (at) => ({ abortedAtDate: toIsoDate(at) })),
})

const presentExecution = (execution: Execution, pair: Pair): Pick<ProgressBody, "regular" | "dca"> => {
  if (execution._tag === "regular") return { regular: presentChunk(execution.chunk, pair) }
  const { _tag: _, currentChunk, lastExecutedChunk, ...counts } = execution
  return {
    dca: {
      ...counts,
      ...optionalMembers(lastExecutedChunk, (chunk) => ({ lastExecutedChunk: presentChunk(chunk, pair) })),
      ...optionalMembers(currentChunk, (chunk) => ({ currentChunk: presentChunk(chunk, pair) })),
    },
  }
}

/** The totals of a swap, and its execution (chainflip/wire.md 3.9). */
const presentProgress = (progress: SwapProgress, pair: Pair): ProgressBody => ({
  originalInputAmount: toHuman(pair.sourceAsset, progress.originalInputAmount),
  originalInputAmountNative: progress.originalInputAmount,
  remainingInputAmount: toHuman(pair.sourceAsset, progress.remainingInputAmount),
  remainingInputAmountNative: progress.remainingInputAmount,
  swappedInputAmount: toHuman(pair.sourceAsset, progress.swappedInputAmount),
  swappedInputAmountNative: progress.swappedInputAmount,
  swappedIntermediateAmount: toHuman(intermediateAsset, progress.swappedIntermediateAmount),
  swappedIntermediateAmountNative: progress.swappedIntermediateAmount,
  swappedOutputAmount: toHuman(pair.destinationAsset, progress.swappedOutputAmount),
  swappedOutputAmountNative: progress.swappedOutputAmount,
  ...optionalMembers(progress.execution, (execution) => presentExecution(execution, pair)),
})

/** What became of the quote that a swap was opened by, in both forms. */
const presentOutcome = (status: SwapStatus): Pick<Body, "outcome"> => {
  const inHuman = (amount: NativeAmount) => toHuman(status.destinationAsset, amount)
  return optionalMembers(outcomeOf(status), ({ bps, promised, quoted, received }) => ({
    outcome: {
      quoted: inHuman(quoted),
      quotedNative: quoted,
      promised: inHuman(promised),
      promisedNative: promised,
      received: inHuman(received),
      receivedNative: received,
      bps,
    },
  }))
}

/**
 * A status in the form of the contract (decision 23). Of an unknown network there are no links to explorers, and where
 * hours have no prices no values (decision 69).
 */
export const presentStatus = (status: SwapStatus, network: Network | undefined, priceAt = noPrices): Body => {
  const {
    boost,
    ccm,
    dca: _dca,
    quote: _quote,
    depositChannel,
    estimatedDuration,
    fillOrKill: _fillOrKill,
    ...others
  } = status
  const { deposit, fallbackEgress, fees, refundEgress, swap, swapEgress, ...shown } = others
  const { lastStateChainUpdateAt } = shown
  const source = { asset: shown.sourceAsset, network, priceAt }
  const destination = { asset: shown.destinationAsset, network, priceAt }
  return {
    ...shown,
    ...optionalMembers(resultOf(status), (result) => ({ result })),
    ...optionalMembers(depositChannel, (channel) => ({
      depositChannel: presentChannel(channel, status, priceAt),
    })),
    ...optionalMembers(boost, (boost) => ({ boost: presentBoost(boost) })),
    ...optionalMembers(estimatedDuration, (millis) => ({ estimatedDurationSeconds: seconds(millis) })),
    ...withValues(priceAt(timeOf(deposit)), (valueOf) => ({ fees: fees.map(presentFee(valueOf)) })),
    commission: presentSwapCommission(status),
    ...optionalMembers(deposit, (deposit) => ({ deposit: presentDeposit(deposit, source) })),
    ...optionalMembers(swap, (progress) => ({ swap: presentProgress(progress, shown) })),
    ...optionalMembers(swapEgress, (egress) => ({ swapEgress: presentEgress(egress, destination) })),
    ...optionalMembers(refundEgress, (egress) => ({ refundEgress: presentEgress(egress, source) })),
    ...optionalMembers(fallbackEgress, (egress) => ({ fallbackEgress: presentEgress(egress, destination) })),
    ...optionalMembers(ccm, (ccmParams) => ({ ccmParams })),
    ...presentTerms(status),
    ...presentOutcome(status),
    ...optionalMembers(lastStateChainUpdateAt, (at) => ({ lastStateChainUpdateAtDate: toIsoDate(at) })),
  }
}

/** What the form of a record depends on beside the record. */
export interface RecordSetting {
  /** The network that a provider's swaps are on, where it is known. */
  readonly networkOf: (platform: ProviderName) => Network | undefined
  /** The prices that amounts have their values by; none where it is absent. */
  readonly priceAt?: PriceAt
}

/** A swap of the account, as every look-up and the history show it. */
export const presentRecord = (
  { id, platform, status }: SwapRecord,
  { networkOf, priceAt }: RecordSetting,
): SwapRecordBody => ({ id, platform, status: presentStatus(status, networkOf(platform), priceAt) })

/** The time of an answer, and the network that each provider's channels are paid on. */
export interface PaymentSetting extends Pick<PaymentTerms, "isStopped"> {
  readonly networkOf: (platform: ProviderName) => Network
  readonly priceAt?: PriceAt
  readonly now: EpochMillis
}

/** A swap with how to pay it, while it waits for its deposit. */
const presentPayable = (record: SwapRecord, { networkOf, now, ...setting }: PaymentSetting) => {
  const body = presentRecord(record, { networkOf, ...setting })
  const { depositChannel, sourceAsset } = record.status
  const shown = body.status.depositChannel
  if (depositChannel === undefined || shown === undefined || !awaitsDeposit(record.status)) return body
  const payment = presentPayment(
    sourceAsset,
    paymentOf(
      depositChannel,
      { ...setting, ...termsOfSwap(record.status), network: networkOf(record.platform) },
      now,
    ),
  )
  return { ...body, status: { ...body.status, depositChannel: { ...shown, payment } } }
}

const write = writerOf(SwapRecordBody)

/** The JSON text of a swap in streams and messages, which are read later than they are written. */
export const recordJson = (record: SwapRecord, setting: RecordSetting): string =>
  write(presentRecord(record, setting))

/** The JSON text of a swap with how to pay it, of an answer at that time. */
export const payableJson = (record: SwapRecord, setting: PaymentSetting): string =>
  write(presentPayable(record, setting))

/** The JSON text of a list of swaps with how to pay them. */
export const payablesJson = (records: ReadonlyArray<SwapRecord>, setting: PaymentSetting): string =>
  `[${records.map((record) => payableJson(record, setting)).join(",")}]`

const writeGuidance = writerOf(Guidance)

/** The JSON text of a swap with where it stands; the text of the swap was written before. */
export const guidedJson = (record: string, guidance: Guidance): string =>
  `${record.slice(0, -1)},"guidance":${writeGuidance(guidance)}}`

/** The JSON text of a swap with how many there were of its channel. */
export const countedJson = (swap: string, swapCount: number): string =>
  `${swap.slice(0, -1)},"swapCount":${swapCount}}`

const presentBody = ({ length, text }: KeptBody) => ({ upstreamBody: text, upstreamBodyLength: length })

/** An entry of a swap's journal in the form of the contract. */
export const presentEntry = (
  { at, id, note, platform }: JournalEntry,
  guidance: Guidance,
  { networkOf }: RecordSetting,
): JournalEntryBody => ({
  id,
  at,
  atDate: toIsoDate(at),
  ...JournalNote.$match(note, {
    Change: ({ body, detail, kind, status }) => ({
      kind,
      ...optionalMembers(detail, (detail) => ({ detail })),
      status: presentStatus(status, networkOf(platform)),
      ...optionalMembers(body, presentBody),
    }),
    Contradiction: ({ body, detail, status }) => ({
      kind: "contradicted" as const,
      detail,
      status: presentStatus(status, networkOf(platform)),
      ...presentBody(body),
    }),
    Stall: ({ detail }) => ({ kind: "stalled" as const, detail }),
  }),
  guidance,
})
