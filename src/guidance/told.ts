import { formatUnits, type NativeAmount } from "../domain/Amount.ts"
import { type AssetId, factsOf } from "../domain/Asset.ts"
import { formatDecimal } from "../domain/Decimal.ts"
import { stateChainBlockMillis } from "../domain/Chain.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import type { Egress, SwapStatus } from "../domain/Swap.ts"
import type { EpochMillis } from "../domain/Time.ts"
import type { GuidanceFacts } from "./facts.ts"

/*
 * What texts are made of: amounts and addresses of the record, exactly as they are, and nothing that an upstream wrote.
 * Only transactions are an upstream's: they are named where they look like one.
 */

/** The texts of a phase. */
export interface Words {
  readonly text: string
  readonly whatYouCanDo: ReadonlyArray<string>
}

/** What a text is about. An opening that came to nothing has no status, an unknown transaction no provider either. */
export interface Subject {
  readonly platform?: ProviderName
  readonly status?: SwapStatus
  readonly facts: Pick<GuidanceFacts, "provider">
}

/** Writes the texts of a phase. */
export type Wording = (told: Told) => Words

/** The parts of texts about a swap. */
export type Told = ReturnType<typeof tell>

const money = (asset: AssetId, amount: NativeAmount): string =>
  `${formatUnits(asset, amount)} ${factsOf(asset).ticker}`

/** Addresses of all chains; text of another form is no address, and names none in a sentence. */
const addressForm = /^[0-9A-Za-z:._-]{1,200}$/

const addressIn = (address: string | undefined, otherwise: string): string =>
  address !== undefined && addressForm.test(address) ? address : otherwise

/** Memos are printable, and no longer than any chain takes. */
const memoForm = /^[\x20-\x7e]{1,256}$/

/** `2026-07-29 14:04 UTC`; rounded down, so that a deadline is never told too late. */
const utc = (at: EpochMillis): string => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`

/** References of transactions on all chains: hexadecimal, base58, and `block-index`. */
const transactionForm = /^(?:0x)?[0-9A-Za-z]{20,128}$|^[0-9]{1,12}-[0-9]{1,12}$/

const transactionOf = (payment: Pick<Egress, "transactionReference"> | undefined): string => {
  const reference = payment?.transactionReference
  return reference !== undefined && transactionForm.test(reference) ? ` in transaction ${reference}` : ""
}

/** `1 hour`, `15 minutes`: the time that a chunk is tried for. */
const minutesOf = (blocks: number): string => {
  const minutes = Math.ceil(blocks * stateChainBlockMillis / 60_000)
  if (minutes >= 120) return `${Math.ceil(minutes / 60)} hours`
  return minutes === 1 ? "1 minute" : `${minutes} minutes`
}

const paid = (asset: AssetId | undefined, payment: Egress | undefined, otherwise: string): string => {
  if (asset === undefined || payment === undefined || payment.amount === 0n) return otherwise
  return money(asset, payment.amount)
}

const assetName = (asset: AssetId | undefined, otherwise: string): string => {
  if (asset === undefined) return otherwise
  const { chain, ticker } = factsOf(asset)
  return `${ticker} on ${chain}`
}

const dcaOf = (status: SwapStatus | undefined) => {
  const execution = status?.swap?.execution
  const { executedChunks = 0, remainingChunks = 0 } = execution?._tag === "dca" ? execution : {}
  return { done: executedChunks, all: executedChunks + remainingChunks }
}

const progressOf = (status: SwapStatus | undefined) => {
  if (status?.swap === undefined) return { swapped: "a part", remaining: "the rest" }
  return {
    swapped: money(status.sourceAsset, status.swap.swappedInputAmount),
    remaining: money(status.sourceAsset, status.swap.remainingInputAmount),
  }
}

/** The parts of all texts about a swap. */
export const tell = ({ facts, platform, status }: Subject) => {
  const { deposit, depositChannel, fallbackEgress, fillOrKill, refundEgress, swapEgress } = status ?? {}
  const { destinationAsset, sourceAsset } = status ?? {}
  const expected = depositChannel?.expectedDepositAmount
  const source = assetName(sourceAsset, "the source asset")
  const exact = depositChannel?.exactAmount
  const memo = depositChannel?.memo
  return {
    provider: platform ?? "the provider",
    lateDeposit: facts.provider.lateDeposit,
    source,
    sourceChain: sourceAsset === undefined ? "its chain" : factsOf(sourceAsset).chain,
    destination: assetName(destinationAsset, "the destination asset"),
    /** What the payer sends: the amount where one was named, else the asset alone. */
    toSend: sourceAsset === undefined || expected === undefined
      ? source
      : `${money(sourceAsset, expected)} on ${factsOf(sourceAsset).chain}`,
    expected: sourceAsset === undefined || expected === undefined
      ? "what was named"
      : money(sourceAsset, expected),
    exactAmount: sourceAsset === undefined || exact === undefined ? source : money(sourceAsset, exact),
    memo: memo !== undefined && memoForm.test(memo) ? memo : "of the record",
    depositAddress: addressIn(depositChannel?.depositAddress, "the deposit address"),
    expiry: depositChannel === undefined ? "it expires" : utc(depositChannel.estimatedExpiryTime),
    deposit: sourceAsset === undefined || deposit === undefined
      ? "the deposit"
      : `the deposit of ${money(sourceAsset, deposit.amount)}`,
    depositTransaction: transactionOf(deposit),
    confirmations: deposit?.transactionConfirmations ?? 0,
    requiredConfirmations: status?.sourceChainRequiredBlockConfirmations,
    destinationAddress: addressIn(status?.destinationAddress, "the destination address"),
    refundAddress: addressIn(fillOrKill?.refundAddress, "the refund address"),
    minimumPrice: fillOrKill === undefined ? "0" : formatDecimal(fillOrKill.minimumPrice),
    retryFor: minutesOf(fillOrKill?.retryDurationBlocks ?? 0),
    payout: paid(destinationAsset, swapEgress, "the output"),
    payoutTransaction: transactionOf(swapEgress),
    refund: paid(sourceAsset, refundEgress, "the deposit"),
    refundTransaction: transactionOf(refundEgress),
    fallback: paid(destinationAsset, fallbackEgress, "the output"),
    fallbackTransaction: transactionOf(fallbackEgress),
    /** How the next swap begins: nothing is ever sent to an old address, or by an old payload. */
    another: status !== undefined && depositChannel === undefined
      ? "For another swap ask for a new payload: do not send this transaction again."
      : "For another swap open a new channel: do not send to the old address again.",
    chunks: dcaOf(status),
    progress: progressOf(status),
  }
}

/** Begins a sentence. */
export const capital = (sentence: string): string => `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`
