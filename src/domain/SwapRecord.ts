import { Schema } from "effect"
import { ProviderName } from "./ProviderName.ts"
import { SwapStatus } from "./Swap.ts"

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
