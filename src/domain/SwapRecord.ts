import { type Array, Schema } from "effect"
import { ProviderName } from "./ProviderName.ts"
import { type SwapState, SwapStatus } from "./Swap.ts"
import type { EpochMillis } from "./Time.ts"

/** Our own number of a swap: rises with every swap, the cursor of the history (decision 24). */
export const SwapRecordId = Schema.Int
  .check(Schema.isGreaterThan(0))
  .pipe(Schema.brand("SwapRecordId"))
export type SwapRecordId = typeof SwapRecordId.Type

/** A swap of ours, with the provider that opened it and the latest that is known of it. */
export const SwapRecord = Schema.Struct({
  id: SwapRecordId,
  platform: ProviderName,
  status: SwapStatus,
})
export type SwapRecord = typeof SwapRecord.Type

/** No such swap, or one of another account: both look the same from outside (decision 23). */
export class SwapNotFound extends Schema.TaggedError<SwapNotFound>()("SwapNotFound", {}) {}

/** The direction in which a history goes from its offset. */
export type SortOrder = "ascending" | "descending"

/** The swaps of an account that are listed. */
export interface HistoryQuery {
  /** First swap to list (decision 24). */
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
  /** Since when the first of these swaps stalls. */
  readonly since: EpochMillis
}
