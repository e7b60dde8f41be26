import { Effect, Option, Result } from "effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { lastEventIdHeader } from "#api/Events.ts"
import { issueAbout, type Issues } from "#domain/Issues.ts"
import { SwapEventId } from "#domain/swaps/SwapEvent.ts"

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
export const knownEvent = (
  { lastEventId }: { readonly lastEventId?: number | undefined },
) =>
  Effect.map(
    sentLastEventId,
    Result.map(Option.orElse(() =>
      Option.flatMap(Option.fromUndefinedOr(lastEventId), (number) => SwapEventId.makeOption(number))
    )),
  )
