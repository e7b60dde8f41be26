import { recordJson } from "#api/presentSwap.ts"
import type { SwapRecord } from "#domain/swaps/SwapRecord.ts"

/** The text of a swap for events, of no known network. */
export const writeRecord = (record: SwapRecord): string => recordJson(record, { networkOf: () => undefined })
