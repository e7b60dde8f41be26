import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
import { counted, grouped } from "#domain/figures.ts"
import { providerTitle } from "#providers/Registry.ts"
import { chainFacts, stateChainBlockMillis } from "#domain/chains/Chain.ts"
import { formatUnits } from "#domain/money/Amount.ts"
import type { Price } from "#domain/money/Price.ts"
import type { Money } from "#domain/money/Money.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { Egress, SwapStatus } from "#domain/swaps/Swap.ts"
import { EpochMillis } from "#domain/Time.ts"
import type { GuidanceFacts } from "./facts.ts"
import { isPaid } from "../swapping/following/Progress.ts"
import { withinClosing } from "./times.ts"

/*
 * The values of texts: amounts and addresses of the record, exactly as they are, and nothing that an upstream wrote.
 * Only transaction hashes come from upstreams. They are named where they have the form of one.
 */

/** What a text is about. An opening that came to nothing has no status, an unknown transaction no provider either. */
export interface Subject {
  readonly platform?: ProviderName
  readonly status?: SwapStatus
  readonly facts: SubjectFacts
}

/** What texts have to know besides the record; without a time nothing counts as in time. */
type SubjectFacts = Pick<GuidanceFacts, "provider"> & Partial<Pick<GuidanceFacts, "now">>

/** The parts of texts about a swap, for the integrator and the operator. */
export type TextValues = ReturnType<typeof integratorParts>

/** A time, for whoever shows it. */
export interface Moment {
  readonly at: EpochMillis
}

/** What is told of a swap to who pays. */
export type PayerTold = ReturnType<typeof payerTold>

/** `16,180.25 USDC`: exact. */
const money = (asset: AssetId, native: bigint): string =>
  `${grouped(formatUnits(asset, native))} ${factsOf(asset).ticker}`

/** `18.6 ETH per BTC`. */
const priceText = ({ destinationAsset, sourceAsset }: SwapStatus, price: Price): string =>
  `${grouped(formatDecimal(price))} ${factsOf(destinationAsset).ticker} per ${factsOf(sourceAsset).ticker}`

/** Addresses of all chains; text of another form is no address, and names none in a sentence. */
const addressForm = /^[0-9A-Za-z:._-]{1,200}$/

const addressIn = (address: string | undefined, otherwise: string): string =>
  address !== undefined && addressForm.test(address) ? address : otherwise

/** Memos are printable, and no longer than any chain takes. */
const memoForm = /^[\x20-\x7e]{1,256}$/

