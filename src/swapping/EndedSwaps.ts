import type { AccountId } from "../domain/Account.ts"
import type { SwapRecord, SwapRecordId } from "../domain/SwapRecord.ts"
import type { StoredSwap } from "../store/SwapsRepo.ts"

/** A record takes some 10 KB. */
const mostKept = 1_000

/** Records that were lately asked for and that nothing changes any more. */
export interface EndedSwaps {
  readonly find: (account: AccountId, id: SwapRecordId) => SwapRecord | undefined
  /** Remembers the record, unless its swap is still followed. */
  readonly keep: (account: AccountId, stored: StoredSwap) => void
}

/**
 * Remembers swaps that have ended: they are asked for long after, and whoever stopped following one never begins
 * again, in any replica. What was asked for least lately is forgotten.
 */
export const makeEndedSwaps = (): EndedSwaps => {
  // Those that were asked for least lately first, as each is put at the end.
  const kept = new Map<string, SwapRecord>()
  const keyOf = (account: AccountId, id: SwapRecordId): string => `${account} ${id}`

  const put = (key: string, record: SwapRecord): void => {
    kept.delete(key)
    kept.set(key, record)
  }

  return {
    find: (account, id) => {
      const key = keyOf(account, id)
      const record = kept.get(key)
      if (record !== undefined) put(key, record)
      return record
    },
    keep: (account, { record, followed }) => {
      if (followed) return
      put(keyOf(account, record.id), record)
      const [oldest] = kept.size > mostKept ? kept.keys() : []
      if (oldest !== undefined) kept.delete(oldest)
    },
  }
}
