import { Schema } from "effect"
import { Address } from "../../domain/Address.ts"
import type { NativeAmount } from "../../domain/Amount.ts"
import type { ChannelRecord, SwapState, SwapStatus } from "../../domain/Swap.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { Amount, IsoTime, maybe, Seconds } from "../upstream/values.ts"
import { upstreamText } from "../upstream/failures.ts"

const Transactions = maybe(Schema.Array(Schema.Struct({ hash: Schema.NonEmptyString })))

/** What has become of the deposit so far; nothing of it before there is one. */
const WireDetails = Schema.Struct({
  amountIn: maybe(Amount),
  amountOut: maybe(Amount),
  originChainTxHashes: Transactions,
  destinationChainTxHashes: Transactions,
  depositedAmount: maybe(Amount),
  refundedAmount: maybe(Amount),
  refundReason: maybe(Schema.String),
  withdrawFee: maybe(Amount),
})
type WireDetails = typeof WireDetails.Type

/** The answer of `GET /v0/status` (near-intents/wire.md 1). */
export const WireStatus = Schema.Struct({
  status: Schema.String,
  updatedAt: IsoTime,
  quoteResponse: Schema.Struct({
    quoteRequest: Schema.Struct({
      originAsset: Schema.String,
      destinationAsset: Schema.String,
      recipient: Address,
      refundTo: Address,
    }),
    quote: Schema.Struct({
      depositAddress: Address,
      amountIn: Amount,
      timeEstimate: maybe(Seconds),
      withdrawFee: maybe(Amount),
      refundFee: maybe(Amount),
    }),
  }),
  swapDetails: maybe(WireDetails),
})
export type WireStatus = typeof WireStatus.Type

/** What the reading of a status depends on besides its body. */
export interface StatusContext {
  /** The last record, which keeps the times at which things were first seen. */
  readonly known: SwapStatus
  readonly depositChannel: ChannelRecord
  /** By the upstream's clock. */
  readonly now: EpochMillis
}

/** What an answer says has happened, in one place and without the ways in which the wire says nothing. */
export interface OrderFacts {
  /** The upstream's word for the state. */
  readonly status: string
  readonly updatedAt: EpochMillis
  /** Whether a deposit was seen, by this answer or an earlier one. */
  readonly hasDeposit: boolean
  /** Gross, in native units of the source asset; the amount that was quoted as long as nothing better is known. */
  readonly depositAmount: NativeAmount
  /** The same, only where the upstream says it. */
  readonly depositedAmount: NativeAmount | undefined
  readonly depositTransaction: string | undefined
  /** Of further transactions, where the deposit came in several. */
  readonly otherDepositTransactions: ReadonlyArray<string>
  /** What went into the swap. */
  readonly amountIn: NativeAmount
  readonly amountOut: NativeAmount | undefined
  readonly payoutTransaction: string | undefined
  readonly refundedAmount: NativeAmount | undefined
  readonly refundReason: string | undefined
  readonly withdrawFee: NativeAmount | undefined
  readonly refundFee: NativeAmount | undefined
  /** Milliseconds from the deposit to the payout. */
  readonly estimate: number | undefined
}

/** Nothing paid is written as null, as nothing and as 0. */
const positive = (amount: NativeAmount | undefined): NativeAmount | undefined =>
  amount === undefined || amount === 0n ? undefined : amount

const noDetails: WireDetails = {}

/** Nobody makes one deposit in more transactions; what more there is only fills our records. */
const mostTransactions = 50

/** The transactions of the deposit: the one that is on record stays the first. */
const depositTransactions = ({ originChainTxHashes = [] }: WireDetails, { deposit }: SwapStatus) => {
  const hashes = [...new Set(originChainTxHashes.map(({ hash }) => hash))].slice(0, mostTransactions)
  const recorded = deposit?.transactionReference
  const first = recorded !== undefined && hashes.includes(recorded) ? recorded : hashes[0] ?? recorded
  return {
    depositTransaction: first,
    otherDepositTransactions: hashes.filter((hash) => hash !== first),
  }
}

