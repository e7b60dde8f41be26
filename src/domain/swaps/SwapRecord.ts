import { type Array, Schema } from "effect"
import type { Address } from "../chains/Address.ts"
import type { AssetId } from "../chains/Asset.ts"
import { ProviderName } from "../ProviderName.ts"
import { type SwapResult, type SwapState, SwapStatus } from "./Swap.ts"
import type { CreatedRange } from "../Period.ts"
import type { EpochMillis } from "../Time.ts"

/** Our own number of a swap: rises with every swap, and is the cursor of the history (decision 24). */
export const SwapRecordId = Schema.Int
  .check(Schema.isGreaterThan(0))
  .pipe(Schema.brand("SwapRecordId"))
export type SwapRecordId = typeof SwapRecordId.Type

/** A swap of ours, with its provider and its latest known status. */
export const SwapRecord = Schema.Struct({ id: SwapRecordId, platform: ProviderName, status: SwapStatus })
export type SwapRecord = typeof SwapRecord.Type

/** How a swap goes on, beside its status; all times are by our clock. */
export interface SwapStanding {
  /** When the swap was recorded. */
  readonly createdAt: EpochMillis
  /** When its status last became another one. */
  readonly changedAt: EpochMillis
  /** When it entered its state, by our clock and by the record's own; absent where it is not under way. */
  readonly enteredAt?: EpochMillis
  readonly enteredByRecord?: EpochMillis
  /** The beginning of the look-up that the status comes from. */
  readonly lookedUpAt: EpochMillis
  /** The number of failed look-ups since then. */
  readonly lookupFailures: number
  /** Since when it is longer in its state than that may last. */
  readonly stalledSince?: EpochMillis
  /** When the upstream said what cannot be true of it; absent once it has said something that can. */
  readonly contradictedAt?: EpochMillis
}

/** A swap, and how it goes on. */
export interface StandingSwap extends SwapRecord {
  readonly standing: SwapStanding
}

/** The swap does not exist or belongs to another account: both look the same from outside (decision 23). */
export class SwapNotFound extends Schema.TaggedError<SwapNotFound>()("SwapNotFound", {
  /** For the operator: the swap was asked for, and nobody knows what came of it. */
  unknownOpening: Schema.optionalKey(Schema.Struct({ platform: ProviderName, reason: Schema.String })),
}) {
  override get message(): string {
    if (this.unknownOpening === undefined) return "No such swap"
    const { platform, reason } = this.unknownOpening
    return `The outcome of this opening at ${platform} is unknown (${reason}). Its case file has the request`
  }
}

/** The direction in which a history goes from its offset. */
export type SortOrder = "ascending" | "descending"

/** What of an account's swaps is listed; the range is that of the times at which they were recorded here. */
export interface HistoryQuery extends CreatedRange {
  /** The first swap to list (decision 24). */
  readonly offset?: SwapRecordId
  readonly limit: number
  readonly states: Array.NonEmptyReadonlyArray<SwapState>
  /** Only swaps with one of these results; all, open ones too, where absent. */
  readonly results?: ReadonlyArray<SwapResult>
  readonly sort: SortOrder
  readonly platform?: ProviderName
  /** The recipient, the refund address or the deposit address, in any case of letters in which it is one. */
  readonly address?: Address
  readonly sourceAsset?: AssetId
  readonly destinationAsset?: AssetId
}

/** The swaps of a provider that stay in their states too long, or whose end is disputed. */
export interface Stalls {
  readonly platform: ProviderName
  readonly swaps: number
  /** The time since which that is so of the first of them. */
  readonly since: EpochMillis
}

export interface LastStall {
  readonly id: SwapRecordId
  readonly outcome: "completed" | "refunded" | "failed"
  readonly stalledAt: EpochMillis
  readonly endedAt: EpochMillis
}
