import { Effect, Option, Stream } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { HttpServerResponse } from "effect/http"
import { Accounts } from "#application/accounts/Accounts.ts"
import { Api } from "#api/Api.ts"
import { currentStatus, StatusStreamParameters, SwapEventsParameters } from "#api/Events.ts"
import { CurrentAccount } from "#api/Authorization.ts"
import type { Scope } from "#domain/accounts/Key.ts"
import { isOver } from "#domain/swaps/Swap.ts"
import type { EventsOf, SwapEvent, SwapEventId } from "#domain/swaps/SwapEvent.ts"
import { SwapNotFound, SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { eventBody, statusBody } from "#application/events/eventBody.ts"
import { EventStreams } from "#application/events/EventStreams.ts"
import { Outbox } from "#application/events/Outbox.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { accept, readBy, readerOf } from "../requests/parameterIssues.ts"
import { EventSettings, knownEvent, type ServerSentEvent, serverSentEvents } from "./serverSentEvents.ts"
import { mayListen } from "../requests/authorise.ts"
import { failAsProblem } from "../requests/failAsProblem.ts"

/** The scopes of the group, checked again before each event. */
const scopes: ReadonlyArray<Scope> = ["status"]

const toSent = (event: SwapEvent): ServerSentEvent => ({
  id: event.id,
  event: event.type,
  data: eventBody(event),
})

/** How the parameters of a refused stream are read again, to tell every issue. */
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

    const sent = (events: Stream.Stream<ServerSentEvent>) =>
      Effect.map(mayListen(accounts, scopes), (allowed) => serverSentEvents(events, { heartbeat, allowed }))

    const all = Effect.fnUntraced(function* (query: typeof SwapEventsParameters.Type) {
      const known = yield* accept([], yield* knownEvent(query))
      const { id: account } = yield* CurrentAccount
      const after = Option.isSome(known) ? known.value : yield* outbox.latestId(account)
      const events = yield* streams.open({ account, events: { account }, after })
      return yield* sent(Stream.map(events, toSent))
    })

    const isLast = (of: EventsOf, id: SwapEventId) =>
      Effect.map(outbox.after({ ...of, id, limit: 1 }), (later) => later.length === 0)

    /** The events of a swap up to its last; where the database cannot tell, the next event is asked. */
    const untilOver = (events: Stream.Stream<SwapEvent>, of: EventsOf, find: FoundSwap) =>
      Stream.takeUntilEffect(events, ({ id }) =>
        Effect.map(find, ({ status }) => isOver(status)).pipe(
          Effect.flatMap((over) => over ? isLast(of, id) : Effect.succeed(false)),
          Effect.orElseSucceed(() => false),
        ))

    /** Streams one swap: as it is now, then its events; or only the events after the one the client knows. */
    const one = Effect.fnUntraced(function* ({ swapId, ...query }: typeof StatusStreamParameters.Type) {
      const known = yield* accept([], yield* knownEvent(query))
      const account = yield* CurrentAccount
      const id = yield* Effect.fromOption(SwapRecordId.makeOption(swapId)).pipe(
        Effect.mapError(() => new SwapNotFound()),
      )
      const of = { account: account.id, swap: id }
      // The latest id is read before the swap, so that an event in between is told twice rather than never.
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
      swapEvents: ({ query }) => failAsProblem(all(query)),
      statusStream: ({ query }) => failAsProblem(one(query)),
    })
  }),
)
