import { Data, Schema } from "effect"
import { storableText } from "./storable.ts"
import type { SwapStatus } from "./Swap.ts"
import type { EpochMillis } from "./Time.ts"

/** Rises with every entry of a journal. */
export const JournalEntryId = Schema.Int
  .check(Schema.isGreaterThan(0))
  .pipe(Schema.brand("JournalEntryId"))
export type JournalEntryId = typeof JournalEntryId.Type

/**
 * How a status came about. `opened`: with its channel. `found`: a vault swap that was seen for the first time.
 * `imported`: as it was known when journals began. `changed`: the upstream says something else than before.
 * `expired`: the same, and that the channel takes no more deposits.
 */
export const ChangeKind = Schema.Literals(["opened", "found", "imported", "changed", "expired"])
export type ChangeKind = typeof ChangeKind.Type

/** A body of an upstream as it is kept: the beginning of it, where it is very long. */
export interface KeptBody {
  readonly text: string
  /** Characters of the whole. */
  readonly length: number
}

/** Far more than any record that an upstream has of a swap; what is longer is cut. */
const longestBody = 32_768

/** What is kept of a body. */
export const keepBody = (body: string): KeptBody => ({
  text: storableText(body.slice(0, longestBody)),
  length: body.length,
})

/** What happened to a swap. */
export type JournalNote = Data.TaggedEnum<{
  /** It has another status now. */
  Change: { readonly kind: ChangeKind; readonly status: SwapStatus; readonly body?: KeptBody }
  /** Its upstream said what cannot be, in one sentence; the status stays. `status` is what was said. */
  Contradiction: { readonly detail: string; readonly status: SwapStatus; readonly body: KeptBody }
  /** It stays in its state longer than it should, in one sentence. */
  Stall: { readonly detail: string }
}>
export const JournalNote = Data.taggedEnum<JournalNote>()

/** A line of a swap's journal. */
export interface JournalEntry {
  readonly id: JournalEntryId
  readonly at: EpochMillis
  readonly note: JournalNote
}
