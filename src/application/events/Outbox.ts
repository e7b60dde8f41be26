import { Duration, Effect, Option, Order, Queue, RcMap, Stream } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import type { AccountId } from "#domain/accounts/Account.ts"
import type { EventsOf, SwapEvent, SwapEventId } from "#domain/swaps/SwapEvent.ts"
import { makeDoorbell, OutboxRepo } from "#infrastructure/store/swaps/OutboxRepo.ts"

/** The time between reads without a notification, which is lost when the writer is killed or cut off. */
export const lookAnyway = Duration.seconds(5)

/** The number of events that are read at a time. */
export const pageSize = 100

/** The pause in reading after the database failed. */
const restAfterFailure = Duration.seconds(2)

/** The most events that are kept; a follower further behind reads the database. */
const kept = 256

/** The known events: every event of the account after `from` up to `latest`. */
interface TailPosition {
  readonly from: SwapEventId
  readonly latest: SwapEventId
  readonly events: ReadonlyArray<SwapEvent>
}

const extend = ({ events, from, latest }: TailPosition, more: ReadonlyArray<SwapEvent>): TailPosition => {
  const all = [...events, ...more]
  const dropped = all.slice(0, -kept)
  return { from: dropped.at(-1)?.id ?? from, latest: more.at(-1)?.id ?? latest, events: all.slice(-kept) }
}

/**
 * Reads an account's events once for all its followers, as they are written, until the scope closes. Followers get
 * database failures.
 */
export const followAccount = Effect.fnUntraced(function* (repo: OutboxRepo["Service"], account: AccountId) {
  const followers = makeDoorbell()
  let known: TailPosition | undefined

  const tell = (now: TailPosition | undefined) => {
    known = now
    followers.ring(account)
  }

  const readOn = Effect.fnUntraced(function* (bell: Queue.Dequeue<void>, now: TailPosition) {
    const events = yield* repo.after({ account, id: now.latest, limit: pageSize })
    if (events.length === 0) {
      yield* Effect.timeoutOption(Queue.take(bell), lookAnyway)
      return now
    }
    const then = extend(now, events)
    tell(then)
    return then
  })

  const read = Effect.gen(function* () {
    const bell = yield* repo.doorbell.listen(account)
    const latest = yield* repo.latestId(account)
    let now: TailPosition = { from: latest, latest, events: [] }
    tell(now)
    while (true) now = yield* readOn(bell, now)
  }).pipe(
    Effect.scoped,
    // The known events are no longer complete once the reading has ended, for whatever reason.
    Effect.ensuring(Effect.sync(() => tell(undefined))),
    Effect.catch((error) => Effect.logDebug("An account's events cannot be read ahead", error)),
    Effect.catchDefect((defect) => Effect.logError("An account's events could not be read", defect)),
    Effect.andThen(Effect.sleep(restAfterFailure)),
    Effect.forever,
  )
  yield* Effect.forkScoped(read)

  return {
    /** All events after this one; undefined where not all of them are known here. */
    after: (id: SwapEventId) =>
      known === undefined || id < known.from ? undefined : known.events.filter((event) => event.id > id),
    /** The last event written so far: every new one comes after it. */
    latest: () => known?.latest,
    /** A queue that has an item whenever there may be more to read since the last item was taken. */
    listen: followers.listen(account),
  }
})

type AccountTail = Effect.Success<ReturnType<typeof followAccount>>

/** The latest of several events, up to which everything has been read. */
const latestOf = (one: SwapEventId, ...others: ReadonlyArray<SwapEventId>): SwapEventId =>
  others.reduce(Order.max<SwapEventId>(Order.Number), one)

/** Events of accounts, in order, written with their change. A reader keeps only the last ID it read. */
export class Outbox extends service<Outbox>()(
  "swap-broker/events/Outbox",
  Effect.gen(function* () {
    const repo = yield* OutboxRepo
    const { after, latestId } = repo
    const tails = yield* RcMap.make({ lookup: (account: AccountId) => followAccount(repo, account) })

    /** Events in the account's tail cost no read; a reader that is far behind reads the database. */
    const readAfter = Effect.fnUntraced(function* (tail: AccountTail, of: EventsOf, last: SwapEventId) {
      const latest = tail.latest() ?? last
      const shared = tail.after(last)?.filter(({ swapId }) => of.swap === undefined || swapId === of.swap)
      const events = shared ?? (yield* after({ ...of, id: last, limit: pageSize }))
      const isAll = shared !== undefined || events.length < pageSize
      return { events, last: latestOf(last, events.at(-1)?.id ?? last, isAll ? latest : last) }
    })

    /** Every event after this ID, without end, as soon as it is written; read once for all followers. */
    const follow = (of: EventsOf, id: SwapEventId) =>
      Stream.unwrap(Effect.gen(function* () {
        const tail = yield* RcMap.get(tails, of.account)
        const bell = yield* tail.listen
        return Stream.paginate(id, (before) =>
          Effect.gen(function* () {
            const { events, last } = yield* readAfter(tail, of, before)
            if (events.length === 0) yield* Effect.timeoutOption(Queue.take(bell), lookAnyway)
            return [events, Option.some(last)]
          }))
      }))

    return {
      /** The events of an account after the one with this id, in order, at most `limit`. */
      after,
      /** The last event of an account at present: the position for a reader that wants new events only. */
      latestId,
      follow,
    }
  }),
) {}
