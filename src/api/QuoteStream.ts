import { Predicate, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, needsScope, RuleFaults } from "./Authorization.ts"
import { changeAt, type Members } from "./document/json.ts"
import { about } from "./endpoint.ts"
import { integer } from "./parameterKinds.ts"
import { TooManyRequests, upstreamProblems } from "./Problems.ts"
import { QuoteParameters } from "./Quotes.ts"
import { maybe, member } from "./shape.ts"

/** How often the providers are asked in one stream, at most. */
export const mostRounds = 5

const refreshBounds = [10, 300] as const

export const QuoteStreamParameters = Schema.Struct({
  ...QuoteParameters.fields,
  refreshSeconds: Schema.optionalKey(integer({
    description:
      `Asks the providers again, so many seconds after all have responded: ${mostRounds} times in all, ` +
      "then the stream ends. Once only when absent.",
    example: "15",
    issue: `must be a whole number of seconds from ${refreshBounds.join(" to ")}`,
    within: refreshBounds,
  })),
})

export const quoteEvents = ["quote", "refusal", "done"] as const

export const QuotesDone = Schema.Struct({
  quoteCount: member.count("Number of quotes in the last list."),
  reason: Schema.optionalKey(Schema.String.annotate({
    description:
      "Where no provider succeeded, the code of the representative failure, or its kind if it has " +
      "no code, such as `timed_out`.",
    examples: ["insufficient_liquidity"],
  })),
  refreshAt: maybe.time("When quotes are refreshed, in epoch milliseconds; absent at the end of the stream."),
}).annotate({ identifier: "QuotesDone", description: "All providers have responded, or are too late." })

const ofComponent = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const dataOfEvents = ["200", "content", "text/event-stream", "schema", "properties", "data"]

/** The operation with the forms of the JSON that the text of its events holds. */
const withDone = (operation: Members): Record<string, unknown> => ({
  ...operation,
  responses: changeAt(operation.responses, dataOfEvents, (data) => ({
    ...Predicate.isObject(data) ? data : {},
    contentMediaType: "application/json",
    contentSchema: {
      anyOf: [
        { type: "array", items: ofComponent("Quote") },
        ofComponent("ProviderAnswer"),
        ofComponent("QuotesDone"),
      ],
    },
  })),
})

/** Quotes as the providers answer, as server-sent events. */
export class QuoteStreamGroup extends HttpApiGroup.make("quoteStream").add(
  HttpApiEndpoint.get("quoteStream", "/quotes/stream", {
    query: QuoteStreamParameters,
    success: [
      HttpApiSchema.StreamSse({
        events: Schema.Struct({
          id: maybe.text("Counts the events, from 1."),
          event: Schema.Literals(quoteEvents),
          data: member.text(
            "JSON on one line: a list of quotes for `quote`, a ProviderAnswer for `refusal`, a QuotesDone for `done`.",
          ),
        }),
      }).annotate({
        description:
          "An event for each provider as it responds. `quote`: all quotes so far as JSON, as `/quotes` " +
          "lists them, the best first. `refusal`: a `ProviderAnswer` with why it has none. Then `done`, a `QuotesDone`.",
      }),
      HttpApiSchema.NoContent.annotate({
        description:
          "A browser reconnected automatically after the end (`Last-Event-ID`). Nothing more follows.",
      }),
    ],
    error: [...upstreamProblems, TooManyRequests],
  }).annotateMerge(about(
    "streamQuotes",
    "Stream quotes",
    "Like `/quotes`, sent provider by provider (`text/event-stream`): the first quote arrives as soon as the " +
      "fastest provider has responded. The last list is the response of `/quotes` without its grace " +
      "period. Closing the connection ends calls without other readers. Everyone can read the key of a page: use one " +
      "with the scope `quote` alone, of an account whose `allowedOrigins` names the page's origin.",
  )).annotate(OpenApi.Transform, withDone),
).middleware(RuleFaults).middleware(Authorization).annotateMerge(needsScope("quote", {
  title: "Streaming quotes",
  description: "Quotes for a swap, one provider at a time.",
})) {}
