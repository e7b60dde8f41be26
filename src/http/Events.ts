import { Effect, Option, Stream } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Accounts } from "../accounts/Accounts.ts"
import { Api } from "../api/Api.ts"
import { currentStatus, StatusStreamParameters, SwapEventsParameters } from "../api/Events.ts"
import { CurrentAccount } from "../api/Authorization.ts"
import type { Scope } from "../domain/Key.ts"
import { isOver } from "../domain/Swap.ts"
import type { EventsOf, SwapEvent, SwapEventId } from "../domain/SwapEvent.ts"
import { SwapNotFound, SwapRecordId } from "../domain/SwapRecord.ts"
import { eventBody, statusBody } from "../events/eventBody.ts"
import { EventStreams } from "../events/EventStreams.ts"
import { Outbox } from "../events/Outbox.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import { Swaps } from "../swapping/Swaps.ts"
import { accept, readBy, readerOf } from "./explain.ts"
import { EventSettings } from "./EventSettings.ts"
import { knownEvent } from "./lastEventId.ts"
import { orProblem } from "./orProblem.ts"
import { Received } from "./server/Received.ts"
import { refusalOf } from "./refusalOf.ts"
import { type ServerSentEvent, serverSentEvents } from "./serverSentEvents.ts"

/** As the group needs it. */
const scopes: ReadonlyArray<Scope> = ["status"]

const toSent = (event: SwapEvent): ServerSentEvent => ({
  id: event.id,
  event: event.type,
  data: eventBody(event),
})

/** How a refused stream is read. */
export const eventReadings = {
  swapEvents: readBy(readerOf(SwapEventsParameters), knownEvent),
  statusStream: readBy(readerOf(StatusStreamParameters), knownEvent),
}

type FoundSwap = ReturnType<Swaps["Service"]["byId"]>

export const EventsHandlers = HttpApiBuilder.group(
  Api,
  "events",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* Accounts
    const streams = yield* EventStreams
    const outbox = yield* Outbox
    const swaps = yield* Swaps
    const { heartbeat } = yield* EventSettings

    /** A key that is revoked, or an account that loses what it was let in with, hears no more. */
    const mayListen = Effect.gen(function* () {
      const { credentials: [key] } = yield* Received
      const { headers: { origin } } = yield* HttpServerRequest.HttpServerRequest
      if (key === undefined) return Effect.succeed(false)
      return accounts.authenticate(key).pipe(
        Effect.map(Option.exists((caller) => refusalOf(caller, { scopes, origin }) === undefined)),
        // The events come from the same database: where it is away there is nothing to send either.
        Effect.orElseSucceed(() => true),
      )
    })

    const sent = (events: Stream.Stream<ServerSentEvent>) =>
      Effect.map(mayListen, (allowed) => serverSentEvents(events, { heartbeat, allowed }))

    const all = Effect.fnUntraced(function* (query: typeof SwapEventsParameters.Type) {
      const known = yield* accept([], yield* knownEvent(query))
      const { id: account } = yield* CurrentAccount
      const after = Option.isSome(known) ? known.value : yield* outbox.latestId(account)
      const events = yield* streams.open({ account, events: { account }, after })
      return yield* sent(Stream.map(events, toSent))
    })

    const isLast = (of: EventsOf, id: SwapEventId) =>
      Effect.map(outbox.after({ ...of, id, limit: 1 }), (later) => later.length === 0)

    /** The events of a swap until there will be no more; what cannot be told now may be with the next event. */
    const untilOver = (events: Stream.Stream<SwapEvent>, of: EventsOf, find: FoundSwap) =>
      Stream.takeUntilEffect(events, ({ id }) =>
        Effect.map(find, ({ status }) => isOver(status)).pipe(
          Effect.flatMap((over) => over ? isLast(of, id) : Effect.succeed(false)),
          Effect.orElseSucceed(() => false),
        ))

    /** Whoever comes again goes on after the last event; everybody else begins with the swap as it is. */
    const one = Effect.fnUntraced(function* ({ swapId, ...query }: typeof StatusStreamParameters.Type) {
      const known = yield* accept([], yield* knownEvent(query))
      const account = yield* CurrentAccount
      const id = yield* Effect.fromOption(SwapRecordId.makeOption(swapId)).pipe(
        Effect.mapError(() => new SwapNotFound()),
      )
      const of = { account: account.id, swap: id }
      // Before the swap is read: what happens in between is told twice rather than never.
      const after = Option.isSome(known) ? known.value : yield* outbox.latestId(account.id)
      const find = swaps.byId(account, id)
      const record = yield* find
      const current = Stream.succeed({
        id: after,
        event: currentStatus,
        data: statusBody(currentStatus, record, yield* currentMillis),
      })
      if (isOver(record.status)) {
        if (Option.isNone(known)) return yield* sent(current)
        if (yield* isLast(of, known.value)) return HttpServerResponse.empty()
      }
      const events = untilOver(yield* streams.open({ account: account.id, events: of, after }), of, find)
      const coming = Stream.map(events, toSent)
      return yield* sent(Option.isSome(known) ? coming : Stream.concat(current, coming))
    })

    return handlers.handleAll({
      swapEvents: ({ query }) => orProblem(all(query)),
      statusStream: ({ query }) => orProblem(one(query)),
    })
  }),
)
