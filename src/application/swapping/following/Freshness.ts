import { Duration, Effect } from "effect"
import type { AccountId } from "#domain/accounts/Account.ts"
import type { StandingSwap, SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { makeLruCache } from "#infrastructure/platform/lruCache.ts"
import { warnSparsely } from "#infrastructure/platform/rateLimitedLog.ts"
import type { StoredSwap } from "#infrastructure/store/swaps/SwapsRepo.ts"
import type { Lookups } from "./Lookups.ts"
import { canChange } from "./Progress.ts"
import { unlessAway } from "#infrastructure/platform/outages.ts"

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

/** Recently requested records of swaps that can no longer change. */
export interface EndedSwaps {
  readonly find: (account: AccountId, id: SwapRecordId, now: EpochMillis) => StandingSwap | undefined
  /** Remembers the record for a minute, unless its swap is still followed or its end is not proved. */
  readonly keep: (account: AccountId, stored: StoredSwap, now: EpochMillis) => void
}

/**
 * Remembers swaps whose end is proved: clients ask for them long after, and no replica ever follows such a swap again.
 * The least recently used are dropped.
 */
export const makeEndedSwaps = (): EndedSwaps => {
  const recent = makeLruCache<string, { readonly record: StandingSwap; readonly keptAt: EpochMillis }>(
    mostKept,
  )
  const keyOf = (account: AccountId, id: SwapRecordId): string => `${account} ${id}`

  return {
    find: (account, id, now) => {
      const { keptAt = now, record } = recent.find(keyOf(account, id)) ?? {}
      // The absolute difference, as a clock may be set back.
      return Math.abs(now - keptAt) < keptMillis ? record : undefined
    },
    keep: (account, { record, followed }, now) => {
      if (!followed && !canChange(record.status)) {
        recent.keep(keyOf(account, record.id), { record, keptAt: now })
      }
    },
  }
}
