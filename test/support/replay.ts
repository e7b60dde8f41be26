import { Data, Option, Result } from "effect"
import { type JournalEntry, type JournalEntryId, JournalNote } from "#domain/swaps/Journal.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { contradictionIn, kindOfChange, unprovenEnd } from "#application/swapping/following/Progress.ts"

/** A journal that cannot have come about: which entry does not fit, and why. */
export class ReplayFailed extends Data.TaggedError("ReplayFailed")<{
  readonly entry: Option.Option<JournalEntryId>
  readonly detail: string
}> {}

type Change = Extract<JournalNote, { readonly _tag: "Change" }>

/** Why a change cannot come after what was known. */
const faultIn = (known: Option.Option<SwapStatus>, { kind, status }: Change): string | undefined => {
  const begins = kind === "opened" || kind === "found" || kind === "imported"
  if (Option.isNone(known)) return begins ? undefined : `A journal does not begin with ${kind}`
  if (begins) return `A journal has ${kind} only at its beginning`
  if (kindOfChange(known.value, status) !== kind) return `The change is not one that is called ${kind}`
  return contradictionIn(known.value, status) ?? unprovenEnd(status)
}

/**
 * What a journal comes to, from nothing: each change is checked by the rules that it was made by, contradictions
 * and stalls change nothing.
 */
export const replay = (journal: ReadonlyArray<JournalEntry>): Result.Result<SwapStatus, ReplayFailed> => {
  let known = Option.none<SwapStatus>()
  for (const { id, note } of journal) {
    if (!JournalNote.$is("Change")(note)) continue
    const detail = faultIn(known, note)
    if (detail !== undefined) return Result.fail(new ReplayFailed({ entry: Option.some(id), detail }))
    known = Option.some(note.status)
  }
  return Result.fromOption(
    known,
    () => new ReplayFailed({ entry: Option.none(), detail: "The journal has no status" }),
  )
}