/** The facts of an answer (near-intents/wire.md 1, `swapDetails`). */
export const toOrderFacts = (wire: WireStatus, { known }: StatusContext): OrderFacts => {
  const details = wire.swapDetails ?? noDetails
  const { quote } = wire.quoteResponse
  const depositedAmount = positive(details.depositedAmount)
  const transactions = depositTransactions(details, known)
  const amountIn = positive(details.amountIn)
  return {
    status: wire.status,
    updatedAt: wire.updatedAt,
    hasDeposit: depositedAmount !== undefined || transactions.depositTransaction !== undefined ||
      known.deposit !== undefined,
    depositedAmount,
    depositAmount: depositedAmount ?? amountIn ?? known.deposit?.amount ?? quote.amountIn,
    ...transactions,
    amountIn: amountIn ?? depositedAmount ?? known.deposit?.amount ?? quote.amountIn,
    amountOut: positive(details.amountOut),
    payoutTransaction: details.destinationChainTxHashes?.[0]?.hash,
    refundedAmount: positive(details.refundedAmount),
    refundReason: details.refundReason,
    withdrawFee: details.withdrawFee ?? quote.withdrawFee,
    refundFee: positive(quote.refundFee),
    estimate: known.estimatedDuration ?? quote.timeEstimate,
  }
}

/** How far a swap is: what happens to the money next decides which parts of the record there are. */
export interface Stage {
  readonly state: SwapState
  /** `none`: nothing is being swapped yet; `payout` and `refund`: where the money goes; `lost`: it stays. */
  readonly course: "none" | "payout" | "refund" | "lost"
  readonly notices: ReadonlyArray<string>
}

type Read = (order: OrderFacts, context: StatusContext) => Stage

const stage = (state: SwapState, course: Stage["course"], notice?: string): Stage => ({
  state,
  course,
  notices: notice === undefined ? [] : [notice],
})

/** A deposit can be confirmed and still not be taken note of (near-intents/wire.md 2): somebody has to ask. */
const waiting: Read = (order, { now }) => {
  const overdue = order.hasDeposit && order.estimate !== undefined && now > order.updatedAt + order.estimate
  return stage(
    "waiting",
    "none",
    overdue ? "A deposit was seen, but 1Click still waits for it past its own estimate" : undefined,
  )
}

/**
 * An output that is known is on its way out, and sent once it has a transaction. Intents and transactions on
 * NEAR prove neither: there are some from the deposit on.
 */
const processing: Read = ({ payoutTransaction, amountOut }) => {
  if (payoutTransaction !== undefined) return stage("sent", "payout")
  return stage(amountOut === undefined ? "swapping" : "sending", "payout")
}

/** Money has arrived only where an amount and a transaction prove it; a refund is called success, too. */
const success: Read = ({ amountOut, payoutTransaction, refundedAmount }) => {
  if (amountOut !== undefined && payoutTransaction !== undefined) return stage("completed", "payout")
  if (amountOut === undefined && refundedAmount !== undefined) {
    return stage("completed", "refund", "1Click calls a refund SUCCESS; it is kept as a refund")
  }
  return stage(
    "sending",
    "payout",
    "1Click says SUCCESS without an amount and a transaction; not completed yet",
  )
}

const refunded: Read = ({ refundedAmount }) =>
  refundedAmount === undefined
    ? stage("failed", "lost", "1Click says REFUNDED without an amount; kept as failed")
    : stage("completed", "refund")

/** The states of the upstream (near-intents/wire.md 1, decision 23). */
const stages: ReadonlyMap<string, Read> = new Map<string, Read>([
  ["PENDING_DEPOSIT", waiting],
  ["KNOWN_DEPOSIT_TX", () => stage("receiving", "none")],
  ["INCOMPLETE_DEPOSIT", () => stage("receiving", "none")],
  ["PROCESSING", processing],
  ["SUCCESS", success],
  ["REFUNDED", refunded],
  ["FAILED", () => stage("failed", "lost")],
])

/** The stage of an order; none for a state that is not known, with a notice that says so. */
export const readStage = (
  order: OrderFacts,
  context: StatusContext,
): Stage | { readonly unknown: string } => {
  const read = stages.get(order.status)
  return read === undefined
    ? { unknown: `Kept the state ${context.known.state}: ${upstreamText(order.status)} is unknown` }
    : read(order, context)
}
