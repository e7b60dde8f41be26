import { recordJson } from "#api/presentSwap.ts"
import type { PriceAt } from "#domain/money/UsdValue.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import type { SwapRecord } from "#domain/swaps/SwapRecord.ts"

/** The text of a swap for events, of no known network. */
export const writeRecord = (record: SwapRecord, priceAt?: PriceAt): string =>
  recordJson(record, { networkOf: () => undefined, ...defined({ priceAt }) })
