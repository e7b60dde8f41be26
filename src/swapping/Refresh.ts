import { Duration, Effect } from "effect"
import { currentMillis } from "../platform/currentMillis.ts"
import { warnSparsely } from "../platform/sparseLog.ts"
import type { StoredSwap } from "../store/swaps/SwapsRepo.ts"
import { canChange } from "./Progress.ts"
import type { Lookups } from "./Lookups.ts"

/** How fresh a status is when it is shown. */
export interface RefreshOptions {
  /** A status that is older is looked up again first, if it can still change. */
  readonly statusMaxAge: Duration.Duration
  /** How long a reader waits for a look-up; then the stored status is shown. */
  readonly refreshTimeout: Duration.Duration
}

/** Brings the status of a swap up to date where that is worth it; says whether it may have changed. */
export type Refresh = (stored: StoredSwap) => Effect.Effect<boolean>

/** While look-ups of a swap fail, or the upstream contradicts itself, readers ask no more often. */
const restWhileFailing = 60_000

/**
 * Lets readers see the newest status without asking the upstream more often than needed. That nobody follows a swap
 * any more keeps no reader from asking, unless its end is proved: money can come late.
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
        orElse: () => Effect.as(Effect.logDebug("The upstream takes long; answering what is stored"), true),
      }),
      Effect.catch((error) =>
        Effect.as(warnSparsely("refresh", 1, "The status could not be refreshed", error), true)
      ),
    )
  })
}
