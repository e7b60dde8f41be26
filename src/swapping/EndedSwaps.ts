import type { AccountId } from "../domain/Account.ts"
import type { SwapRecord, SwapRecordId } from "../domain/SwapRecord.ts"
import type { StoredSwap } from "../store/SwapsRepo.ts"

/** Of each of two generations; a record takes some 10 KB. */
const mostKept = 500

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
  const keyOf = (account: AccountId, id: SwapRecordId): string => `${account} ${id}`
  let current = new Map<string, SwapRecord>()
  let earlier: ReadonlyMap<string, SwapRecord> = new Map()

  const put = (key: string, record: SwapRecord): void => {
    if (current.size >= mostKept) {
      earlier = current
      current = new Map()
    }
    current.set(key, record)
  }

  return {
    find: (account, id) => {
      const key = keyOf(account, id)
      const found = current.get(key)
      if (found !== undefined) return found
      const old = earlier.get(key)
      if (old !== undefined) put(key, old)
      return old
    },
    keep: (account, { record, followed }) => {
      if (!followed) put(keyOf(account, record.id), record)
    },
  }
}
