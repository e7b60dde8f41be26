import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
import { providerTitle } from "#providers/Registry.ts"
import { durationText } from "#domain/durationText.ts"
import { chainFacts, stateChainBlockMillis } from "#domain/chains/Chain.ts"
import type { Language } from "#domain/Language.ts"
import type { Money } from "#domain/money/Money.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { promiseOf } from "#domain/swaps/OutputPromise.ts"
import type { Chunk, Egress, SwapStatus } from "#domain/swaps/Swap.ts"
import type { EpochMillis } from "#domain/Time.ts"
import type { GuidanceFacts } from "./facts.ts"
import { isPaid } from "../swapping/following/Progress.ts"
import { payingMillis, withinClosing } from "./times.ts"

/*
 * The values of texts, in no language: amounts and addresses of the record, exactly as they are, and nothing that an
 * upstream wrote. Only transaction hashes come from upstreams. They are named where they have the form of one.
 */

/** What a text is about. An opening that came to nothing has no status, an unknown transaction no provider either. */
export interface Subject {
  readonly platform?: ProviderName
  readonly status?: SwapStatus
  readonly facts: SubjectFacts
}

/** What texts have to know besides the record; without a time nothing counts as in time. */
type SubjectFacts = Pick<GuidanceFacts, "provider"> & Partial<Pick<GuidanceFacts, "now">>

/** A time, for whoever shows it. */
export interface Moment {
  readonly at: EpochMillis
}

/** A number in decimals, exact, for whoever shows it. */
export interface Figure {
  readonly decimal: string
}

/** What is told of a swap to who pays. */
export type PayerTold = ReturnType<typeof payerTold>

/** What is told of a swap to the integrator and the operator. */
export type TextValues =
  & ReturnType<typeof swapTold>
  & ReturnType<typeof namesTold>
  & { readonly provider: string }

/** Who reads: the operator, in English, or in their language whoever made the swap. Payers have texts of their own (`interfaces/payer/words`). */
export type Reader = Language | "operator"

/** The text where it has the form; text of another form is no address, memo or transaction, and is not named. */
const formed = (text: string | undefined, form: RegExp): string | undefined =>
  text !== undefined && form.test(text) ? text : undefined

/** Addresses of all chains. */
const addressForm = /^[0-9A-Za-z:._-]{1,200}$/

/** Memos are printable, and no longer than any chain takes. */
const memoForm = /^[\x20-\x7e]{1,256}$/

/** References of transactions on all chains: hexadecimal, base58, and `block-index`. */
const transactionForm = /^(?:0x)?[0-9A-Za-z]{20,128}$|^[0-9]{1,12}-[0-9]{1,12}$/

const transactionOf = (payment: Pick<Egress, "transactionReference"> | undefined): string | undefined =>
  formed(payment?.transactionReference, transactionForm)

/** The time that a chunk is tried for. */
const retryTime = (status: SwapStatus) => {
  const minutes = Math.ceil((status.fillOrKill?.retryDurationBlocks ?? 0) * stateChainBlockMillis / 60_000)
  if (minutes >= 120) return { retryNumber: `${Math.ceil(minutes / 60)}`, retryUnit: "hours" as const }
  return { retryNumber: `${minutes}`, retryUnit: minutes === 1 ? "minute" as const : "minutes" as const }
}

const moneyOf = (asset: AssetId, native: bigint | undefined): Money | undefined =>
  native === undefined ? undefined : { asset, native }

const paid = (asset: AssetId, payment: Egress | undefined): Money | undefined =>
  payment === undefined || payment.amount === 0n ? undefined : { asset, native: payment.amount }

/** The chunk that is swapped now, or was last. */
export const chunkOf = ({ swap }: SwapStatus): Chunk | undefined => {
  const execution = swap?.execution
  return execution?._tag === "regular" ? execution.chunk : execution?.currentChunk
}

/** What upstreams call a price that is out of reach (chainflip/wire.md 3.7, near-intents/wire.md 1, relay/wire.md 1). */
const pricedOut: ReadonlySet<string> = new Set([
  "MinPriceViolation",
  "OraclePriceSlippageExceeded",
  "PriceImpactLimit",
  "PRICE_MOVED",
  "SLIPPAGE",
])

/** Whether a swap was given up because its price was out of reach. */
export const isPricedOut = (status: SwapStatus): boolean =>
  pricedOut.has(chunkOf(status)?.abortedReason ?? "")

const minutesOf = (millis: number): string => `${Math.max(1, Math.ceil(millis / 60_000))}`

const chunksOf = (status: SwapStatus) => {
  const execution = status.swap?.execution
  const { executedChunks = 0, remainingChunks = 0 } = execution?._tag === "dca" ? execution : {}
  return { chunksDone: `${executedChunks}`, chunksAll: `${executedChunks + remainingChunks}` }
}

/** Some providers say how many confirmations they need, and never how many there are. */
const confirmationsOf = ({ deposit, sourceChainRequiredBlockConfirmations: required }: SwapStatus) => {
  const seen = deposit?.transactionConfirmations
  return {
    confirmationsSeen: `${seen}`,
    confirmationsNeeded: `${required}`,
    confirmations: seen === undefined
      ? required === undefined ? "unknown" as const : "needed" as const
      : required === undefined
      ? "seen" as const
      : "both" as const,
  }
}

/** Whether the rest of a small deposit can still be sent: anywhere else a second payment is refunded or lost. */
const takesRest = (
  { deposit, depositChannel }: SwapStatus,
  { now, provider: { addsDeposits, takesSwaps } }: SubjectFacts,
): boolean =>
  addsDeposits && takesSwaps && now !== undefined && deposit !== undefined &&
  depositChannel?.minimumDeposit !== undefined && deposit.amount < depositChannel.minimumDeposit &&
  !depositChannel.isExpired && !withinClosing(depositChannel, now)

