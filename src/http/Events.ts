import { Effect, Option, Stream } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Accounts } from "../accounts/Accounts.ts"
import { Api } from "../api/Api.ts"
import { currentStatus } from "../api/Events.ts"
import { CurrentAccount } from "../domain/Account.ts"
import { isOver } from "../domain/Swap.ts"
import type { SwapEvent } from "../domain/SwapEvent.ts"
import { SwapNotFound, type SwapRecord, SwapRecordId } from "../domain/SwapRecord.ts"
import { eventBody, statusBody } from "../events/eventBody.ts"
import { EventStreams } from "../events/EventStreams.ts"
import { Outbox } from "../events/Outbox.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import { Swaps } from "../swapping/Swaps.ts"
import { EventSettings } from "./EventSettings.ts"
import { orProblem } from "./problemResponse.ts"
import { readStatusStream, readSwapEvents } from "./readEventsQuery.ts"
import { Received } from "./Received.ts"
import { refusalOf } from "./refusalOf.ts"
import { type ServerSentEvent, serverSentEvents } from "./serverSentEvents.ts"

/** As the group needs it. */
const scope = Option.some("status" as const)

const toSent = (event: SwapEvent): ServerSentEvent => ({
  id: event.id,
  event: event.type,
  data: eventBody(event),
})

/** After these a swap may be over; a failed one may still have its deposit sent back. */
const endings: ReadonlyArray<SwapEvent["type"]> = ["swap.completed", "swap.failed", "swap.refunded"]

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
        Effect.map(Option.exists((caller) => refusalOf(caller, { scope, origin }) === undefined)),
        // The events come from the same database: where it is away there is nothing to send either.
        Effect.orElseSucceed(() => true),
      )
    })

    const sent = (events: Stream.Stream<ServerSentEvent>) =>
      Effect.map(mayListen, (allowed) => serverSentEvents(events, { heartbeat, allowed }))

    const all = Effect.gen(function* () {
      const { known } = yield* readSwapEvents
      const { id: account, keyId } = yield* CurrentAccount
      const after = Option.isSome(known) ? known.value : yield* outbox.latestId(account)
      const events = yield* streams.open({ keyId, events: { account }, after })
      return yield* sent(Stream.map(events, toSent))
    })

    /** Nothing more will come of the swap; an answer that cannot be had now may be had with the next event. */
    const isOverAfter = (find: Effect.Effect<SwapRecord, unknown>, event: SwapEvent) =>
      endings.includes(event.type)
        ? Effect.orElseSucceed(Effect.map(find, ({ status }) => isOver(status)), () => false)
        : Effect.succeed(false)

    const one = Effect.gen(function* () {
      const { known, swapId } = yield* readStatusStream
      const account = yield* CurrentAccount
      const id = yield* Effect.mapError(
        Effect.fromOption(SwapRecordId.makeOption(swapId ?? 0)),
        () => new SwapNotFound(),
      )
      // Before the swap is read: what happens in between is told twice rather than never.
      const latest = yield* outbox.latestId(account.id)
      const find = swaps.byId(account, id)
      const record = yield* find
      const of = { account: account.id, swap: id }
      const after = Option.getOrElse(known, () => latest)
      const missed = Option.isSome(known) ? yield* outbox.after({ ...of, id: after, limit: 1 }) : []
      const isEnd = isOver(record.status)
      if (isEnd && Option.isSome(known) && missed.length === 0) return HttpServerResponse.empty()

      const now = yield* currentMillis
      const current = Option.isSome(known) ? Stream.empty : Stream.succeed({
        id: latest,
        event: currentStatus,
        data: statusBody(currentStatus, record, now),
      })
      if (isEnd && Option.isNone(known)) return yield* sent(current)
      const events = yield* streams.open({ keyId: account.keyId, events: of, after })
      const untilEnd = Stream.takeUntilEffect(events, (event) => isOverAfter(find, event))
      return yield* sent(Stream.concat(current, Stream.map(untilEnd, toSent)))
    })

    return handlers.handleAll({
      swapEvents: () => orProblem(all),
      statusStream: () => orProblem(one),
    })
  }),
)
