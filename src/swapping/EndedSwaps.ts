import type { AccountId } from "../domain/Account.ts"
import type { SwapRecord, SwapRecordId } from "../domain/SwapRecord.ts"
import type { EpochMillis } from "../domain/Time.ts"
import { makeRecent } from "../platform/recent.ts"
import type { StoredSwap } from "../store/swaps/SwapsRepo.ts"
import { canChange } from "./Progress.ts"

/** A record takes some 10 KB. */
const mostKept = 1_000

/** A swap that the operator moves is shown to the account before for so long at the most. */
const keptMillis = 60_000

/** Records that were lately asked for and that nothing changes any more. */
export interface EndedSwaps {
  readonly find: (account: AccountId, id: SwapRecordId, now: EpochMillis) => SwapRecord | undefined
  /** Remembers the record for a minute, unless its swap is still followed, or its end is not proved. */
  readonly keep: (account: AccountId, stored: StoredSwap, now: EpochMillis) => void
}

/**
 * Remembers swaps whose end is proved: they are asked for long after, and whoever stopped following one never begins
 * again, in any replica. What was asked for least lately is forgotten.
 */
export const makeEndedSwaps = (): EndedSwaps => {
  const recent = makeRecent<string, { readonly record: SwapRecord; readonly keptAt: EpochMillis }>(mostKept)
  const keyOf = (account: AccountId, id: SwapRecordId): string => `${account} ${id}`

  return {
    find: (account, id, now) => {
      const { keptAt = now, record } = recent.find(keyOf(account, id)) ?? {}
      // Both ways, for a clock that was set back.
      return Math.abs(now - keptAt) < keptMillis ? record : undefined
    },
    keep: (account, { record, followed }, now) => {
      if (!followed && !canChange(record.status)) {
        recent.keep(keyOf(account, record.id), { record, keptAt: now })
      }
    },
  }
}
