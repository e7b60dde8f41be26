import { Context, Effect, Layer, Option, Order, Queue, RcMap, Stream } from "effect"
import type { AccountId } from "../domain/Account.ts"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import type { EventQuery, EventsOf, SwapEvent, SwapEventId } from "../domain/SwapEvent.ts"
import { OutboxRepo } from "../store/swaps/OutboxRepo.ts"
import { type AccountTail, followAccount } from "./AccountTail.ts"
import { lookAnyway, pageSize } from "./reading.ts"

/** What has been read by now: every event up to this one. */
const latestOf = (one: SwapEventId, ...others: ReadonlyArray<SwapEventId>): SwapEventId =>
  others.reduce(Order.max<SwapEventId>(Order.Number), one)

/**
 * What accounts are told of, in order: an event is written in the same transaction as what it tells of, and one
 * that is read never has an earlier one appear after it (see `OutboxRepo`). So the id of the last event that was
 * read is all that a reader has to remember, be it for a second or for a year.
 */
export class Outbox extends Context.Service<Outbox, {
  /** The events of an account after the one with this id, the first of them first, at most `limit`. */
  readonly after: (query: EventQuery) => Effect.Effect<ReadonlyArray<SwapEvent>, StoreUnavailable>
  /** The last event of an account at present: where one begins who wants only what comes from now on. */
  readonly latestId: (account: AccountId) => Effect.Effect<SwapEventId, StoreUnavailable>
  /**
   * Every event after the one with this id, without end, each as soon as it is written. However many follow an
   * account, a new event of it is read once.
   */
  readonly follow: (of: EventsOf, id: SwapEventId) => Stream.Stream<SwapEvent, StoreUnavailable>
}>()("swap-broker/events/Outbox") {
  static readonly layer: Layer.Layer<Outbox, never, OutboxRepo> = Layer.effect(
    Outbox,
    Effect.gen(function* () {
      const repo = yield* OutboxRepo
      const { after, latestId } = repo
      const tails = yield* RcMap.make({ lookup: (account: AccountId) => followAccount(repo, account) })

      /** What is known of the account already costs no read; who is far behind reads by himself. */
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
