import { Context, Data, Duration, Effect, Layer, Match, Option, Result } from "effect"
import type { ProviderError } from "../domain/ProviderError.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import type { SwapStatus } from "../domain/Swap.ts"
import type { SwapRecordId } from "../domain/SwapRecord.ts"
import { EpochMillis } from "../domain/Time.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import type { Provider } from "../providers/Provider.ts"
import { Registry } from "../providers/Registry.ts"
import { type Lookup, LookupsRepo, LookupSubject } from "../store/LookupsRepo.ts"
import { afterAnswer, afterFailure, LookupFailure, type LookupPace } from "./LookupPolicy.ts"
import { makeNotFoundBudget } from "./NotFoundBudget.ts"
import { follows } from "./Progress.ts"

/** How swaps are looked up. */
export interface LookupOptions extends LookupPace {
  /** How long an upstream may take for one answer. */
  readonly lookupTimeout: Duration.Duration
}

/** Others leave a swap alone this much longer than its look-up can take. */
const leaseMargin = Duration.seconds(5)

const retryAfterOf = (error: ProviderError): Option.Option<number> =>
  error.reason._tag === "RateLimited" && error.reason.retryAfterSeconds !== undefined
    ? Option.some(error.reason.retryAfterSeconds * 1_000)
    : Option.none()

const failed = LookupFailure.Failed({ retryAfterMillis: Option.none() })

/** The adapter failed in a way that its port does not allow for: our own fault, and no reason to stop. */
class LookupDied extends Data.TaggedError("LookupDied")<{ readonly defect: unknown }> {}

/** Look-ups of transactions that nobody may know leave so many to the swaps that are followed. */
const reservedForSwaps = 2

const statusOf = (provider: Provider, { subject, status }: Lookup) =>
  LookupSubject.$match(subject, {
    Channel: ({ id }) => provider.status(id, status),
    VaultSwap: ({ transaction }) =>
      provider.vaultSwaps?.status(transaction, Option.some(status)) ?? Effect.succeedNone,
  })

/** Asks upstreams about open swaps and keeps what they say. */
export class Lookups extends Context.Service<Lookups, {
  /** Begins the look-ups that are due, at most `limit`. */
  readonly claimDue: (limit: number) => Effect.Effect<ReadonlyArray<Lookup>, StoreUnavailable>
  /** Begins a look-up of one swap, due or not; none when its status can no longer change. */
  readonly begin: (id: SwapRecordId) => Effect.Effect<Option.Option<Lookup>, StoreUnavailable>
  /** Makes a look-up that has begun. An upstream that fails is no error here: it is asked again later. */
  readonly run: (lookup: Lookup) => Effect.Effect<void, StoreUnavailable>
  /**
   * What an upstream says of a vault swap that is not in the records; nothing where it does not know it, cannot
   * be asked at present, or fails: who asks will ask again.
   */
  readonly search: (
    platform: ProviderName,
    transaction: string,
  ) => Effect.Effect<Option.Option<SwapStatus>>
}>()("swap-broker/swapping/Lookups") {
  static readonly layer = (options: LookupOptions): Layer.Layer<Lookups, never, LookupsRepo | Registry> =>
    Layer.effect(
      Lookups,
      Effect.gen(function* () {
        const repo = yield* LookupsRepo
        const registry = yield* Registry
        const budget = makeNotFoundBudget(options)

        const lease = Duration.toMillis(options.lookupTimeout) + Duration.toMillis(leaseMargin)
        const leaseFrom = (now: EpochMillis) => EpochMillis.make(now + lease)

        const claimDue = Effect.fnUntraced(function* (limit: number) {
          const now = yield* currentMillis
          return yield* repo.claimDue({ now, leaseUntil: leaseFrom(now), limit })
        })

        const begin = Effect.fnUntraced(function* (id: SwapRecordId) {
          return yield* repo.begin(id, leaseFrom(yield* currentMillis))
        })

        const fail = Effect.fnUntraced(function* (lookup: Lookup, failure: LookupFailure) {
          const now = yield* currentMillis
          yield* repo.failed(lookup, afterFailure(failure, lookup.failures + 1, now, options))
        })

        const accept = Effect.fnUntraced(
          function* (lookup: Lookup, status: SwapStatus, askedAt: EpochMillis) {
            if (!follows(lookup.status, status)) {
              yield* Effect.logWarning("The upstream contradicts itself; keeping what it said before").pipe(
                Effect.annotateLogs({ swap: lookup.id, known: lookup.status.state, found: status.state }),
              )
              return yield* fail(lookup, LookupFailure.Contradicted())
            }
            const nextLookupAt = afterAnswer(status, yield* currentMillis, options)
            yield* repo.succeeded(lookup, { status, askedAt, nextLookupAt })
          },
        )

        const ask = (provider: Provider, lookup: Lookup) => {
          const status = Effect.timeout(statusOf(provider, lookup), options.lookupTimeout)
          return lookup.seenUpstream && lookup.failures === 0 ? status : budget.spend(lookup.platform, status)
        }

        const run = Effect.fn("Lookups.run")(function* (lookup: Lookup) {
          const provider = yield* registry.find(lookup.platform)
          if (Option.isNone(provider)) {
            yield* Effect.logDebug(`Swaps of ${lookup.platform} are not followed: it is not enabled`)
            return yield* fail(lookup, failed)
          }
          const askedAt = yield* currentMillis
          const answer = yield* Effect.result(
            Effect.catchDefect(ask(provider.value, lookup), (defect) => new LookupDied({ defect })),
          )
          if (Result.isSuccess(answer)) {
            return yield* Option.match(answer.success, {
              onNone: () => fail(lookup, LookupFailure.NotFound()),
              onSome: (status) => accept(lookup, status, askedAt),
            })
          }
          return yield* Match.valueTags(answer.failure, {
            BudgetExhausted: ({ until }) => repo.postponed(lookup, until),
            TimeoutError: () => fail(lookup, failed),
            ProviderError: (error) =>
              Effect.andThen(
                Effect.logDebug("A look-up failed; asking again later", error),
                fail(lookup, LookupFailure.Failed({ retryAfterMillis: retryAfterOf(error) })),
              ),
            LookupDied: ({ defect }) =>
              Effect.andThen(Effect.logError("A look-up went wrong inside", defect), fail(lookup, failed)),
          })
        }, (effect, lookup) => Effect.annotateLogs(effect, { swap: lookup.id }))

        const search = Effect.fn("Lookups.search")(
          function* (platform: ProviderName, transaction: string) {
            const provider = yield* registry.find(platform)
            const vaultSwaps = Option.getOrUndefined(provider)?.vaultSwaps
            if (vaultSwaps === undefined) return Option.none()
            return yield* budget.spend(
              platform,
              Effect.timeout(vaultSwaps.status(transaction, Option.none()), options.lookupTimeout),
              reservedForSwaps,
            )
          },
          Effect.catch((error) =>
            Effect.as(
              Effect.logDebug("A transaction could not be looked up; it counts as unknown", error),
              Option.none(),
            )
          ),
        )

        return Lookups.of({ claimDue, begin, run, search })
      }),
    )
}
