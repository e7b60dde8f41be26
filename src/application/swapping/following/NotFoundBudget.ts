import { Data, Duration, Effect, Exit, Option, Result, Semaphore } from "effect"
import type { AccountId } from "#domain/accounts/Account.ts"
import { makeBulkhead, OnBehalfOf } from "#infrastructure/platform/Bulkhead.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { StoreEffect, StoreUnavailable } from "#domain/StoreError.ts"
import { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import {
  type NotFoundLimits,
  type NotFoundRepo,
  Reservation,
  type ReservationId,
} from "#infrastructure/store/swaps/NotFoundRepo.ts"
import type { LookupPace } from "./LookupPolicy.ts"

/** Default look-ups a minute: an upstream may block an address above 10 unknown channels a minute. */
export const usuallyTolerated = 6
const windowMillis = 60_000
/** The share of them that an account leaves to accounts that have asked for none, and to the swaps that are followed. */
const leftToOthers = 1 / 5
/** The share of one account while others ask, too; it has one more for each of its open channels and payloads. */
const ofAccount = 2 / 5
/** The most look-ups at the same time that may find nothing; with those of the window they stay under the limit. */
const atOnce = 3
/** The most of them in this process. Accounts wait for each other, but the service never waits for them. */
const atOnceOfService = 2
const atOnceOfAccounts = 2
/** The line holds all channels that are asked for together, so that no account's look-up falls to the service. */
const turns = { share: 1 / atOnceOfAccounts, wait: Duration.seconds(1), line: 16 }
/** The time until there may be room again, while other processes have as many look-ups under way as allowed. */
const soonMillis = 1_000
/** The most accounts that are remembered as having spent their share. */
const mostRemembered = 10_000

/** No look-up that may find nothing is allowed before this time. */
export class BudgetExhausted extends Data.TaggedError("BudgetExhausted")<{ readonly until: EpochMillis }> {}

export interface Miss {
  /** Refunds the account's look-up, as another source knew the swap. The upstream's limit still counts it. */
  readonly forgive: StoreEffect<void>
}

/** Nobody's place was spent. */
export const freeMiss: Miss = { forgive: Effect.void }

/**
 * Keeps unsuccessful look-ups below the upstream's tolerance, over all replicas: its account is kept in the database.
 * No account can use all of it.
 */
export const makeNotFoundBudget = (
  pace: LookupPace,
  repo: NotFoundRepo["Service"],
  toleratedBy: (provider: ProviderName) => Effect.Effect<number | undefined> = () => Effect.undefined,
) => {
  const window = windowMillis / pace.timeScale
  const soon = soonMillis / pace.timeScale

  const limitsFor = (account: AccountId | undefined, tolerated: number): NotFoundLimits => {
    // Where the upstream tolerates next to nothing, an account has one all the same.
    const mostOfAccount = Math.max(1, Math.floor(tolerated * ofAccount))
    const left = account === undefined ? 0 : Math.ceil(tolerated * leftToOthers)
    return {
      window,
      most: tolerated - left,
      mostWhereNew: Math.max(1, tolerated - Math.floor(left / 2)),
      mostWithUnderWay: tolerated + atOnce,
      mostOfAccount,
    }
  }

  const begin = () => ({
    service: Semaphore.makeUnsafe(atOnceOfService),
    accounts: makeBulkhead(atOnceOfAccounts, turns),
    /** The time until which an account's share is known to be spent, so that the database need not be asked. */
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
      // The window bounds the wait, in case the clock was set back.
      return until > now && until <= now + window ? Option.some(until) : Option.none()
    })

  const reserve = Effect.fnUntraced(function* (provider: ProviderName, account: AccountId | undefined) {
    const tolerated = (yield* toleratedBy(provider)) ?? usuallyTolerated
    const now = yield* currentMillis
    const reservation = yield* repo.reserve(provider, account, now, limitsFor(account, tolerated))
    return yield* Reservation.$match(reservation, {
      Reserved: ({ id }) => Effect.succeed(id),
      Spent: ({ since }) => {
        if (account !== undefined) remember(provider, account, since + window)
        return Effect.fail(exhausted(since + window))
      },
      Busy: () => Effect.fail(exhausted(now + soon)),
    })
  })

  const missOf = (provider: ProviderName, account: AccountId | undefined, id: ReservationId): Miss => ({
    forgive: Effect.tap(
      repo.forgive(id),
      () => account === undefined ? Effect.void : Effect.sync(() => of(provider).spentUntil.delete(account)),
    ),
  })

  // The result of a look-up does not depend on settling its place, which otherwise counts until it lapses.
  const reserved = <A, E, R>(
    provider: ProviderName,
    account: AccountId | undefined,
    lookUp: Effect.Effect<Option.Option<A>, E, R>,
  ) =>
    Effect.acquireUseRelease(
      reserve(provider, account),
      (id) => Effect.map(lookUp, Result.fromOption(() => missOf(provider, account, id))),
      (id, exit) =>
        Effect.catch(
          Exit.isSuccess(exit) && Result.isFailure(exit.value)
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
      Option.match({ onNone: () => Effect.void, onSome: (until) => Effect.fail(exhausted(until)) }),
    )
    yield* refuseSpent
    const found = yield* of(provider).accounts.within(
      Effect.andThen(refuseSpent, reserved(provider, account, lookUp)),
    )
    return Option.isSome(found) ? found.value : yield* exhausted((yield* currentMillis) + soon)
  })

  /**
   * Runs a look-up that may find nothing if the budget allows; a refused one costs nothing. For one of several
   * upstreams that are asked for the same thing.
   */
  const search = <A, E, R>(provider: ProviderName, lookUp: Effect.Effect<Option.Option<A>, E, R>) =>
    Effect.flatMap(
      OnBehalfOf,
      (account): Effect.Effect<Result.Result<A, Miss>, E | BudgetExhausted | StoreUnavailable, R> =>
        account === undefined
          ? of(provider).service.withPermit(reserved(provider, account, lookUp))
          : spendForAccount(provider, account, lookUp),
    )

  return {
    search,
    /** Whether the current account is known to have spent its share for now. Asks neither database nor upstream. */
    isSpent: (provider: ProviderName) =>
      Effect.flatMap(
        OnBehalfOf,
        (account) =>
          account === undefined
            ? Effect.succeed(false)
            : Effect.map(spentUntil(provider, account), Option.isSome),
      ),
    /** The same for an upstream that is asked alone. */
    spend: <A, E, R>(provider: ProviderName, lookUp: Effect.Effect<Option.Option<A>, E, R>) =>
      Effect.map(search(provider, lookUp), Result.getSuccess),
  }
}

export type NotFoundBudget = ReturnType<typeof makeNotFoundBudget>
