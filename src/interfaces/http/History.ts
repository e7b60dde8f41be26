import { Effect, Option, Result, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Commissions } from "#application/accounts/Commissions.ts"
import { type CommissionBody, CommissionParameters, HistoryParameters, mostDays } from "#api/History.ts"
import { CurrentAccount } from "#api/Authorization.ts"
import { type HistoryQuery, SwapNotFound, SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { Registry } from "#providers/Registry.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { OpeningRules } from "#application/swapping/opening/OpeningRules.ts"
import { type HistoryPage, Swaps } from "#application/swapping/Swaps.ts"
import { accept, readBy, readerOf } from "../requests/parameterIssues.ts"
import { historyCsv } from "../requests/csv.ts"
import { jsonResponse, linkToNext } from "./pages.ts"
import { prefersCsv } from "./prefersCsv.ts"
import { presentSum } from "#api/commissionFigures.ts"
import { guidedJson, payablesJson, recordJson } from "#api/presentSwap.ts"
import { historyQuery } from "../requests/historyQuery.ts"
import { SwapNetworks } from "#providers/SwapNetworks.ts"
import { responseLanguage } from "../requests/language.ts"
import { failAsProblem, handlersOf } from "../requests/failedRequests.ts"
import {
  type CommissionQuery,
  daysWithin,
  type EarnedCommission,
  sumsByAsset,
} from "#domain/money/Commission.ts"
import { issueAbout, type Issues, noIssues } from "#domain/Issues.ts"
import { Accounts } from "#application/accounts/Accounts.ts"
import { currentStatus, StatusStreamParameters, SwapEventsParameters } from "#api/Events.ts"
import type { Scope } from "#domain/accounts/Key.ts"
import { isOver } from "#domain/swaps/Swap.ts"
import type { EventsOf, SwapEvent, SwapEventId } from "#domain/swaps/SwapEvent.ts"
import { bodyOf, eventBody } from "#application/events/eventBody.ts"
import { EventStreams } from "#application/events/EventStreams.ts"
import { Guide } from "#application/guidance/Guide.ts"
import type { Language } from "#domain/Language.ts"
import { Outbox } from "#application/events/Outbox.ts"
import { EventSettings, knownEvent, type ServerSentEvent, serverSentEvents } from "./serverSentEvents.ts"
import { mayListen } from "../requests/authorise.ts"

/** Earned commission as the API shows it: each amount exact, in units of the asset and in native units. */
const presentCommission = (
  { from, to }: CommissionQuery,
  earned: ReadonlyArray<EarnedCommission>,
): CommissionBody => ({
  from,
  to,
  totals: [...sumsByAsset(earned)].toSorted(([one], [other]) => one < other ? -1 : 1)
    .map(([asset, sum]) => presentSum(asset, sum)),
  days: earned.map(({ day, asset, ...sum }) => ({ day, ...presentSum(asset, sum) })),
})

/** The commission that a query asks for: of one day at least, and of at most as many days as one answer covers. */
export const commissionQuery = (
  { from, to, asset }: Partial<typeof CommissionParameters.Type>,
): Result.Result<CommissionQuery, Issues> => {
  // An issue for a missing or unreadable day was raised where the parameters were read.
  if (from === undefined || to === undefined) return Result.fail(noIssues)
  const days = daysWithin(from, to)
  if (days < 1) return Result.fail(issueAbout("from", "must not be after to"))
  if (days > mostDays) return Result.fail(issueAbout("to", `must be at most ${mostDays - 1} days after from`))
  return Result.succeed({ from, to, ...(asset === undefined ? {} : { asset }) })
}

/** How the parameters of a refused query are read again, to tell every issue. */
export const historyReadings = {
  swaps: readBy(readerOf(HistoryParameters), historyQuery),
  commission: readBy(readerOf(CommissionParameters), (asked) => Effect.succeed(commissionQuery(asked))),
}

const empty: HistoryPage = { records: [] }

const defaultLimit = 50

/** How many swaps of a CSV without a limit are in memory at a time. */
const lotSize = 500

export const HistoryHandlers = handlersOf("history")(Effect.fnUntraced(function* (handlers) {
  const swaps = yield* Swaps
  const registry = yield* Registry
  const commissions = yield* Commissions
  const { networkOf } = yield* OpeningRules
  const csvSetting = { networkOf, priced: swaps.priced }

  const page = Effect.fnUntraced(
    function* ({ offset, ...query }: Omit<HistoryQuery, "offset"> & { readonly offset?: number }) {
      // No swap has an id below 1, so a descending list from 0 is empty and an ascending one is whole.
      if (offset === 0 && query.sort === "descending") return empty
      return yield* swaps.history(yield* CurrentAccount, {
        ...query,
        ...Option.match(SwapRecordId.makeOption(offset ?? 0), {
          onNone: () => ({}),
          onSome: (id) => ({ offset: id }),
        }),
      })
    },
  )

  const answer = Effect.fnUntraced(function* (asked: typeof HistoryParameters.Type) {
    const { limit, offset, ...filters } = yield* accept([], yield* historyQuery(asked))
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const asCsv = prefersCsv(headers.accept)
    const query = {
      ...filters,
      ...(offset === undefined ? {} : { offset }),
      limit: limit ?? (asCsv ? lotSize : defaultLimit),
    }
    const first = yield* page(query)
    const account = yield* CurrentAccount
    if (asCsv && limit === undefined) {
      return historyCsv(csvSetting, first, (from) => swaps.history(account, { ...query, offset: from }))
    }
    if (first.next !== undefined) yield* linkToNext(first.next)
    if (asCsv) return historyCsv(csvSetting, first)
    const now = yield* currentMillis
    const { shown } = yield* swaps.priced((priceAt) =>
      payablesJson(first.records, { networkOf, now, priceAt })
    )
    return jsonResponse(shown)
  }, Effect.map(HttpServerResponse.setHeader("vary", "accept")))

  const commission = Effect.fnUntraced(function* (asked: typeof CommissionParameters.Type) {
    const query = yield* accept([], commissionQuery(asked))
    return presentCommission(query, yield* commissions.earned(yield* CurrentAccount, query))
  })

  return handlers.handleAll({
    swaps: ({ query }) => answer(query).pipe(failAsProblem, Effect.provideService(Registry, registry)),
    commission: ({ query }) => failAsProblem(commission(query)),
  })
}))

/** The scopes of the group, checked again before each event. */
const scopes: ReadonlyArray<Scope> = ["status"]

/** How the parameters of a refused stream are read again, to tell every issue. */
export const eventReadings = {
  swapEvents: readBy(readerOf(SwapEventsParameters), knownEvent),
  statusStream: readBy(readerOf(StatusStreamParameters), knownEvent),
}

type FoundSwap = ReturnType<Swaps["Service"]["byId"]>

export const EventsHandlers = handlersOf("events")(Effect.fnUntraced(function* (handlers) {
  const accounts = yield* Accounts
  const streams = yield* EventStreams
  const outbox = yield* Outbox
  const networks = yield* SwapNetworks
  const swaps = yield* Swaps
  const { heartbeat } = yield* EventSettings
  const guide = yield* Guide

  const inWords = (events: Stream.Stream<SwapEvent>, language: Language) =>
    Stream.mapEffect(
      events,
      (event) =>
        Effect.map(
          eventBody(guide, event, language),
          (data): ServerSentEvent => ({ id: event.id, event: event.type, data }),
        ),
    )

  const sent = (events: Stream.Stream<ServerSentEvent>) =>
    Effect.map(mayListen(accounts, scopes), (allowed) => serverSentEvents(events, { heartbeat, allowed }))

  const all = Effect.fnUntraced(function* (query: typeof SwapEventsParameters.Type) {
    const known = yield* accept([], yield* knownEvent(query))
    const { id: account } = yield* CurrentAccount
    const after = Option.isSome(known) ? known.value : yield* outbox.latestId(account)
    const events = yield* streams.open({ account, events: { account }, after })
    return yield* sent(inWords(events, yield* responseLanguage(query.language)))
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
    const language = yield* responseLanguage(query.language)
    const guidance = yield* guide.swap(record, language)
    const { shown } = yield* swaps.priced((priceAt) => recordJson(record, { ...networks, priceAt }))
    const data = bodyOf(currentStatus, yield* currentMillis, guidedJson(shown, guidance))
    const current = Stream.succeed({ id: after, event: currentStatus, data })
    if (isOver(record.status)) {
      if (Option.isNone(known)) return yield* sent(current)
      if (yield* isLast(of, known.value)) return HttpServerResponse.empty()
    }
    const events = untilOver(yield* streams.open({ account: account.id, events: of, after }), of, find)
    const coming = inWords(events, language)
    return yield* sent(Option.isSome(known) ? coming : Stream.concat(current, coming))
  })

  return handlers.handleAll({
    swapEvents: ({ query }) => failAsProblem(all(query)),
    statusStream: ({ query }) => failAsProblem(one(query)),
  })
}))
