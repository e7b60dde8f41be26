import { Array, Data, Deferred, Duration, Effect, Metric, type Scope, Stream } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import type { AccountId } from "#domain/accounts/Account.ts"
import type { EventsOf, NoticeKind, SwapEventId, SwapNotice } from "#domain/swaps/SwapEvent.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { warnSparsely } from "#infrastructure/platform/rateLimitedLog.ts"
import { Outbox } from "./Outbox.ts"
import { surviving, unlessAway } from "#infrastructure/platform/outages.ts"
import type { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { NoticesRepo } from "#infrastructure/store/swaps/NoticesRepo.ts"

/** The account has as many streams of a kind open as it may have. */
export class TooManyStreams extends Data.TaggedError("TooManyStreams")<{ readonly most: number }> {}

/** A listener: its account, the events it listens to and its position. */
export interface Listener {
  readonly account: AccountId
  readonly events: EventsOf
  /** The last event that the listener knows. */
  readonly after: SwapEventId
}

/** The interval of writes, and with it of those of one swap and kind. */
const writeEvery = Duration.minutes(1)

/** The most that are written in an interval, and at once: reading all events again and again costs no more. */
const mostKept = 5_000
const atOnce = 1_000

/** What was shown of swaps, recorded in the background: a lost record changes nothing that anybody is shown. */
export class Notices extends service<Notices>()(
  "swap-broker/events/Notices",
  Effect.gen(function* () {
    const repo = yield* NoticesRepo
    const kept = new Map<string, SwapNotice>()

    /** Writes what is kept of one swap, or of all. */
    const write = (swap?: SwapRecordId) =>
      Effect.suspend(() => {
        const written = [...kept].filter(([, { swapId }]) => swap === undefined || swapId === swap)
        for (const [key] of written) kept.delete(key)
        const chunks = Array.chunksOf(written.map(([, notice]) => notice), atOnce)
        return Effect.forEach(chunks, repo.add, { discard: true })
      }).pipe(surviving("Recording what was shown of swaps failed", { usesDatabase: false }))
    yield* Effect.addFinalizer(() => write())
    yield* Effect.forkScoped(Effect.forever(Effect.delay(write(), writeEvery)))

    /** Notes that something was shown now; `times`: 0 where it only goes on being shown. Waits for nothing. */
    const note = Effect.fnUntraced(function* (swapId: SwapRecordId, kind: NoticeKind, times: 0 | 1 = 1) {
      const now = yield* currentMillis
      const key = `${swapId} ${kind}`
      const before = kept.get(key) ?? { swapId, kind, firstAt: now, times: 0 }
      if (kept.size >= mostKept && !kept.has(key)) {
        return yield* warnSparsely(
          "notices",
          1,
          `More than ${mostKept} notices in a minute; one is not recorded`,
        )
      }
      kept.set(key, { ...before, lastAt: now, times: before.times + times })
    })

    /** What is recorded of a swap, the latest first. Another replica's last minute is missing. */
    const of = (swap: SwapRecordId) => Effect.andThen(write(swap), repo.of(swap))
    return { note, of }
  }),
) {}

/**
 * Streams of events as they are written, for as long as somebody listens. An account may have `mostPerAccount` streams
 * of each kind open at a time, over all of its keys.
 */
export class EventStreams extends service<EventStreams>()(
  "swap-broker/events/EventStreams",
  ({ mostPerAccount }: { readonly mostPerAccount: number }) =>
    Effect.gen(function* () {
      const outbox = yield* Outbox
      const notices = yield* Notices
      const closed = yield* Deferred.make<void>()
      const ofEvents = makePlaces(mostPerAccount)
      const ofOthers = makePlaces(mostPerAccount)

      const within = <A>(place: StreamPlace, stream: Stream.Stream<A>) =>
        Effect.as(place, Stream.interruptWhen(stream, Deferred.await(closed)))

      return {
        /**
         * Another stream than of swap events; it ends when the process stops. Such streams have as many places of their
         * own: whoever reads a key in a page that shows quotes must not keep the account's servers from its events.
         */
        keep: <A>(account: AccountId, stream: Stream.Stream<A>) => within(ofOthers(account), stream),
        /** Events after the known one, without end. Holds a place of the account until the scope closes. */
        open: ({ account, after, events }: Listener) =>
          within(
            ofEvents(account),
            Stream.catch(outbox.follow(events, after), (error) =>
              Stream.fromEffectDrain(
                unlessAway(error, warnSparsely("event stream", 1, "A stream of events ends", error)),
              )).pipe(Stream.tap(({ swapId, type }) => notices.note(swapId, type))),
          ),
        /** Ends all streams, now and from now on. */
        close: Effect.asVoid(Deferred.succeed(closed, undefined)),
      }
    }),
) {}

/** One of an account's places for streams, until the scope closes. */
type StreamPlace = Effect.Effect<void, TooManyStreams, Scope.Scope>

const makePlaces = (mostPerAccount: number): (account: AccountId) => StreamPlace => {
  const open = new Map<AccountId, number>()

  const leave = (account: AccountId) => {
    const left = (open.get(account) ?? 1) - 1
    if (left > 0) open.set(account, left)
    else open.delete(account)
  }

  return (account) =>
    Effect.acquireRelease(
      Effect.suspend(() => {
        const count = open.get(account) ?? 0
        if (count >= mostPerAccount) return Effect.fail(new TooManyStreams({ most: mostPerAccount }))
        open.set(account, count + 1)
        return Metric.modify(metrics.eventStreams, 1)
      }),
      () => Effect.andThen(Effect.sync(() => leave(account)), Metric.modify(metrics.eventStreams, -1)),
    )
}
