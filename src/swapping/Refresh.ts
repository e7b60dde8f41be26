import { Duration, Effect } from "effect"
import { currentMillis } from "../platform/currentMillis.ts"
import { warnSparsely } from "../platform/sparseLog.ts"
import type { StoredSwap } from "../store/swaps/SwapsRepo.ts"
import { canChange } from "./Progress.ts"
import type { Lookups } from "./Lookups.ts"

/** Options of how fresh a shown status is. */
export interface RefreshOptions {
  /** The age from which a status is looked up again first, if it can still change. */
  readonly statusMaxAge: Duration.Duration
  /** How long a reader waits for a look-up; then the stored status is shown. */
  readonly refreshTimeout: Duration.Duration
}

/** Updates the status of a swap where that is worthwhile; returns whether it may have changed. */
export type Refresh = (stored: StoredSwap) => Effect.Effect<boolean>

/** The interval of look-ups for readers while look-ups of a swap fail or the upstream contradicts itself. */
const restWhileFailing = 60_000

/**
 * Shows readers the newest status without asking the upstream more often than needed. A swap that is no longer followed
 * is still looked up for readers, unless its end is proved: money can come late.
 */
export const makeRefresh = (
  lookups: Lookups["Service"],
  options: RefreshOptions,
): Refresh => {
  const maxAge = Duration.toMillis(options.statusMaxAge)

  return Effect.fnUntraced(function* (stored: StoredSwap) {
    if (!stored.followed && !canChange(stored.record.status)) return false
    const now = yield* currentMillis
    if (now - stored.lookedUpAt < maxAge) return false
    if (stored.lookupFailures > 0 && now - stored.askedAt < restWhileFailing) return false
    return yield* lookups.refresh(stored.record).pipe(
      Effect.timeoutOrElse({
        duration: options.refreshTimeout,
        orElse: () => Effect.as(Effect.logDebug("The upstream is slow; answering as stored"), true),
      }),
      Effect.catch((error) =>
        Effect.as(warnSparsely("refresh", 1, "The status could not be refreshed", error), true)
      ),
    )
  })
}
