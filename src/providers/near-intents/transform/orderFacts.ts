import type { NativeAmount } from "../../../domain/Amount.ts"
import type { ChannelRecord, SwapStatus } from "../../../domain/Swap.ts"
import type { EpochMillis } from "../../../domain/Time.ts"
import type { WireDetails, WireStatus } from "../wire/status.ts"

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
