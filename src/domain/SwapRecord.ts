import { type Array, Schema } from "effect"
import { ProviderName } from "./ProviderName.ts"
import { type SwapState, SwapStatus } from "./Swap.ts"
import type { EpochMillis } from "./Time.ts"

/** Our own number of a swap: rises with every swap, and is the cursor of the history (decision 24). */
export const SwapRecordId = Schema.Int
  .check(Schema.isGreaterThan(0))
  .pipe(Schema.brand("SwapRecordId"))
export type SwapRecordId = typeof SwapRecordId.Type

/** A swap of ours, with its provider and its latest known status. */
export const SwapRecord = Schema.Struct({
  id: SwapRecordId,
  platform: ProviderName,
  status: SwapStatus,
})
export type SwapRecord = typeof SwapRecord.Type

/** The swap does not exist or belongs to another account: both look the same from outside (decision 23). */
export class SwapNotFound extends Schema.TaggedError<SwapNotFound>()("SwapNotFound", {}) {}

/** The direction in which a history goes from its offset. */
export type SortOrder = "ascending" | "descending"

/** The swaps of an account to list. */
export interface HistoryQuery {
  /** The first swap to list (decision 24). */
  readonly offset?: SwapRecordId
  readonly limit: number
  readonly states: Array.NonEmptyReadonlyArray<SwapState>
  readonly sort: SortOrder
  readonly platform?: ProviderName
}

/** The swaps of a provider that stay in their states too long. */
export interface Stalls {
  readonly platform: ProviderName
  readonly swaps: number
  /** The time since which the first of these swaps has stalled. */
  readonly since: EpochMillis
}
