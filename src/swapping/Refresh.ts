import { Duration, Effect, Option, type Scope } from "effect"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import type { SwapRecordId } from "../domain/SwapRecord.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import type { StoredSwap } from "../store/SwapsRepo.ts"
import { makeCoalesce } from "./coalesce.ts"
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
 * Lets readers see the newest status without asking the upstream more often than needed: concurrent readers
 * of a swap share one look-up, and while look-ups fail only the tracker asks.
 */
export const makeRefresh = (
  lookups: Lookups["Service"],
  options: RefreshOptions,
): Effect.Effect<Refresh, never, Scope.Scope> =>
  Effect.gen(function* () {
    const coalesce = yield* makeCoalesce<SwapRecordId, void, StoreUnavailable>()
    const maxAge = Duration.toMillis(options.statusMaxAge)

    const lookUp = Effect.fnUntraced(function* (id: SwapRecordId) {
      const lookup = yield* lookups.begin(id)
      if (Option.isSome(lookup)) yield* lookups.run(lookup.value)
    })

    return Effect.fnUntraced(function* (stored: StoredSwap) {
      const age = (yield* currentMillis) - stored.lookedUpAt
      if (!stored.followed || stored.lookupFailures > 0 || age < maxAge) return false
      yield* coalesce(stored.record.id, lookUp(stored.record.id)).pipe(
        Effect.timeoutOrElse({
          duration: options.refreshTimeout,
          orElse: () => Effect.logDebug("The upstream takes long; answering what is stored"),
        }),
        Effect.catch((error) => Effect.logWarning("The status could not be refreshed", error)),
      )
      return true
    })
  })
