import { Schema } from "effect"
import { JournalEntryId } from "../domain/Journal.ts"
import { EpochMillis } from "../domain/Time.ts"
import { integer } from "./parameterKinds.ts"
import { Identifier } from "./Parameters.ts"
import { SwapStatusBody } from "./SwapRecord.ts"

const optional = Schema.optionalKey

/** A line of a swap's journal. */
export const JournalEntryBody = Schema.Struct({
  id: JournalEntryId.annotate({ description: "Rises with every entry." }),
  at: EpochMillis.annotate({ description: "When it was found out, by our clock." }),
  atDate: Schema.String,
  kind: Schema.Literals(["opened", "found", "imported", "changed", "expired", "contradicted", "stalled"])
    .annotate({
      description: "`opened` with its channel; `found` by its transaction; `imported` as it was known when " +
        "journals began; `changed`: the upstream says something new; `expired`: the same, and the channel takes " +
        "no more deposits; `contradicted`: the upstream said what cannot be, and nothing changed; `stalled`: it " +
        "stays in its state for too long.",
    }),
  detail: optional(
    Schema.String.annotate({ description: "Only of `contradicted` and `stalled`: what it is." }),
  ),
  status: optional(SwapStatusBody.annotate({
    description:
      "The status from then on; of `contradicted` what the upstream said instead, with the addresses and " +
      "terms that the swap has: only `upstreamBody` tells others.",
  })),
  upstreamBody: optional(Schema.String.annotate({
    description: "What the upstream said, letter for letter; the beginning of it where it is very long.",
  })),
  upstreamBodyLength: optional(Schema.Int.annotate({ description: "Characters of the whole of it." })),
}).annotate({ identifier: "JournalEntry" })
export type JournalEntryBody = typeof JournalEntryBody.Type

/** What happened to a swap, the first entry first. */
export const JournalBody = Schema.Array(JournalEntryBody).annotate({
  description: 'The first entry first. `Link: rel="next"` leads on when there is more.',
})

/** Which part of a journal. */
export const JournalParameters = Schema.Struct({
  offset: optional(Identifier("Id of the entry to begin with, itself included.", "1")),
  limit: optional(integer({
    description: "How many entries to list, at most 500; 100 when absent.",
    example: "100",
    issue: "must be a whole number from 1 to 500",
  }, { minimum: 1, maximum: 500 })),
})

/** Our number of a swap, as a part of a path; what is no number is no swap's. */
export const swapPath = {
  id: Schema.String.annotate({ description: "The `id` of a swap.", examples: ["1"] }),
}
