import { Context, Duration, Effect, Layer, Option, Queue, type Scope, Stream } from "effect"
import type { AccountId } from "../domain/Account.ts"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import type { EventQuery, EventsOf, SwapEvent, SwapEventId } from "../domain/SwapEvent.ts"
import { OutboxRepo } from "../store/OutboxRepo.ts"

/** A ring can be missed: the process that wrote was killed before it rang, or the way to us was cut. */
const lookAnyway = Duration.seconds(5)

/** Events that are read at a time. */
const pageSize = 100

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
   * A bell for readers with a loop of their own: it has an item whenever there may be new events since the last
   * one was taken. First listen, then read until there is nothing more, then wait for the bell; and look anyway
   * from time to time.
   */
  readonly listen: (account: AccountId) => Effect.Effect<Queue.Dequeue<void>, never, Scope.Scope>
  /** Every event after the one with this id, without end, each as soon as it is written. */
  readonly follow: (of: EventsOf, id: SwapEventId) => Stream.Stream<SwapEvent, StoreUnavailable>
}>()("swap-broker/events/Outbox") {
  static readonly layer: Layer.Layer<Outbox, never, OutboxRepo> = Layer.effect(
    Outbox,
    Effect.gen(function* () {
      const { after, doorbell, latestId } = yield* OutboxRepo

      const follow = (of: EventsOf, id: SwapEventId) =>
        Stream.unwrap(
          Effect.map(doorbell.listen(of.account), (bell) =>
            Stream.paginate(id, (last) =>
              Effect.gen(function* () {
                const events = yield* after({ ...of, id: last, limit: pageSize })
                if (events.length === 0) {
                  yield* Effect.timeoutOption(Queue.take(bell), lookAnyway)
                }
                return [events, Option.some(events.at(-1)?.id ?? last)]
              }))),
        )

      return Outbox.of({ after, latestId, listen: doorbell.listen, follow })
    }),
  )
}
