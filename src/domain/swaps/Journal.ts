import { Data, Schema } from "effect"
import type { ProviderName } from "../ProviderName.ts"
import { storableText } from "../storable.ts"
import type { SwapStatus } from "./Swap.ts"
import type { EpochMillis } from "../Time.ts"

/** The number of an entry, which rises with every entry of a journal. */
export const JournalEntryId = Schema.Int
  .check(Schema.isGreaterThan(0))
  .pipe(Schema.brand("JournalEntryId"))
export type JournalEntryId = typeof JournalEntryId.Type

/**
 * How a status came about. `opened`: with its channel. `found`: when a vault swap was first seen. `imported`: it was
 * known when journals began. `changed`: the upstream reports something else than before. `expired`: the same, and the
 * channel now takes no more deposits.
 */
export const ChangeKind = Schema.Literals(["opened", "found", "imported", "changed", "expired"])
export type ChangeKind = typeof ChangeKind.Type

/** The body of an upstream's answer as it is kept: only the beginning of a very long one. */
export interface KeptBody {
  readonly text: string
  /** The length of the whole body, in characters. */
  readonly length: number
}

/** The most characters that are kept of a body: far more than any upstream's record of a swap has. */
const longestBody = 32_768

export const keepBody = (body: string): KeptBody => ({
  text: storableText(body.slice(0, longestBody)),
  length: body.length,
})

/** An event in the life of a swap. */
export type JournalNote = Data.TaggedEnum<{
  /** The swap has another status now; `detail` says why in one sentence, where that is not an upstream's answer. */
  Change: {
    readonly kind: ChangeKind
    readonly status: SwapStatus
    readonly detail?: string
    readonly body?: KeptBody
  }
  /** The upstream reported `status`, which cannot be true, for the reason in `detail`. The swap keeps its own. */
  Contradiction: { readonly detail: string; readonly status: SwapStatus; readonly body: KeptBody }
  /** The swap stays in its state longer than it should; `detail` says so in one sentence. */
  Stall: { readonly detail: string }
}>
export const JournalNote = Data.taggedEnum<JournalNote>()

/** A line of a swap's journal. */
export interface JournalEntry {
  readonly id: JournalEntryId
  readonly platform: ProviderName
  readonly at: EpochMillis
  readonly note: JournalNote
}
