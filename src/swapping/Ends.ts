import { type Egress, hasPendingEgress, isSettled, type SwapStatus } from "../domain/Swap.ts"

/** Whether a payment is proved: an amount, and the transaction that carried it. */
export const isPaid = (egress: Egress | undefined): boolean =>
  egress !== undefined && egress.amount > 0n && egress.failure === undefined &&
  egress.transactionReference !== undefined

/**
 * Whether the end of a swap is proved: the output, the refund or the fallback was paid, and nothing more is on its
 * way. Not proved are a deposit that never came, however long ago the channel expired, a failure, which upstreams
 * take back or follow by a refund, and a refund that nobody names a transaction of.
 */
export const isProved = (status: SwapStatus): boolean =>
  isSettled(status) && !hasPendingEgress(status) &&
  [status.swapEgress, status.refundEgress, status.fallbackEgress].some(isPaid)

/** Whether the channel takes deposits still, as far as is known. A vault swap has none. */
export const takesDeposits = ({ depositChannel }: SwapStatus): boolean =>
  depositChannel !== undefined && !depositChannel.isExpired

/** Whether an upstream can have something new to say of a swap: always, but of one whose end is proved. */
export const canChange = (status: SwapStatus): boolean => !isProved(status) || takesDeposits(status)