/** `2026-07-29 14:04 UTC`; rounded down, so no deadline is shown too late. */
const utc = (at: EpochMillis): string => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`

/** References of transactions on all chains: hexadecimal, base58, and `block-index`. */
const transactionForm = /^(?:0x)?[0-9A-Za-z]{20,128}$|^[0-9]{1,12}-[0-9]{1,12}$/

const transactionOf = (payment: Pick<Egress, "transactionReference"> | undefined): string => {
  const reference = payment?.transactionReference
  return reference !== undefined && transactionForm.test(reference) ? ` in transaction ${reference}` : ""
}

/** The time that a chunk is tried for. */
const retryTime = (status: SwapStatus | undefined) => {
  const minutes = Math.ceil((status?.fillOrKill?.retryDurationBlocks ?? 0) * stateChainBlockMillis / 60_000)
  if (minutes >= 120) return { duration: Math.ceil(minutes / 60), unit: "hours" as const }
  return { duration: minutes, unit: minutes === 1 ? "minute" as const : "minutes" as const }
}

/** `2 hours`, `15 minutes`. */
const retryText = (status: SwapStatus | undefined): string => {
  const { duration, unit } = retryTime(status)
  return counted(duration, unit === "hours" ? "hour" : "minute")
}

const hasAmount = (payment: Egress | undefined): boolean => payment !== undefined && payment.amount !== 0n

const paid = (asset: AssetId | undefined, payment: Egress | undefined, otherwise: string): string => {
  if (asset === undefined || payment === undefined || !hasAmount(payment)) return otherwise
  return money(asset, payment.amount)
}

const assetName = (asset: AssetId | undefined, otherwise: string): string => {
  if (asset === undefined) return otherwise
  return `${factsOf(asset).ticker} on ${chainFacts(chainOf(asset)).title}`
}

const chunksOf = (status: SwapStatus | undefined) => {
  const execution = status?.swap?.execution
  const { executedChunks = 0, remainingChunks = 0 } = execution?._tag === "dca" ? execution : {}
  return { chunksDone: `${executedChunks}`, chunksAll: `${executedChunks + remainingChunks}` }
}

const progressOf = (status: SwapStatus | undefined) => {
  if (status?.swap === undefined) return { swapped: "a part", remaining: "the rest" }
  return {
    swapped: money(status.sourceAsset, status.swap.swappedInputAmount),
    remaining: money(status.sourceAsset, status.swap.remainingInputAmount),
  }
}

/** Some providers say how many confirmations they need, and never how many there are. */
const confirmedOf = (status: SwapStatus | undefined): string => {
  const seen = status?.deposit?.transactionConfirmations
  const required = status?.sourceChainRequiredBlockConfirmations
  if (seen === undefined) return required === undefined ? "unknown" : `${required} needed`
  return required === undefined ? `${seen} so far` : `${seen} of ${required}`
}

/** Whether the rest of a small deposit can still be sent: anywhere else a second payment is refunded or lost. */
const takesRest = (
  { deposit, depositChannel }: SwapStatus,
  { now, provider: { addsDeposits, takesSwaps } }: SubjectFacts,
): boolean =>
  addsDeposits && takesSwaps && now !== undefined && deposit !== undefined &&
  depositChannel?.minimumDeposit !== undefined && deposit.amount < depositChannel.minimumDeposit &&
  !depositChannel.isExpired && !withinClosing(depositChannel, now)

export const integratorParts = ({ facts, platform, status }: Subject) => {
  const { deposit, depositChannel, fallbackEgress, fillOrKill, refundEgress, swapEgress } = status ?? {}
  const { destinationAsset, sourceAsset } = status ?? {}
  const expected = depositChannel?.expectedDepositAmount
  const exact = depositChannel?.exactAmount
  const memo = depositChannel?.memo
  const source = assetName(sourceAsset, "the source asset")
  const sourceChain = sourceAsset === undefined ? "its chain" : chainFacts(chainOf(sourceAsset)).title
  return {
    lateDeposit: facts.provider.lateDeposit,
    source,
    sourceChain,
    destination: assetName(destinationAsset, "the destination asset"),
    expected: sourceAsset === undefined || expected === undefined
      ? "what was named"
      : money(sourceAsset, expected),
    exactAmount: sourceAsset === undefined || exact === undefined ? source : money(sourceAsset, exact),
    expiry: depositChannel === undefined ? "it expires" : utc(depositChannel.estimatedExpiryTime),
    takesRest: status !== undefined && takesRest(status, facts),
    confirmed: confirmedOf(status),
    retryFor: retryText(status),
    ...chunksOf(status),
    ...progressOf(status),
    provider: platform === undefined ? "the provider" : providerTitle(platform),
    /** What the payer sends: the amount where one was named, else the asset alone. */
    toSend: sourceAsset === undefined || expected === undefined
      ? source
      : `${money(sourceAsset, expected)} on ${sourceChain}`,
    memo: memo !== undefined && memoForm.test(memo) ? memo : "of the record",
    depositAddress: addressIn(depositChannel?.depositAddress, "the deposit address"),
    deposit: sourceAsset === undefined || deposit === undefined || deposit.isExpected === true
      ? "the deposit"
      : `the deposit of ${money(sourceAsset, deposit.amount)}`,
    depositTransaction: transactionOf(deposit),
    destinationAddress: addressIn(status?.destinationAddress, "the destination address"),
    refundAddress: addressIn(fillOrKill?.refundAddress, "the refund address"),
    minimumPrice: status === undefined || fillOrKill === undefined
      ? "0"
      : priceText(status, fillOrKill.minimumPrice),
    payout: paid(destinationAsset, swapEgress, "the output"),
    payoutTransaction: transactionOf(swapEgress),
    refund: paid(sourceAsset, refundEgress, "the deposit"),
    refundTransaction: transactionOf(refundEgress),
    /** Whether the other payment of a swap that failed in one of two was made. */
    isPaidOut: isPaid(swapEgress),
    isPaidBack: isPaid(refundEgress),
    isRefundKnown: hasAmount(refundEgress),
    fallback: paid(destinationAsset, fallbackEgress, "the output"),
    fallbackTransaction: transactionOf(fallbackEgress),
    hasChannel: status === undefined || depositChannel !== undefined,
  }
}

/** The same for the operator, whose pages show addresses, memos and transactions beside the sentences. */
export const operatorParts = (subject: Subject): TextValues => ({
  ...integratorParts(subject),
  memo: "of the record",
  depositAddress: "the deposit address",
  depositTransaction: "",
  destinationAddress: "the destination address",
  payoutTransaction: "",
  refundAddress: "the refund address",
  refundTransaction: "",
  fallbackTransaction: "",
})

/** How long payers wait before the page tells them what may have gone wrong, in milliseconds. */
const longAwaited = 600_000

/**
 * What is told of a swap to who pays, in no language: amounts, names of assets and chains, and the facts that words
 * depend on. Addresses, the memo and transactions stand on the page below the text, so that no part has them; the
 * provider is in none, so that no text can name it.
 */
export const payerTold = (status: SwapStatus, facts: SubjectFacts) => {
  const { deposit, depositChannel, destinationAsset, fallbackEgress, refundEgress, sourceAsset, swapEgress } =
    status
  const source = (native: bigint | undefined): Money => ({ asset: sourceAsset, native: native ?? 0n })
  const output = (egress: Egress | undefined): Money => ({
    asset: destinationAsset,
    native: egress?.amount ?? 0n,
  })
  const { duration, unit } = retryTime(status)
  const expected = depositChannel?.expectedDepositAmount
  const missing = (expected ?? 0n) - (deposit?.amount ?? 0n)
  const minimum = depositChannel?.minimumDeposit
  return {
    lateDeposit: facts.provider.lateDeposit,
    takesRest: takesRest(status, facts),
    isSeen: deposit !== undefined,
    isAwaitedLong: facts.now !== undefined && depositChannel !== undefined &&
      facts.now > depositChannel.createdAt + longAwaited,
    isPaidOut: isPaid(swapEgress),
    isPaidBack: isPaid(refundEgress),
    sourceTicker: factsOf(sourceAsset).ticker,
    sourceChain: chainFacts(chainOf(sourceAsset)).title,
    destinationTicker: factsOf(destinationAsset).ticker,
    destinationChain: chainFacts(chainOf(destinationAsset)).title,
    isExpectedKnown: expected !== undefined,
    expectedAmount: source(expected),
    exactAmount: source(depositChannel?.exactAmount),
    isMinimumKnown: deposit !== undefined && deposit.isExpected !== true && minimum !== undefined &&
      deposit.amount < minimum,
    sentAmount: source(deposit?.amount),
    minimumAmount: source(minimum),
    hasTransaction: (swapEgress ?? refundEgress)?.transactionReference !== undefined,
    isUsualKnown: status.estimatedDuration !== undefined,
    usualMinutes: `${Math.max(1, Math.ceil((status.estimatedDuration ?? 0) / 60_000))}`,
    isMissingKnown: missing > 0n,
    missingAmount: source(missing),
    isPayoutKnown: hasAmount(swapEgress),
    payoutAmount: output(swapEgress),
    isRefundKnown: hasAmount(refundEgress),
    refundAmount: source(refundEgress?.amount),
    isFallbackKnown: hasAmount(fallbackEgress),
    fallbackAmount: output(fallbackEgress),
    isProgressKnown: status.swap !== undefined,
    swappedAmount: source(status.swap?.swappedInputAmount),
    remainingAmount: source(status.swap?.remainingInputAmount),
    expiry: { at: depositChannel?.estimatedExpiryTime ?? EpochMillis.make(0) } satisfies Moment,
    retryUnit: unit,
    retryNumber: `${duration}`,
    ...chunksOf(status),
  }
}
