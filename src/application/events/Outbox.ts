import { Context, Effect, Layer, Option, Order, Queue, RcMap, Stream } from "effect"
import type { AccountId } from "#domain/accounts/Account.ts"
import type { StoreUnavailable } from "#domain/StoreError.ts"
import type { EventQuery, EventsOf, SwapEvent, SwapEventId } from "#domain/swaps/SwapEvent.ts"
import { OutboxRepo } from "#infrastructure/store/swaps/OutboxRepo.ts"
import { type AccountTail, followAccount, lookAnyway, pageSize } from "./AccountTail.ts"

/** The latest of several events, up to which everything has been read. */
const latestOf = (one: SwapEventId, ...others: ReadonlyArray<SwapEventId>): SwapEventId =>
  others.reduce(Order.max<SwapEventId>(Order.Number), one)

/**
 * The events of accounts, in order. An event is written in the same transaction as the change that it reports, and no
 * event ever appears before one that was read already (see `OutboxRepo`). A reader therefore only has to remember the
 * id of the last event that it read, for a second or for a year.
 */
export class Outbox extends Context.Service<Outbox, {
  /** The events of an account after the one with this id, in order, at most `limit`. */
  readonly after: (query: EventQuery) => Effect.Effect<ReadonlyArray<SwapEvent>, StoreUnavailable>
  /** The last event of an account at present: the position for a reader that wants new events only. */
  readonly latestId: (account: AccountId) => Effect.Effect<SwapEventId, StoreUnavailable>
  /**
   * Every event after the one with this id, without end, each as soon as it is written. A new event is read once,
   * however many follow its account.
   */
  readonly follow: (of: EventsOf, id: SwapEventId) => Stream.Stream<SwapEvent, StoreUnavailable>
}>()("swap-broker/events/Outbox") {
  static readonly layer: Layer.Layer<Outbox, never, OutboxRepo> = Layer.effect(
    Outbox,
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

      return Outbox.of({ after, latestId, follow })
    }),
  )
}
