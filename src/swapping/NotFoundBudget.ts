import { Data, Duration, Effect, Exit, Option, Semaphore } from "effect"
import type { AccountId } from "../domain/Account.ts"
import { makeBulkhead, OnBehalfOf } from "../platform/Bulkhead.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import { EpochMillis } from "../domain/Time.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import { type NotFoundRepo, Reservation } from "../store/swaps/NotFoundRepo.ts"
import type { LookupPace } from "./LookupPolicy.ts"

/** An upstream may block an address after more than 10 unknown channels a minute. */
const perWindow = 5
const windowMillis = 60_000
/** Look-ups for accounts leave so many to the swaps that are followed. */
const reservedForSwaps = 2
/** Of what is left an account has so many, and others the rest. */
const perAccount = 2
/** Look-ups that may find nothing, at the same time; with those of the window they stay under the limit. */
const atOnce = 3
/** Of those, in this process. Accounts wait for each other, and never the service for them. */
const atOnceOfService = 2
const atOnceOfAccounts = 2
/** As many channels as are asked for together, so that none of an account is left to the service for want of a turn. */
const turns = { share: 1 / atOnceOfAccounts, wait: Duration.seconds(1), line: 16 }
/** When there may be room again, where other processes have as many under way as there may be. */
const soonMillis = 1_000
/** Accounts that are remembered as having spent theirs. */
const mostRemembered = 10_000

/** No look-up that may find nothing is allowed before this time. */
export class BudgetExhausted extends Data.TaggedError("BudgetExhausted")<{ readonly until: EpochMillis }> {}

/**
 * Keeps the number of look-ups that find nothing below what an upstream tolerates: of all replicas, which may have
 * one address, and of those before a restart. No account can spend all of it.
 */
export interface NotFoundBudget {
  /**
   * Runs a look-up that may find nothing, for the account at hand or for the service itself, while there is budget
   * for it. One that is refused costs nothing.
   */
  readonly spend: <A, E, R>(
    provider: ProviderName,
    lookUp: Effect.Effect<Option.Option<A>, E, R>,
  ) => Effect.Effect<Option.Option<A>, E | BudgetExhausted | StoreUnavailable, R>
  /** Whether the account at hand is known to have spent its share for now. Asks nobody. */
  readonly isSpent: (provider: ProviderName) => Effect.Effect<boolean>
}

/** The budget of which the database keeps account. */
export const makeNotFoundBudget = (
  pace: LookupPace,
  repo: NotFoundRepo["Service"],
): NotFoundBudget => {
  const window = windowMillis / pace.timeScale
  const soon = soonMillis / pace.timeScale
  const limits = { window, most: perWindow, mostWithUnderWay: perWindow + atOnce, mostOfAccount: perWindow }
  const limitsOfAccount = { ...limits, most: perWindow - reservedForSwaps, mostOfAccount: perAccount }

  const begin = () => ({
    service: Semaphore.makeUnsafe(atOnceOfService),
    accounts: makeBulkhead(atOnceOfAccounts, turns),
    /** Until when the database need not be asked. */
    spentUntil: new Map<AccountId, number>(),
  })
  const perProvider = new Map<ProviderName, ReturnType<typeof begin>>()
  const of = (provider: ProviderName) => {
    const known = perProvider.get(provider) ?? begin()
    perProvider.set(provider, known)
    return known
  }

  const exhausted = (until: number) => new BudgetExhausted({ until: EpochMillis.make(Math.ceil(until)) })

  const remember = (provider: ProviderName, account: AccountId, until: number): void => {
    const { spentUntil } = of(provider)
    if (spentUntil.size >= mostRemembered) spentUntil.clear()
    spentUntil.set(account, until)
  }

  const spentUntil = (provider: ProviderName, account: AccountId) =>
    Effect.map(currentMillis, (now) => {
      const until = of(provider).spentUntil.get(account) ?? now
      // A clock that was set back must not refuse for longer than a window.
      return until > now && until <= now + window ? Option.some(until) : Option.none()
    })

  const reserve = Effect.fnUntraced(function* (provider: ProviderName, account: AccountId | undefined) {
    const now = yield* currentMillis
    const reservation = yield* repo.reserve(
      provider,
      account,
      now,
      account === undefined ? limits : limitsOfAccount,
    )
    return yield* Reservation.$match(reservation, {
      Reserved: ({ id }) => Effect.succeed(id),
      Spent: ({ since }) => {
        if (account !== undefined) remember(provider, account, since + window)
        return Effect.fail(exhausted(since + window))
      },
      Busy: () => Effect.fail(exhausted(now + soon)),
    })
  })

  // What was found does not depend on the account of it: a place that is not settled counts until it lapses.
  const reserved = <A, E, R>(
    provider: ProviderName,
    account: AccountId | undefined,
    lookUp: Effect.Effect<Option.Option<A>, E, R>,
  ) =>
    Effect.acquireUseRelease(
      reserve(provider, account),
      () => lookUp,
      (id, exit) =>
        Effect.catch(
          Exit.isSuccess(exit) && Option.isNone(exit.value)
            ? Effect.flatMap(currentMillis, (now) => repo.spend(id, now))
            : repo.release(id),
          (error) => Effect.logDebug("The place of a look-up could not be settled; it lapses", error),
        ),
    )

  const spendForAccount = Effect.fnUntraced(function* <A, E, R>(
    provider: ProviderName,
    account: AccountId,
    lookUp: Effect.Effect<Option.Option<A>, E, R>,
  ) {
    const refuseSpent = Effect.flatMap(
      spentUntil(provider, account),
      Option.match({
        onNone: () => Effect.void,
        onSome: (until) => Effect.fail(exhausted(until)),
      }),
    )
    yield* refuseSpent
    const found = yield* of(provider).accounts.within(
      Effect.andThen(refuseSpent, reserved(provider, account, lookUp)),
    )
    return Option.isSome(found) ? found.value : yield* exhausted((yield* currentMillis) + soon)
  })

  return {
    isSpent: (provider) =>
      Effect.flatMap(
        OnBehalfOf,
        (account) =>
          account === undefined
            ? Effect.succeed(false)
            : Effect.map(spentUntil(provider, account), Option.isSome),
      ),
    spend: (provider, lookUp) =>
      Effect.flatMap(
        OnBehalfOf,
        (account) =>
          account === undefined
            ? of(provider).service.withPermit(reserved(provider, account, lookUp))
            : spendForAccount(provider, account, lookUp),
      ),
  }
}
