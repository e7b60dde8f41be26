import type { AccountId } from "../domain/Account.ts"
import type { StandingSwap, SwapRecordId } from "../domain/SwapRecord.ts"
import type { EpochMillis } from "../domain/Time.ts"
import { makeRecent } from "../platform/recent.ts"
import type { StoredSwap } from "../store/swaps/SwapsRepo.ts"
import { canChange } from "./Progress.ts"

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
  const recent = makeRecent<string, { readonly record: StandingSwap; readonly keptAt: EpochMillis }>(mostKept)
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
