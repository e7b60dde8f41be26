import { Schema } from "effect"
import type { AccountId } from "../accounts/Account.ts"
import { optional } from "../optional.ts"
import { ProviderName } from "../ProviderName.ts"
import { SwapStatus } from "./Swap.ts"
import { SwapRecordId } from "./SwapRecord.ts"
import { EpochMillis } from "../Time.ts"

/**
 * The events that an account is told of: a swap came into a state, its deposit was refunded, it stays in a state longer
 * than it should, its provider says that it has ended as it cannot have, or its channel takes no more deposits.
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
  "swap.disputed",
  "channel.expired",
])
export type SwapEventType = typeof SwapEventType.Type

/** The number of an event, which rises with every event of an account; 0 is before the first. */
export const SwapEventId = Schema.Int
  .check(Schema.isGreaterThanOrEqualTo(0))
  .pipe(Schema.brand("SwapEventId"))
export type SwapEventId = typeof SwapEventId.Type

/** The position before an account's first event. */
export const beforeAllEvents = SwapEventId.make(0)

/** An event that an account is told of. */
export const SwapEvent = Schema.Struct({
  id: SwapEventId,
  type: SwapEventType,
  swapId: SwapRecordId,
  at: EpochMillis,
  /** JSON text: the swap's record as `/status-by-id` answered it at the time. Never changes. */
  payload: Schema.String,
  /** The provider and the status of that time; absent where no journal has them. */
  platform: optional(ProviderName),
  status: optional(SwapStatus),
})
export type SwapEvent = typeof SwapEvent.Type

export interface EventsOf {
  readonly account: AccountId
  readonly swap?: SwapRecordId
}

/** A part of the events, in order. */
export interface EventQuery extends EventsOf {
  /** The last event that the caller knows; only later events are wanted. */
  readonly id: SwapEventId
  readonly limit: number
}

/** What was shown of a swap: the payer's page, or an event of this type on an event stream. */
export const NoticeKind = Schema.Literals(["page", ...SwapEventType.literals])
export type NoticeKind = typeof NoticeKind.Type

/** When something was shown of a swap, and how often. Who saw it is not kept. */
export const SwapNotice = Schema.Struct({
  swapId: SwapRecordId,
  kind: NoticeKind,
  firstAt: EpochMillis,
  lastAt: EpochMillis,
  /** Events that were sent, or openings of the page: its own updates change only `lastAt`. */
  times: Schema.Int,
})
export type SwapNotice = typeof SwapNotice.Type
