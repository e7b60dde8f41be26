import { Schema } from "effect"
import { Guidance } from "#domain/swaps/Guidance.ts"
import { JournalEntryId } from "#domain/swaps/Journal.ts"
import { SwapStatusBody } from "./SwapRecord.ts"
import { maybe, member } from "./shape.ts"
import { optional } from "#domain/optional.ts"

export const JournalEntryBody = Schema.Struct({
  id: JournalEntryId.annotate({ description: "Rises with every entry." }),
  at: member.time("When the service learned of the change, by its own clock."),
  atDate: Schema.String,
  kind: Schema.Literals(["opened", "found", "imported", "changed", "expired", "contradicted", "stalled"])
    .annotate({
      description:
        "`opened` with its channel; `found` by its transaction; `imported` as it was known when journals " +
        "began; `changed`: the upstream says something new; `expired`: the same, and the channel takes no " +
        "more deposits; `contradicted`: the upstream reported something that is not possible, and nothing was " +
        "changed; `stalled`: the swap is over its usual time.",
    }),
  detail: maybe.text("The contradiction or the stall, in words; of a change why the operator made it."),
  /** Of a contradiction what the upstream said, but with the swap's own addresses and terms. */
  status: optional(SwapStatusBody),
  guidance: member.of(Guidance, "What the entry meant when it was written, in words."),
  upstreamBody: maybe.text("The upstream's response, unchanged; only its beginning if it is very long."),
  upstreamBodyLength: maybe.count("Characters of the whole response."),
}).annotate({ identifier: "JournalEntry" })
export type JournalEntryBody = typeof JournalEntryBody.Type
