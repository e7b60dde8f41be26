import { Duration, Effect } from "effect"
import { currentMillis } from "../platform/currentMillis.ts"
import type { StoredSwap } from "../store/SwapsRepo.ts"
import type { Lookups } from "./Lookups.ts"

/** How fresh a status is when it is shown. */
export interface RefreshOptions {
  /** A status that is older is looked up again first, if it can still change. */
  readonly statusMaxAge: Duration.Duration
  /** How long a reader waits for that; then the stored status is shown. */
  readonly refreshTimeout: Duration.Duration
}

/** Brings the status of a swap up to date where that is worth it; says whether it may have changed. */
export type Refresh = (stored: StoredSwap) => Effect.Effect<boolean>

/**
 * Lets readers see the newest status without asking the upstream more often than needed: while look-ups fail only
 * the tracker asks.
 */
export const makeRefresh = (
  lookups: Lookups["Service"],
  options: RefreshOptions,
): Refresh => {
  const maxAge = Duration.toMillis(options.statusMaxAge)

  return Effect.fnUntraced(function* (stored: StoredSwap) {
    const age = (yield* currentMillis) - stored.lookedUpAt
    if (!stored.followed || stored.lookupFailures > 0 || age < maxAge) return false
    yield* lookups.refresh(stored.record).pipe(
      Effect.timeoutOrElse({
        duration: options.refreshTimeout,
        orElse: () => Effect.logDebug("The upstream takes long; answering what is stored"),
      }),
      Effect.catch((error) => Effect.logWarning("The status could not be refreshed", error)),
    )
    return true
  })
}
