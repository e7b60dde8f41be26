import type { SwapState, SwapStatus } from "../domain/Swap.ts"
import { isSettled } from "../domain/Swap.ts"

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

/** Whether the channel was used again: it now shows a later swap than the one we know (chainflip.md 3.6). */
const isLaterSwap = (known: SwapStatus, found: SwapStatus): boolean =>
  found.swapId !== undefined &&
  (known.swapId === undefined ? isSettled(known) : isNewer(found.swapId, known.swapId))

/**
 * Whether an answer can follow from what is known. A settled swap keeps its end, and one that has begun does
 * not go back; only a later swap of the same channel starts over. Before a swap has begun, a deposit that was
 * seen can disappear again, because the source chain drops or replaces transactions.
 */
export const follows = (known: SwapStatus, found: SwapStatus): boolean => {
  if (isLaterSwap(known, found)) return true
  if (isSettled(known)) return found.state === known.state && found.swapId === known.swapId
  if (known.swapId === undefined) return true
  return found.swapId === known.swapId && steps[found.state] >= steps[known.state]
}
