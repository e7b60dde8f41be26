import { Option, Schema } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import type { DcaParameters } from "#domain/swaps/SwapRequest.ts"
import type { SwapState, SwapStatus } from "#domain/swaps/Swap.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { referenceOn } from "#domain/chains/TransactionReference.ts"
import { isSameAddress } from "../upstream/openedOrder.ts"
import { Amount, Count, maybe } from "../upstream/values.ts"
import { nativeOf } from "./amounts.ts"
import type { MemoTerms } from "./memo.ts"
import { type Family, findAsset } from "./networks.ts"

const WireCoin = Schema.Struct({ asset: Schema.String, amount: Amount })

const WireTx = Schema.Struct({
  id: maybe(Schema.String),
  chain: maybe(Schema.String),
  from_address: maybe(Schema.String),
  to_address: maybe(Schema.String),
  coins: maybe(Schema.Array(WireCoin)),
  memo: maybe(Schema.String),
})
export type WireTx = typeof WireTx.Type

const completed = Schema.Struct({ completed: maybe(Schema.Boolean) })

/** `GET /tx/status/{hash}`. Nodes leave out numbers that are 0, and stages that there are not (thorchain/wire.md 7). */
export const WireStatus = Schema.Struct({
  /** Absent while no node has seen the transaction. */
  tx: maybe(WireTx),
  planned_out_txs: maybe(Schema.Array(Schema.Struct({
    chain: Schema.String,
    to_address: Schema.String,
    coin: WireCoin,
    refund: maybe(Schema.Boolean),
  }))),
  out_txs: maybe(Schema.Array(WireTx)),
  stages: Schema.Struct({
    inbound_observed: maybe(Schema.Unknown),
    inbound_finalised: maybe(completed),
    swap_status: maybe(Schema.Struct({
      pending: maybe(Schema.Boolean),
      streaming: maybe(Schema.Struct({ quantity: maybe(Count), count: maybe(Count) })),
    })),
    swap_finalised: maybe(completed),
    outbound_delay: maybe(completed),
    outbound_signed: maybe(completed),
  }),
})
export type WireStatus = typeof WireStatus.Type

/** Whether an answer has stages of which none is known: it then tells nothing of how far the swap is. */
export const isUnknownStage = ({ stages }: WireStatus): boolean =>
  Object.values(stages).every((stage) => stage === undefined)

/** A payment to the user, planned or made. */
export interface Leg {
  readonly amount: NativeAmount
  /** Of the payment, as its chain writes it; absent while there is none. */
  readonly transaction?: string
}

/** The transaction that a status is about, as far as a payment needs it. */
export interface Inbound {
  readonly sourceAsset: AssetId
  readonly amount: NativeAmount
  readonly sender: string
  readonly terms: MemoTerms
}

export interface Facts extends Inbound {
  /** Where the money goes that is not swapped. */
  readonly refundAddress: string
  readonly payout: Leg | undefined
  readonly refund: Leg | undefined
  /** Chunks tried so far, of a swap in chunks that is under way. */
  readonly chunksTried: number | undefined
  readonly stages: WireStatus["stages"]
}

/** The affiliate's share is written as paid by a transaction of this name. */
const noHash = /^0*$/

interface Payee {
  readonly asset: AssetId
  readonly address: string
  readonly isRefund: boolean
}

const isTo = (family: Family, { address, asset }: Payee, chain: string | undefined, to: string): boolean =>
  chain !== undefined && family.chains.get(chain) === chainOf(asset) &&
  isSameAddress(chainOf(asset), to, address)

const coinIn = (family: Family, { asset }: Payee, coin: typeof WireCoin.Type | undefined) =>
  coin === undefined || findAsset(family, coin.asset) !== asset ? undefined : nativeOf(asset, coin.amount)

const sumOf = (amounts: ReadonlyArray<NativeAmount>): NativeAmount =>
  NativeAmount.make(amounts.reduce((sum, amount) => sum + amount, 0n))

