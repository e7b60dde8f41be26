import { Schema } from "effect"
import type { AccountId } from "./Account.ts"
import { SwapRecordId } from "./SwapRecord.ts"
import { EpochMillis } from "./Time.ts"

/**
 * What an account is told of: that a swap came into a state, that its deposit went back instead, that
 * it stays in a state longer than it should, and that a channel takes no more deposits.
 */
export const SwapEventType = Schema.Literals([
  "swap.waiting",
  "swap.receiving",
  "swap.swapping",
  "swap.sending",
  "swap.sent",
  "swap.completed",
  "swap.failed",
  "swap.refunded",
  "swap.stalled",
  "channel.expired",
])
export type SwapEventType = typeof SwapEventType.Type

/** Rises with every event of an account; 0 is before the first one. */
export const SwapEventId = Schema.Int
  .check(Schema.isGreaterThanOrEqualTo(0))
  .pipe(Schema.brand("SwapEventId"))
export type SwapEventId = typeof SwapEventId.Type

/** Where an account's events begin. */
export const beforeAllEvents = SwapEventId.make(0)

/** Something that an account is told of. */
export const SwapEvent = Schema.Struct({
  id: SwapEventId,
  type: SwapEventType,
  swapId: SwapRecordId,
  at: EpochMillis,
  /** JSON text: the swap's record as `/status-by-id` answered it then. Never changes. */
  payload: Schema.String,
})
export type SwapEvent = typeof SwapEvent.Type

/** Whose events: all of an account, or those of one of its swaps. */
export interface EventsOf {
  readonly account: AccountId
  readonly swap?: SwapRecordId
}

/** A part of them, in order. */
export interface EventQuery extends EventsOf {
  /** The last event that is known already; only later ones are wanted. */
  readonly id: SwapEventId
  readonly limit: number
}
