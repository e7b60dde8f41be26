import { Effect, Option, Result, Schema, Struct } from "effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { lastEventIdHeader, StatusStreamParameters, SwapEventsParameters } from "../api/Events.ts"
import { issueAbout, type Issues, noIssues } from "../domain/Issues.ts"
import { SwapEventId } from "../domain/SwapEvent.ts"
import { accept } from "./accept.ts"
import { queryParameters } from "./rawParameters.ts"
import { parameterReader } from "./readParameters.ts"

interface Header {
  readonly id: Option.Option<SwapEventId>
  readonly issues: Issues
}

/** Where a client was cut off, as it says by itself. An empty one is that of a stream that had no event yet. */
const header: Effect.Effect<Header, never, HttpServerRequest.HttpServerRequest> = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ headers }) => {
    const text = headers[lastEventIdHeader.toLowerCase()] ?? ""
    if (text === "") return { id: Option.none(), issues: noIssues }
    const id = /^[0-9]{1,16}$/.test(text) ? SwapEventId.makeOption(Number(text)) : Option.none()
    return {
      id,
      issues: Option.isSome(id)
        ? noIssues
        : issueAbout(lastEventIdHeader, "must be the id of an event as this service gave it"),
    }
  },
)

const eventId = (text: number | undefined): Option.Option<SwapEventId> =>
  Option.flatMap(Option.fromUndefinedOr(text), (number) => SwapEventId.makeOption(number))

const readEvents = parameterReader(SwapEventsParameters, [])

/** What `/swaps/events` is asked for: the last event that is known already, if any. */
export const readSwapEvents = Effect.gen(function* () {
  const { values, issues } = readEvents(yield* queryParameters)
  const sent = yield* header
  return yield* accept(
    [issues, sent.issues],
    Result.succeed({ known: Option.orElse(sent.id, () => eventId(values.lastEventId)) }),
  )
})

const readStream = parameterReader(
  StatusStreamParameters.mapFields(Struct.map(Schema.optionalKey)),
  Struct.keys(StatusStreamParameters.fields).filter((name) => name !== "lastEventId"),
)

/** What `/status-stream` is asked for: the swap, and the last event of it that is known already, if any. */
export const readStatusStream = Effect.gen(function* () {
  const { values, issues } = readStream(yield* queryParameters)
  const sent = yield* header
  return yield* accept(
    [issues, sent.issues],
    Result.succeed({
      swapId: values.swapId,
      known: Option.orElse(sent.id, () => eventId(values.lastEventId)),
    }),
  )
})