/** The user's part of what goes out, in several transactions where no vault has enough; paid when all are seen. */
const legOf = (family: Family, { out_txs = [], planned_out_txs = [] }: WireStatus, payee: Payee) => {
  const paid = out_txs.flatMap(({ chain, coins = [], id = "", memo = "", to_address = "" }) => {
    const amount = coinIn(family, payee, coins[0])
    return amount !== undefined && !noHash.test(id) && isTo(family, payee, chain, to_address) &&
        memo.startsWith("REFUND") === payee.isRefund
      // Nodes write capitals and no 0x.
      ? [{ amount, transaction: referenceOn(chainOf(payee.asset), id) ?? id }]
      : []
  })
  const planned = planned_out_txs.flatMap(({ chain, coin, refund = false, to_address }) => {
    const amount = coinIn(family, payee, coin)
    return amount !== undefined && isTo(family, payee, chain, to_address) && refund === payee.isRefund
      ? [amount]
      : []
  })
  const [first] = paid
  if (first !== undefined && paid.length >= planned.length) {
    return { amount: sumOf(paid.map(({ amount }) => amount)), transaction: first.transaction }
  }
  return planned.length === 0 ? undefined : { amount: sumOf(planned) }
}

export const toFacts = (family: Family, wire: WireStatus, inbound: Inbound): Facts => {
  const { sender, sourceAsset, terms: { destination, destinationAsset, refundAddress = sender } } = inbound
  return {
    ...inbound,
    refundAddress,
    payout: legOf(family, wire, { asset: destinationAsset, address: destination, isRefund: false }),
    refund: legOf(family, wire, { asset: sourceAsset, address: refundAddress, isRefund: true }),
    chunksTried: wire.stages.swap_status?.streaming?.count,
    stages: wire.stages,
  }
}

export interface Stage {
  readonly state: SwapState
  /** Whether the payment counts, so that the network swaps it or sends it back. */
  readonly isFinalised: boolean
  readonly isSwapped: boolean
}

/** What is swapped and neither planned nor paid for so long will not be paid: the amount did not cover the fee. */
const patience = 10 * 60_000

/** Whether a payment was finalised so long ago that a plan for what goes out would be there. */
const isOverdue = (known: Option.Option<SwapStatus>, now: EpochMillis): boolean =>
  Option.exists(
    known,
    ({ deposit }) => deposit?.witnessedAt !== undefined && now - deposit.witnessedAt > patience,
  )

/** Completed only when every planned payment has a transaction and the network calls all signed and seen. */
export const readStage = (
  { payout, refund, stages }: Facts,
  known: Option.Option<SwapStatus>,
  now: EpochMillis,
): Stage => {
  const isFinalised = stages.inbound_finalised?.completed === true
  if (!isFinalised) return { state: "receiving", isFinalised, isSwapped: false }
  const legs = [payout, refund].filter((leg) => leg !== undefined)
  const isPending = stages.swap_status?.pending === true ||
    (stages.swap_finalised?.completed === false && legs.length === 0)
  if (isPending) return { state: "swapping", isFinalised, isSwapped: false }
  if (legs.length === 0) {
    return { state: isOverdue(known, now) ? "failed" : "swapping", isFinalised, isSwapped: false }
  }
  const arePaid = legs.every(({ transaction }) => transaction !== undefined)
  if (!arePaid) return { state: "sending", isFinalised, isSwapped: true }
  const isSeen = stages.outbound_signed?.completed === true
  return { state: isSeen ? "completed" : "sent", isFinalised, isSwapped: true }
}

export const chunkCounts = (
  { numberOfChunks }: DcaParameters,
  { chunksTried }: Facts,
  { isSwapped }: Stage,
) => {
  const executedChunks = isSwapped ? numberOfChunks : Math.min(chunksTried ?? 0, numberOfChunks)
  return { executedChunks, remainingChunks: numberOfChunks - executedChunks }
}
