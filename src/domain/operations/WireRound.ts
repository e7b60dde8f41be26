import { Schema } from "effect"
import { ProviderOperation } from "../ProviderError.ts"
import { ProviderName } from "../ProviderName.ts"
import { EpochMillis } from "../Time.ts"
import { optional } from "../optional.ts"

const Count = Schema.Int

/** A place where an upstream's answers are no longer as their provider reads them. */
export const WireDrift = Schema.Struct({
  operation: ProviderOperation,
  call: optional(Schema.String.annotate({
    description: "The upstream's own name of the call; absent where the fault is in no one answer.",
    examples: ["GET /v0/tokens"],
  })),
  member: optional(Schema.String.annotate({
    description: "The member, `[*]` for any element of a list; `body` for the whole answer.",
    examples: ["quote.amountOut"],
  })),
  expected: optional(Schema.String.annotate({ description: "What the provider reads there." })),
  came: Schema.String.annotate({ description: "What was answered instead." }),
  about: optional(Schema.String.annotate({
    description: "What was asked for when it was first seen.",
    examples: ["btc.btc to eth.eth"],
  })),
})
export type WireDrift = typeof WireDrift.Type

/** How the questions of one operation came out. */
export const WireStep = Schema.Struct({
  operation: ProviderOperation,
  asked: Count.annotate({ description: "Questions to the provider." }),
  answered: Count.annotate({ description: "Of these, questions with an answer." }),
  refused: Count.annotate({ description: "Not offered now." }),
  failed: Count,
})

/** What the witness of a provider's wire found when it last asked for everything that opens nothing. */
export const WireRound = Schema.Struct({
  provider: ProviderName.annotate({ description: "Provider that was asked." }),
  startedAt: EpochMillis.annotate({ description: "When the first question was asked." }),
  endedAt: EpochMillis.annotate({ description: "When the last answer was compared." }),
  exchanges: Count.annotate({ description: "Answers of the upstream that were compared." }),
  pairsListed: Count.annotate({ description: "Pairs that the provider lists." }),
  pairsAsked: Count.annotate({
    description: "Pairs that were quoted in this round; later rounds ask for the others.",
  }),
  steps: Schema.Array(WireStep).annotate({ description: "How the questions of each operation came out." }),
  drift: Schema.Array(WireDrift).annotate({
    description: "What is not as the provider reads it; empty if all is.",
  }),
})
export type WireRound = typeof WireRound.Type

/** How a member of a call's answers was met: there in each of them so far, or in some. */
const MemberMemory = Schema.Struct({
  isSteady: Schema.Boolean,
  /** Since when a steady member is in no answer any more. */
  missingSince: optional(EpochMillis),
})

/** What a round has to know of the earlier ones. */
export const WireMemory = Schema.Struct({
  /** How many pairs were asked in turn, over all rounds. */
  turn: Count,
  /** Members by call and pattern. */
  members: Schema.Record(Schema.String, Schema.Record(Schema.String, MemberMemory)),
})
export type WireMemory = typeof WireMemory.Type
