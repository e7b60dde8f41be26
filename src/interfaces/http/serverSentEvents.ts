import { Context, Duration, Effect, Option, Result, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { lastEventIdHeader } from "#api/Events.ts"
import { issueAbout, type Issues } from "#domain/Issues.ts"
import { SwapEventId } from "#domain/swaps/SwapEvent.ts"

export class EventSettings extends Context.Service<EventSettings, {
  /** The time between two comments that keep a stream open. */
  readonly heartbeat: Duration.Duration
}>()("swap-broker/http/serverSentEvents/EventSettings") {}

/** An event of a stream. `data` is JSON on one line. */
export interface ServerSentEvent {
  readonly id: number
  readonly event: string
  readonly data: string
}

const frame = ({ data, event, id }: ServerSentEvent): string =>
  `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`

/** The beginning of a stream. It tells browsers to come again two seconds after the stream has ended. */
const opening = "retry: 2000\n\n"

/** A comment, which clients ignore. It shows proxies on the way that the connection is in use. */
const heartbeat = ": \n\n"

/** Options of a stream. */
export interface KeepOpen {
  readonly heartbeat: Duration.Duration
  /** Whether the caller may still listen. Run before each event and comment. */
  readonly allowed: Effect.Effect<boolean>
}

/** Answers with events until they end or the caller may no longer listen. */
export const serverSentEvents = (
  events: Stream.Stream<ServerSentEvent>,
  { allowed, heartbeat: interval }: KeepOpen,
): HttpServerResponse.HttpServerResponse => {
  const beats = Stream.map(Stream.tick(interval), () => heartbeat)
  const sent = Stream.merge(Stream.map(events, frame), beats, { haltStrategy: "left" }).pipe(
    Stream.mapEffect((text) => Effect.map(allowed, (may) => may ? Option.some(text) : Option.none())),
    Stream.takeWhile(Option.isSome),
    Stream.map(({ value }) => value),
  )
  return HttpServerResponse.stream(
    Stream.encodeText(Stream.concat(Stream.succeed(opening), sent)),
    // The header keeps nginx from collecting the answer before it passes anything on.
    { contentType: "text/event-stream", headers: { "x-accel-buffering": "no" } },
  )
}

type LastEventId = Option.Option<SwapEventId>

const nowhere: Result.Result<LastEventId, Issues> = Result.succeed(Option.none())

/** The last event by `Last-Event-ID`. An empty header is that of a stream that had no event yet. */
export const sentLastEventId: Effect.Effect<
  Result.Result<LastEventId, Issues>,
  never,
  HttpServerRequest.HttpServerRequest
> = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => {
  const text = headers[lastEventIdHeader.toLowerCase()] ?? ""
  if (text === "") return nowhere
  const id = /^[0-9]{1,16}$/.test(text) ? SwapEventId.makeOption(Number(text)) : Option.none()
  return Option.isSome(id)
    ? Result.succeed(id)
    : Result.fail(issueAbout(lastEventIdHeader, "must be the id of an event as this service gave it"))
})

/** The last event that a client knows, if any: by its header, else by its query. */
export const knownEvent = ({ lastEventId }: { readonly lastEventId?: number | undefined }) =>
  Effect.map(
    sentLastEventId,
    Result.map(Option.orElse(() =>
      Option.flatMap(Option.fromUndefinedOr(lastEventId), (number) => SwapEventId.makeOption(number))
    )),
  )