/** How long payers wait before the page tells them what may have gone wrong, in milliseconds. */
const longAwaited = 600_000

/**
 * What is told of a swap to who pays: amounts, names of assets and chains, and the facts that words depend on. Addresses,
 * the memo and transactions stand on the page below the text, so that no part has them; the provider is in none, so that
 * no text can name it.
 */
export const payerTold = (status: SwapStatus, facts: SubjectFacts) => {
  const { deposit, depositChannel, destinationAsset, fallbackEgress, refundEgress, sourceAsset, swapEgress } =
    status
  const source = (native: bigint | undefined) => moneyOf(sourceAsset, native)
  const expected = depositChannel?.expectedDepositAmount
  const missing = (expected ?? 0n) - (deposit?.amount ?? 0n)
  const minimum = depositChannel?.minimumDeposit
  const expiryTime = depositChannel?.estimatedExpiryTime
  const promise = promiseOf(status)
  const least = promise?.from === "quote" && status.dca === undefined ? promise.least : undefined
  const begun = refundEgress === undefined ? deposit?.witnessedAt : refundEgress.scheduledAt
  const elapsed = Math.floor(((facts.now ?? 0) - (begun ?? Infinity)) / 60_000) * 60_000
  const { blockMillis } = chainFacts(chainOf(sourceAsset))
  const isTooSmall = deposit !== undefined && deposit.isExpected !== true && minimum !== undefined &&
    deposit.amount < minimum
  return {
    lateDeposit: facts.provider.lateDeposit,
    takesRest: takesRest(status, facts),
    isSeen: deposit !== undefined,
    isAwaitedLong: facts.now !== undefined && depositChannel !== undefined &&
      facts.now > depositChannel.createdAt + longAwaited,
    /** Whether the other payment of a swap that failed in one of two was made. */
    isPaidOut: isPaid(swapEgress),
    isPaidBack: isPaid(refundEgress),
    sourceTicker: factsOf(sourceAsset).ticker,
    sourceChain: chainFacts(chainOf(sourceAsset)).title,
    destinationTicker: factsOf(destinationAsset).ticker,
    destinationChain: chainFacts(chainOf(destinationAsset)).title,
    expectedAmount: source(expected),
    exactAmount: { asset: sourceAsset, native: depositChannel?.exactAmount ?? 0n } satisfies Money,
    /** The minimum, where less was sent. */
    minimumAmount: isTooSmall ? source(minimum) : undefined,
    hasTransaction: (swapEgress ?? refundEgress)?.transactionReference !== undefined,
    usualMinutes: status.estimatedDuration === undefined ? undefined : minutesOf(status.estimatedDuration),
    /** How long a refund should take, and a payment until it is seen. */
    payingMinutes: minutesOf(payingMillis(sourceAsset)),
    /** How long a confirmation takes, where it is minutes. */
    blockMinutes: blockMillis < 60_000 ? undefined : minutesOf(blockMillis),
    isPricedOut: isPricedOut(status),
    /** The least that comes out unless all is refunded; of parts some can be. */
    leastAmount: moneyOf(destinationAsset, least),
    /** How long the swap is under way, or its refund. */
    elapsed: elapsed > 0 ? durationText(elapsed) : undefined,
    missingAmount: missing > 0n ? source(missing) : undefined,
    payoutAmount: paid(destinationAsset, swapEgress),
    refundAmount: paid(sourceAsset, refundEgress),
    fallbackAmount: paid(destinationAsset, fallbackEgress),
    swappedAmount: source(status.swap?.swappedInputAmount),
    remainingAmount: source(status.swap?.remainingInputAmount),
    expiryTime: expiryTime === undefined ? undefined : { at: expiryTime } satisfies Moment,
    ...retryTime(status),
    ...chunksOf(status),
  }
}

/** What is told besides to whoever knows the provider. */
const swapTold = (status: SwapStatus, facts: SubjectFacts) => ({
  ...payerTold(status, facts),
  ...confirmationsOf(status),
  depositAmount: status.deposit?.isExpected === true
    ? undefined
    : moneyOf(status.sourceAsset, status.deposit?.amount),
  priceLimit: status.fillOrKill === undefined
    ? undefined
    : { decimal: formatDecimal(status.fillOrKill.minimumPrice) } satisfies Figure,
  hasChannel: status.depositChannel !== undefined,
})

/** Addresses, the memo and transactions, which the operator's pages show beside the sentences. */
const namesTold = ({ depositChannel, ...status }: SwapStatus) => ({
  memoText: formed(depositChannel?.memo, memoForm),
  payTo: formed(depositChannel?.depositAddress, addressForm),
  payOutTo: formed(status.destinationAddress, addressForm),
  refundTo: formed(status.fillOrKill?.refundAddress, addressForm),
  depositReference: transactionOf(status.deposit),
  payoutReference: transactionOf(status.swapEgress),
  refundReference: transactionOf(status.refundEgress),
  fallbackReference: transactionOf(status.fallbackEgress),
})

/** The values of texts about a swap, or about what has no record, of which only the provider is known. */
export const textValues = ({ facts, platform, status }: Subject, reader: Reader) => ({
  ...(status === undefined ? {} : swapTold(status, facts)),
  ...(status === undefined || reader === "operator" ? {} : namesTold(status)),
  ...(platform === undefined ? {} : { provider: providerTitle(platform) }),
})
