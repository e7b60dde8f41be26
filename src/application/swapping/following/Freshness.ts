import { Array, Duration, Effect, type Scope } from "effect"
import type { Account, AccountId } from "#domain/accounts/Account.ts"
import type { StandingSwap, SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { makeLruCache } from "#infrastructure/platform/lruCache.ts"
import { warnSparsely } from "#infrastructure/platform/rateLimitedLog.ts"
import type { StoredSwap, SwapsRepo } from "#infrastructure/store/swaps/SwapsRepo.ts"
import { type Lookups, makeShareWork } from "./Lookups.ts"
import { canChange } from "./Progress.ts"
import { unlessAway } from "#infrastructure/platform/outages.ts"
import { TokenBuckets } from "../../limits/TokenBucket.ts"
import { type Chain, chains } from "#domain/chains/Chain.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { StoreEffect, StoreUnavailable } from "#domain/StoreError.ts"
import { isWrittenAsOn, referenceOn } from "#domain/chains/TransactionReference.ts"

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

/** Refreshes a read status as rarely as possible, of swaps that are not followed as well: money can come late. */
export const makeRefresh = (lookups: Lookups["Service"], options: RefreshOptions): Refresh => {
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
        Effect.as(
          unlessAway(error, warnSparsely("refresh", 1, "The status could not be refreshed", error)),
          true,
        )
      ),
    )
  })
}

/** The most records kept; a record takes some 10 KB. */
const mostKept = 1_000

/** How long a record is kept, in milliseconds. A moved swap is still shown to its former account for as long. */
const keptMillis = 60_000

/** Remembers requested swaps whose end is proved, which no replica follows again; the least recently used go. */
export const makeEndedSwaps = () => {
  const recent = makeLruCache<string, { readonly record: StandingSwap; readonly keptAt: EpochMillis }>(
    mostKept,
  )
  const keyOf = (account: AccountId, id: SwapRecordId): string => `${account} ${id}`

  return {
    find: (account: AccountId, id: SwapRecordId, now: EpochMillis) => {
      const { keptAt = now, record } = recent.find(keyOf(account, id)) ?? {}
      // The absolute difference, as a clock may be set back.
      return Math.abs(now - keptAt) < keptMillis ? record : undefined
    },
    /** Remembers the record for a minute, unless its swap is still followed or its end is not proved. */
    keep: (account: AccountId, { record, followed }: StoredSwap, now: EpochMillis): void => {
      if (!followed && !canChange(record.status)) {
        recent.keep(keyOf(account, record.id), { record, keptAt: now })
      }
    },
  }
}

/** The most channels that are asked for in one round. */
const perRound = 16

/** One round a second, however many transactions an account asks for. */
const oneASecond = { tokens: 1, windowMillis: 1_000 }

/** The chains that a transaction may be of; its exact spelling decides if it fits the spelling of any chain. */
const chainsOf = (reference: string): ReadonlyArray<Chain> => {
  const asWritten = chains().filter((chain) => isWrittenAsOn(chain, reference))
  return asWritten.length > 0
    ? asWritten
    : chains().filter((chain) => referenceOn(chain, reference) !== undefined)
}

/**
 * Asks upstreams about channels of the account that wait for a deposit, because a caller asks for an unknown
 * transaction, which may be a deposit to one of them. Only channels at `platforms` are asked for; other providers are
 * asked by the transaction. The channels are of the chains that the transaction may be of, the least recently asked
 * first. Returns whether any of them may have changed.
 */
export type PollWaitingChannels = (account: Account, reference: string) => StoreEffect<boolean>

export const makePollWaitingChannels = (
  swaps: SwapsRepo["Service"],
  platforms: Effect.Effect<ReadonlyArray<ProviderName>>,
  refresh: Refresh,
): Effect.Effect<PollWaitingChannels, never, Scope.Scope> =>
  Effect.map(makeShareWork<string, boolean, StoreUnavailable>(), (rounds) => {
    const buckets = new TokenBuckets(oneASecond)

    const round = Effect.fnUntraced(function* (name: string, { id }: Account, chains: ReadonlyArray<Chain>) {
      const asked = yield* platforms
      if (!Array.isReadonlyArrayNonEmpty(asked)) return false
      const now = yield* currentMillis
      if (!buckets.of(name, now).take(now)) return false
      const waiting = yield* swaps.waiting(id, asked, chains, perRound)
      const changed = yield* Effect.forEach(waiting, refresh, { concurrency: "unbounded" })
      return changed.includes(true)
    })

    return (account, reference) => {
      const chains = chainsOf(reference)
      if (!Array.isReadonlyArrayNonEmpty(chains)) return Effect.succeed(false)
      const name = `${account.id} ${chains.join()}`
      return rounds.share(name, round(name, account, chains))
    }
  })
