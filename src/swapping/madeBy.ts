import { chainOf } from "../domain/Asset.ts"
import { chainFacts } from "../domain/Chain.ts"
import type { SwapStatus } from "../domain/Swap.ts"
import { EpochMillis } from "../domain/Time.ts"

/** When the upstream had seen enough of the deposit, by its own clock; absent while it has not. */
const seenAt = ({ deposit }: SwapStatus): EpochMillis | undefined =>
  deposit?.witnessedAt ?? deposit?.failedAt ?? deposit?.failure?.failedAt

/** How long the blocks took at least that came after the one with the deposit. A boost waits for none of them. */
const confirming = ({ boost, sourceAsset, sourceChainRequiredBlockConfirmations }: SwapStatus): number =>
  boost?.boostedAt !== undefined ? 0 : Math.max(0, (sourceChainRequiredBlockConfirmations ?? 1) - 1) *
    chainFacts[chainOf(sourceAsset)].leastBlockMillis

/** An upstream that keeps up is behind by some blocks at the most; in milliseconds. */
const longestAgo = 600_000

/** Whose time a record tells. */
export interface RecordedTime {
  /** A simulated world may live in another year than we do. */
  readonly simulatedTime: boolean
}

/**
 * When the transaction of a vault swap was made at the latest, by our clock, as its record tells that was asked for
 * at a time: when its deposit was seen, less what the confirmations took. Nothing is taken off for a chain whose
 * blocks come by chance, as that would disown who sends soon after asking for a payload. A record without a time is
 * of a deposit that is just being seen.
 *
 * The upstream's clock may be another than ours. How old the deposit was when the record was written says the same by
 * both, so the later of the two times counts, but no time long after the deposit was seen: a record that grows old
 * would let everybody in who copies the transaction meanwhile. Of a simulated world, an old record says nothing of our
 * time.
 */
export const madeBy = (
  status: SwapStatus,
  askedAt: EpochMillis,
  { simulatedTime }: RecordedTime,
): EpochMillis => {
  const seen = seenAt(status)
  if (seen === undefined) return askedAt
  const { lastStateChainUpdateAt: written } = status
  if (simulatedTime && written !== undefined && askedAt - written > longestAgo) return askedAt
  const byOurClock = written === undefined ? seen : Math.max(seen, askedAt - Math.max(0, written - seen))
  const latest = simulatedTime ? askedAt : Math.min(askedAt, seen + longestAgo)
  return EpochMillis.make(Math.max(0, Math.min(latest, byOurClock - confirming(status))))
}
