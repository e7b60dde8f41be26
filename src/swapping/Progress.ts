import { Equal, Option, Struct } from "effect"
import type { ChangeKind } from "../domain/Journal.ts"
import { type Egress, hasPendingEgress, isSettled, type SwapState, type SwapStatus } from "../domain/Swap.ts"
import type { SwapEventType } from "../domain/SwapEvent.ts"
import { otherTermIn } from "./terms.ts"

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

/**
 * How far a swap has come. `sending` and `sent` are one step: a broadcast can be repeated, so the upstream
 * may go back and forth between them.
 */
const steps: Readonly<Record<SwapState, number>> = {
  waiting: 0,
  receiving: 1,
  swapping: 2,
  sending: 3,
  sent: 3,
  completed: 4,
  failed: 4,
}

const digits = /^[0-9]+$/

/** Upstream numbers rise; what is not a number can only be another swap or the same. */
const isNewer = (found: string, known: string): boolean =>
  digits.test(found) && digits.test(known) ? BigInt(found) > BigInt(known) : found !== known

/** Whether the channel was used again: it now shows a later swap than the one we know (chainflip/wire.md 3.6). */
export const isLaterSwap = (known: SwapStatus, found: SwapStatus): boolean =>
  found.swapId !== undefined &&
  (known.swapId === undefined ? isSettled(known) : isNewer(found.swapId, known.swapId))

/**
 * Whether an upstream takes back that a swap failed: it goes on, or ends otherwise. Upstreams do, and their first
 * word proves nothing, unless a refund was paid. A swap that had begun does not go back to before that.
 */
export const takesBack = (known: SwapStatus, found: SwapStatus): boolean =>
  known.state === "failed" && found.state !== "failed" && !isProved(known) && found.swapId === known.swapId &&
  (known.swapId === undefined || steps[found.state] >= steps.swapping)

/**
 * Whether an answer can follow from what is known. A swap that completed keeps its end, one that failed does while
 * that is not taken back, and one that has begun does not go back; only a later swap of the same channel starts
 * over. Before a swap has begun, a deposit that was seen can disappear again, because the source chain drops or
 * replaces transactions.
 */
const follows = (known: SwapStatus, found: SwapStatus): boolean => {
  if (isLaterSwap(known, found)) return true
  if (isSettled(known)) {
    return (found.state === known.state && found.swapId === known.swapId) || takesBack(known, found)
  }
  if (known.swapId === undefined) return true
  return found.swapId === known.swapId && steps[found.state] >= steps[known.state]
}

const isAmount = (egress: Egress | undefined): egress is Egress =>
  egress !== undefined && egress.amount > 0n && egress.failure === undefined

/** Whether the output is proven: an amount and the transaction that carried it. */
const hasPaid = ({ swapEgress }: SwapStatus): boolean => isPaid(swapEgress)

/**
 * Whether a refund is proven. 1Click names the transactions of no refund (near-intents/wire.md 1), so there it has to
 * be enough that it says when the refund was seen.
 */
export const hasRefunded = ({ refundEgress }: SwapStatus): boolean =>
  isAmount(refundEgress) &&
  (refundEgress.transactionReference !== undefined || refundEgress.witnessedAt !== undefined)

const named = ({ state, swapId }: SwapStatus): string => swapId === undefined ? state : `${state} (${swapId})`

/** Why an answer cannot be true after what is known, in one sentence; nothing where it can. */
export const contradictionIn = (known: SwapStatus, found: SwapStatus): string | undefined => {
  const otherTerm = otherTermIn(known, found)
  if (otherTerm !== undefined) return otherTerm
  if (!follows(known, found)) return `The upstream said ${named(known)} before and says ${named(found)} now`
  return unprovenEnd(found)
}

/** Why an end cannot be told of: money that arrived has an amount and a transaction (near-intents/wire.md 2). */
export const unprovenEnd = (found: SwapStatus): string | undefined =>
  found.state === "completed" && !hasPaid(found) && !hasRefunded(found)
    ? "The upstream says completed without a payment or refund that has an amount and a transaction"
    : undefined

const withoutClock = (status: SwapStatus) => Struct.omit(status, ["lastStateChainUpdateAt"])

/** Whether two statuses tell the same of a swap; when the upstream last looked is no part of that. */
export const tellTheSame = (one: SwapStatus, other: SwapStatus): boolean =>
  Equal.equals(withoutClock(one), withoutClock(other))

const isExpired = ({ depositChannel }: SwapStatus): boolean => depositChannel?.isExpired === true

/** Everything went back: what the contract calls completed (decision 23) has an event of its own. */
const isRefund = (status: SwapStatus): boolean =>
  status.state === "completed" && status.refundEgress !== undefined && status.swapEgress === undefined

const stateEvent = (status: SwapStatus): SwapEventType =>
  isRefund(status) ? "swap.refunded" : `swap.${status.state}`

/** Whether a swap comes into a state: it had another one, or it is another swap of the same channel. */
export const entersState = (known: SwapStatus, found: SwapStatus): boolean =>
  known.state !== found.state || isLaterSwap(known, found)

/** Whether the channel of a swap has expired since. */
const expires = (known: SwapStatus, found: SwapStatus): boolean => !isExpired(known) && isExpired(found)

/** How one status came after another. */
export const kindOfChange = (known: SwapStatus, found: SwapStatus): ChangeKind =>
  expires(known, found) ? "expired" : "changed"

/** A swap that failed can have its deposit sent back later, which its account waits for. */
const goesBack = (known: Option.Option<SwapStatus>, found: SwapStatus): boolean =>
  found.state === "failed" && hasRefunded(found) &&
  !Option.exists(known, (known) => known.state === "failed" && hasRefunded(known))

/** The events that an account is told when one status follows another, or is the first. */
export const eventsBetween = (
  known: Option.Option<SwapStatus>,
  found: SwapStatus,
): ReadonlyArray<SwapEventType> => [
  ...(Option.isNone(known) || entersState(known.value, found) ? [stateEvent(found)] : []),
  ...(goesBack(known, found) ? ["swap.refunded" as const] : []),
  ...(Option.exists(known, (known) => expires(known, found)) ? ["channel.expired" as const] : []),
]
