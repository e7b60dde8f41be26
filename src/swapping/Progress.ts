import { Equal, Struct } from "effect"
import { otherTermIn } from "./terms.ts"
import { type Egress, isSettled, type SwapState, type SwapStatus } from "../domain/Swap.ts"
import { isPaid, isProved } from "./Ends.ts"

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
