import type { AccountId } from "../domain/Account.ts"
import type { SwapRecord, SwapRecordId } from "../domain/SwapRecord.ts"
import { makeRecent } from "../platform/recent.ts"
import type { StoredSwap } from "../store/SwapsRepo.ts"
import { canChange } from "./Ends.ts"

/** A record takes some 10 KB. */
const mostKept = 1_000

/** Records that were lately asked for and that nothing changes any more. */
export interface EndedSwaps {
  readonly find: (account: AccountId, id: SwapRecordId) => SwapRecord | undefined
  /** Remembers the record, unless its swap is still followed, or its end is not proved. */
  readonly keep: (account: AccountId, stored: StoredSwap) => void
}

/**
 * Remembers swaps whose end is proved: they are asked for long after, and whoever stopped following one never begins
 * again, in any replica. What was asked for least lately is forgotten.
 */
export const makeEndedSwaps = (): EndedSwaps => {
  const recent = makeRecent<string, SwapRecord>(mostKept)
  const keyOf = (account: AccountId, id: SwapRecordId): string => `${account} ${id}`

  return {
    find: (account, id) => recent.find(keyOf(account, id)),
    keep: (account, { record, followed }) => {
      if (!followed && !canChange(record.status)) recent.keep(keyOf(account, record.id), record)
    },
  }
}
