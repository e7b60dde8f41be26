import { Data, Effect, Exit, Option, Semaphore } from "effect"
import type { ProviderName } from "../domain/ProviderName.ts"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import { EpochMillis } from "../domain/Time.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import { type NotFoundRepo, Reservation } from "../store/NotFoundRepo.ts"
import type { LookupPace } from "./LookupPolicy.ts"

/** The upstream blocks an address after more than 10 unknown channels a minute (chainflip.md 3.5). */
const perWindow = 5
const windowMillis = 60_000
/** Look-ups that may find nothing, at the same time; with those of the window they stay under the limit. */
const atOnce = 3
/** When there may be room again, where other processes have as many under way as there may be. */
const soonMillis = 1_000

/** No look-up that may find nothing is allowed before this time. */
export class BudgetExhausted extends Data.TaggedError("BudgetExhausted")<{ readonly until: EpochMillis }> {}

/**
 * Keeps the number of look-ups that find nothing below what an upstream tolerates: of all replicas, which may have
 * one address, and of those before a restart.
 */
export interface NotFoundBudget {
  /** Runs a look-up that may find nothing, while there is more budget for it than is reserved for others. */
  readonly spend: <A, E, R>(
    provider: ProviderName,
    lookUp: Effect.Effect<Option.Option<A>, E, R>,
    reserved?: number,
  ) => Effect.Effect<Option.Option<A>, E | BudgetExhausted | StoreUnavailable, R>
}

/** The budget of which the database keeps account. */
export const makeNotFoundBudget = (
  pace: LookupPace,
  repo: NotFoundRepo["Service"],
): NotFoundBudget => {
  const window = windowMillis / pace.timeScale
  const soon = soonMillis / pace.timeScale
  const permits = new Map<ProviderName, Semaphore.Semaphore>()

  /** Those of this process wait for each other; where they do not, it is because of other processes. */
  const permitsOf = (provider: ProviderName): Semaphore.Semaphore => {
    const known = permits.get(provider) ?? Semaphore.makeUnsafe(atOnce)
    permits.set(provider, known)
    return known
  }

  const reserve = Effect.fnUntraced(function* (provider: ProviderName, reserved: number) {
    const now = yield* currentMillis
    const reservation = yield* repo.reserve(provider, now, {
      window,
      most: perWindow - reserved,
      mostWithUnderWay: perWindow + atOnce,
    })
    const exhausted = (until: number) => new BudgetExhausted({ until: EpochMillis.make(Math.ceil(until)) })
    return yield* Reservation.$match(reservation, {
      Reserved: ({ id }) => Effect.succeed(id),
      Spent: ({ since }) => Effect.fail(exhausted(since + window)),
      Busy: () => Effect.fail(exhausted(now + soon)),
    })
  })

  // What was found does not depend on the account of it: a place that is not settled counts until it lapses.
  return {
    spend: (provider, lookUp, reserved = 0) =>
      permitsOf(provider).withPermit(
        Effect.acquireUseRelease(
          reserve(provider, reserved),
          () => lookUp,
          (id, exit) =>
            Effect.catch(
              Exit.isSuccess(exit) && Option.isNone(exit.value)
                ? Effect.flatMap(currentMillis, (now) => repo.spend(id, now))
                : repo.release(id),
              (error) => Effect.logDebug("The place of a look-up could not be settled; it lapses", error),
            ),
        ),
      ),
  }
}
