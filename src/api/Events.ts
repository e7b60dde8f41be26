import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { Guidance } from "#domain/swaps/Guidance.ts"
import { SwapEventType } from "#domain/swaps/SwapEvent.ts"
import { about } from "./endpoint.ts"
import { Authorization, needsScope, RuleFaults } from "./Authorization.ts"
import { Identifier } from "./Parameters.ts"
import { BadRequest, InternalServerError, NotFound, ServiceUnavailable, TooManyRequests } from "./Problems.ts"
import { StatusByIdParameters } from "./Status.ts"
import { maybe, member } from "./shape.ts"
import { SwapRecordBody } from "./SwapRecord.ts"
import { ChosenLanguage } from "./WebhookBodies.ts"

/** The header with a client's last event after a lost connection; browsers send it by themselves. */
export const lastEventIdHeader = "Last-Event-ID"

const LastEventId = Identifier(
  "The last event that is known already; the first ones sent are those after it. 0 for all that there are. " +
    `\`${lastEventIdHeader}\`, where it is sent, counts instead.`,
  "4711",
)

export const SwapEventsParameters = Schema.Struct({
  lastEventId: Schema.optionalKey(LastEventId),
  language: Schema.optionalKey(
    ChosenLanguage.annotate({
      description: "Language of `guidance`; that of `Accept-Language` when absent.",
    }),
  ),
})

export const StatusStreamParameters = Schema.Struct({
  ...StatusByIdParameters.fields,
  ...SwapEventsParameters.fields,
})

/** The type of the first message in the stream of one swap: its present status, which is no event. */
export const currentStatus = "swap.status"

/** An event of a swap, in streams and in webhooks alike. */
export const SwapEventBody = Schema.Struct({
  type: Schema.Literals([currentStatus, ...SwapEventType.literals]).annotate({
    description:
      "What happened. `swap.status` is not an event: `/status-stream` begins with it, and it has the present status.",
    examples: ["swap.completed"],
  }),
  timestamp: member.text("When it happened, in ISO 8601."),
  data: member.of(
    Schema.Struct({
      ...SwapRecordBody.fields,
      guidance: maybe.of(Guidance, "What the event meant when it was written, in words."),
    }).annotate({ identifier: "SwapOfEvent" }),
    "The swap as `/status-by-id` had it at the time of the event, without `payment`.",
  ),
}).annotate({
  identifier: "SwapEvent",
  description: "An event of a swap, with the swap as `/status-by-id` had it at that time, without `payment`.",
})

const stream = <Name extends string>(names: ReadonlyArray<Name>, description: string) =>
  HttpApiSchema.StreamSse({
    events: Schema.Struct({
      id: Schema.optionalKey(Schema.String),
      event: Schema.Literals(names),
      data: Schema.String,
    }),
  }).annotate({ description })

const resuming = "Comments keep the connection open. Goes on after `Last-Event-ID` when a client comes again."

const error = [BadRequest, TooManyRequests, InternalServerError, ServiceUnavailable] as const

/** The events of swaps, as they happen, as server-sent events. */
export class EventsGroup extends HttpApiGroup.make("events").add(
  HttpApiEndpoint.get("swapEvents", "/swaps/events", {
    query: SwapEventsParameters,
    success: stream(
      SwapEventType.literals,
      `Every event of the account's swaps, without end. \`data\` is a \`SwapEvent\` as JSON. ${resuming}`,
    ),
    error,
  }).annotateMerge(about(
    "followSwaps",
    "Follow all swaps",
    "A stream of server-sent events (`text/event-stream`) that stays open. To miss nothing, " +
      "reconnect with the ID of the last event as `Last-Event-ID`. Browsers do so automatically.",
  )),
  HttpApiEndpoint.get("statusStream", "/status-stream", {
    query: StatusStreamParameters,
    success: [
      stream(
        [currentStatus, ...SwapEventType.literals],
        "The swap as it is (`swap.status`, left out for who comes again), then its events until its end. " +
          `\`data\` is a \`SwapEvent\` as JSON. ${resuming}`,
      ),
      HttpApiSchema.NoContent.annotate({
        description: "The swap has ended and the client knows all its events: no need to connect again.",
      }),
    ],
    error: [...error, NotFound],
  }).annotateMerge(about(
    "followSwap",
    "Follow one swap to its end",
    "A stream of server-sent events (`text/event-stream`): first the swap as it is, then whatever " +
      "happens to it, until its end.",
  )),
).middleware(RuleFaults).middleware(Authorization).annotateMerge(
  needsScope("status", { title: "Events", description: "Follow swaps without polling." }),
) {}
