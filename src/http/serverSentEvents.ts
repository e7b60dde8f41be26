import { Duration, Effect, Option, Stream } from "effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** One event of a stream; `data` is JSON and so has no line breaks. */
export interface ServerSentEvent {
  readonly id: number
  readonly event: string
  readonly data: string
}

const frame = ({ data, event, id }: ServerSentEvent): string =>
  `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`

/** Browsers come again after this long. */
const opening = "retry: 2000\n\n"

/** A comment, which nobody is told of; it shows everybody on the way that the connection is in use. */
const heartbeat = ": \n\n"

/** How a stream is kept open. */
export interface KeepOpen {
  readonly heartbeat: Duration.Duration
  /** Whether the caller may go on listening: asked before anything is sent. */
  readonly allowed: Effect.Effect<boolean>
}

/** Answers with events until they end, or until the caller may no longer listen. */
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
    // A proxy that collects an answer before it passes it on would keep the events.
    { contentType: "text/event-stream", headers: { "x-accel-buffering": "no" } },
  )
}
