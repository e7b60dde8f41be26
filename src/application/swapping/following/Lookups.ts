import { Array, Cause, Deferred, Duration, Effect, FiberSet, Metric, Option, Result } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import type { AccountId } from "#domain/accounts/Account.ts"
import { OnBehalfOf } from "#infrastructure/platform/Bulkhead.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { StoreEffect, StoreUnavailable } from "#domain/StoreError.ts"
import type { SwapRecord, SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { EpochMillis } from "#domain/Time.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { endedBy, makeDeadlines } from "#infrastructure/platform/Deadlines.ts"
import { lightSpan } from "#infrastructure/platform/lightSpan.ts"
import { type Provider, TransactionTrace, type VaultSwapQuestion } from "#providers/Provider.ts"
import { Registry } from "#providers/Registry.ts"
import { type DueLookup, type Lookup, LookupSubject } from "#infrastructure/store/swaps/lookupRows.ts"
import { LaterSwapsRepo } from "#infrastructure/store/swaps/LaterSwapsRepo.ts"
import { Begun, type Lease, LookupsRepo } from "#infrastructure/store/swaps/LookupsRepo.ts"
import { NotFoundRepo } from "#infrastructure/store/swaps/NotFoundRepo.ts"
import { PaymentsRepo } from "#infrastructure/store/swaps/PaymentsRepo.ts"
import {
  LookupDied,
  type LookupNotMade,
  lookupNotMade,
  LookupsSpent,
  makeStatusResult,
  type NotSearched,
} from "./statusResult.ts"
import { HourPrices } from "./judgeOutcome.ts"
import { makeConfirmChannel, makeConfirmFound } from "../opening/lostOpenings.ts"
import type { LookupSchedule } from "./LookupPolicy.ts"
import { UsualTimes } from "./Stalling.ts"
import { type BudgetOptions, makeLookupBudget } from "./LookupBudget.ts"
import { freeMiss, makeNotFoundBudget, type Miss } from "./NotFoundBudget.ts"

export interface LookupOptions extends LookupSchedule, BudgetOptions {
  /** The longest that an upstream may take for one answer. */
  readonly lookupTimeout: Duration.Duration
  /** Whether no other process can be working on the same records. */
  readonly soleProcess: boolean
}

/** The time that a lease outlasts the longest look-up. */
const leaseMargin = Duration.seconds(5)

/** The interval of checking whether the look-up of another process has ended. */
const elsewhereInterval = Duration.millis(100)

const statusOf = (provider: Provider, { subject, status }: Lookup) =>
  LookupSubject.$match(subject, {
    Channel: ({ id }) => provider.channels?.status(id, status) ?? Effect.succeedNone,
    VaultSwap: ({ transaction }) =>
      provider.vaultSwaps?.status({ transaction, marks: [] }, Option.some(status)) ?? Effect.succeedNone,
  })

/** The call that asks a provider for a transaction that is not in the records; `undefined` if the provider has none. */
const traceBy = (question: VaultSwapQuestion) => ({ channels, vaultSwaps }: Provider) =>
  channels?.findTransaction?.(question.transaction) ??
    vaultSwaps?.status(question, Option.none()).pipe(
      Effect.map(Option.map((said) => TransactionTrace.VaultSwap({ said }))),
    )

/** Asks upstreams about open swaps, and stores their answers. */
export class Lookups extends service<Lookups>()(
  "swap-broker/swapping/Lookups",
  (options: LookupOptions) =>
    Effect.gen(function* () {
      const repo = yield* LookupsRepo
      const registry = yield* Registry
      const budget = makeLookupBudget(options)
      const notFound = makeNotFoundBudget(
        options,
        yield* NotFoundRepo,
        (name) =>
          Effect.map(
            registry.find(name),
            (provider) => Option.getOrUndefined(provider)?.capabilities.unknownPerMinute,
          ),
      )

      // The name of this process as an owner of leases, different after each start.
      const owner = crypto.randomUUID()
      const leaseMillis = Duration.toMillis(options.lookupTimeout) + Duration.toMillis(leaseMargin)
      const lease: Effect.Effect<Lease> = Effect.map(currentMillis, (now) => ({
        owner,
        now,
        until: EpochMillis.make(now + leaseMillis),
      }))

      /** A process that stops writes no results, so it releases the look-ups that it has begun. */
      const begunAt = new Set<ProviderName>()
      const giveBack = Effect.gen(function* () {
        const current = yield* lease
        yield* Effect.forEach(begunAt, (provider) => repo.giveBack(provider, current), { discard: true })
      }).pipe(
        Effect.catch((error) =>
          Effect.logWarning("Claimed status checks could not be released; they time out", error)
        ),
      )
      // Registered before `coalesce` is made, so that nothing is under way any more when it runs.
      yield* Effect.addFinalizer(() => giveBack)

      // Look-ups of a killed process never end, so nobody shall wait for them.
      if (options.soleProcess) yield* repo.giveBackAll(yield* currentMillis)

      /** Claims the look-ups of a provider that are due, at most `limit` and as many as its budget allows. */
      const claimDue = Effect.fnUntraced(function* (provider: ProviderName, limit: number) {
        begunAt.add(provider)
        const current = yield* lease
        const allowed = budget.takeForTracker(provider, limit, current.now)
        if (allowed === 0) return []
        const due = yield* repo.claimDue(provider, current, allowed)
        budget.giveBackOfTracker(provider, allowed - due.length, current.now)
        const lag = metrics.lookupLagSeconds({ provider })
        for (const dueAt of Array.getSomes(due.map(({ dueAt }) => dueAt))) {
          yield* Metric.update(lag, (current.now - dueAt) / 1_000)
        }
        return due
      })

      const answers = makeStatusResult(
        repo,
        yield* PaymentsRepo,
        yield* LaterSwapsRepo,
        yield* HourPrices,
        yield* UsualTimes,
        options,
      )

      const timeouts = yield* makeDeadlines(options.lookupTimeout)
      const inTime = <A, E>(call: Effect.Effect<A, E>) =>
        endedBy(timeouts, call, () => new Cause.TimeoutError())

      const ask = (provider: Provider, lookup: Lookup) => {
        const status = inTime(statusOf(provider, lookup))
        return lookup.seenUpstream && lookup.failures === 0 ? status : notFound.spend(lookup.platform, status)
      }

      const perform = Effect.fnUntraced(
        function* (lookup: DueLookup) {
          const provider = yield* registry.find(lookup.platform)
          if (Option.isNone(provider)) {
            yield* Effect.logDebug(`Swaps of ${lookup.platform} are not followed: it is not enabled`)
            return yield* answers.writeFailed(lookup)
          }
          const askedAt = yield* currentMillis
          const answer = yield* Effect.result(
            Effect.catchDefect(ask(provider.value, lookup), (defect) => new LookupDied({ defect })),
          )
          const { ends } = provider.value.capabilities
          return yield* Result.match(answer, {
            onSuccess: (said) => answers.write(lookup, said, askedAt, ends),
            onFailure: (failure) => answers.writeFailure(lookup, failure),
          })
        },
        (effect, lookup) => Effect.annotateLogs(effect, { swap: lookup.id }),
        lightSpan("Lookups.run"),
      )

      const coalesce = yield* makeShareWork<SwapRecordId, boolean, StoreUnavailable>()

      const keep = (lookup: DueLookup) =>
        perform(lookup).pipe(
          Effect.filterOrElse(
            (written) => written,
            () =>
              Effect.logDebug("A look-up took too long; another one has taken its place").pipe(
                Effect.annotateLogs({ swap: lookup.id }),
              ),
          ),
          Effect.asVoid,
        )

      const awaitElsewhere = (id: SwapRecordId) =>
        Effect.andThen(
          Effect.sleep(elsewhereInterval),
          Effect.flatMap(currentMillis, (now) => repo.isUnderWay(id, now)),
        ).pipe(Effect.repeat({ while: (underWay) => underWay }), Effect.asVoid)

      const takeOne = (provider: ProviderName, account: AccountId | undefined, now: EpochMillis): boolean =>
        account === undefined
          ? budget.takeForTracker(provider, 1, now) > 0
          : budget.takeForAccount(provider, account, now)

      const giveBackOne = (provider: ProviderName, account: AccountId | undefined, now: EpochMillis): void =>
        account === undefined
          ? budget.giveBackOfTracker(provider, 1, now)
          : budget.giveBackOfAccount(provider, account, now)

      const begin = Effect.fnUntraced(function* ({ id, platform }: Pick<SwapRecord, "id" | "platform">) {
        begunAt.add(platform)
        const current = yield* lease
        const account = yield* OnBehalfOf
        if (!takeOne(platform, account, current.now)) return false
        const begun = yield* repo.begin(id, current)
        if (begun._tag !== "Begun") giveBackOne(platform, account, current.now)
        return yield* Begun.$match(begun, {
          Begun: ({ lookup }) => Effect.as(keep(lookup), true),
          UnderWay: () => Effect.as(awaitElsewhere(id), true),
          Unknown: () => Effect.succeed(false),
        })
      })

      // A refresh that waits for this very look-up may be under way: sharing, each would wait for the other for ever.
      /** Makes a claimed look-up, to its end even if interrupted. A failing upstream is asked later. */
      const run = (lookup: DueLookup) =>
        Effect.asVoid(coalesce.begin(lookup.id, Effect.as(keep(lookup), true)))
      /**
       * Looks one swap up, whether it is due or followed or not; returns whether an upstream was asked. If a look-up of the
       * swap is under way, here or in another process, this waits for it and asks nothing. Nothing is asked either when the
       * current account's share of the provider's budget is spent.
       */
      const refresh = (swap: Pick<SwapRecord, "id" | "platform">) => coalesce.share(swap.id, begin(swap))

      /**
       * The upstream's answer about a transaction that is not in the records, or that it does not know it; fails where it
       * cannot be asked at present, or gives no answer. The cost of a search reveals nothing beyond what the upstream tells
       * anybody: another account's transaction costs the same as one that is unknown here.
       */
      const search = Effect.fn("Lookups.search")(
        function* (
          platform: ProviderName,
          question: VaultSwapQuestion,
        ): Effect.fn.Return<Result.Result<TransactionTrace, Miss>, NotSearched | StoreUnavailable> {
          const provider = yield* registry.find(platform)
          const trace = Option.flatMapNullishOr(provider, traceBy(question))
          if (Option.isNone(trace)) return Result.fail(freeMiss)
          const account = yield* OnBehalfOf
          const asked = Effect.gen(function* () {
            if (!takeOne(platform, account, yield* currentMillis)) return yield* new LookupsSpent()
            return yield* inTime(trace.value)
          })
          return yield* notFound.search(platform, asked)
        },
        Effect.catch((error): StoreEffect<never, LookupNotMade> =>
          error._tag === "StoreUnavailable" ? Effect.fail(error) : Effect.andThen(
            Effect.logDebug("A transaction could not be looked up", error),
            lookupNotMade(error),
          )
        ),
      )

      return {
        claimDue,
        run,
        refresh,
        search,
        /** Whether a search at this provider would be refused to the current account, as far as this process knows. */
        isSpent: notFound.isSpent,
        firstLook: makeConfirmChannel(notFound, options),
        confirmFound: makeConfirmFound(notFound),
      }
    }),
) {}

/**
 * Work that concurrent callers share, one piece for each key. It ends with the scope, not with its first caller:
 * Effect's `Cache` would end the work with its last caller, and has one piece of work for a key.
 */
export const makeShareWork = <K, A, E>() =>
  Effect.gen(function* () {
    const fibers = yield* FiberSet.make<boolean>()
    const underWay = new Map<K, Deferred.Deferred<A, E>>()

    /** Runs the work even if other work is under way; later callers of `share` join this. */
    const begin = (key: K, work: Effect.Effect<A, E>) =>
      Effect.suspend(() => {
        const result = Deferred.makeUnsafe<A, E>()
        underWay.set(key, result)
        const end = Effect.sync(() => {
          if (underWay.get(key) === result) underWay.delete(key)
        })
        const shared = work.pipe(Effect.ensuring(end), Deferred.into(result))
        return Effect.andThen(Effect.uninterruptible(FiberSet.run(fibers, shared)), Deferred.await(result))
      })

    return {
      begin,
      /** Runs the work, or joins the work of the key that is under way. */
      share: (key: K, work: Effect.Effect<A, E>) =>
        Effect.suspend(() => {
          const running = underWay.get(key)
          return running === undefined ? begin(key, work) : Deferred.await(running)
        }),
    }
  })
