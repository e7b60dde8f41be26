import { Duration, Effect, FiberSet, Layer, Queue } from "effect"
import { EpochMillis } from "../domain/Time.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import { orWentWrong } from "../platform/orWentWrong.ts"
import { DeliveriesRepo } from "../store/DeliveriesRepo.ts"
import { OutboxRepo } from "../store/OutboxRepo.ts"
import { Dispatcher } from "./Dispatcher.ts"

/** How the dispatcher works in the background. */
export interface DispatchingOptions {
  /** Deliveries under way in this process. */
  readonly concurrency: number
  /** How long it rests when nothing is due and nobody rings. */
  readonly interval: Duration.Duration
  /** How long deliveries are listed once they ended. */
  readonly keep: Duration.Duration
}

/** How long it rests when the database fails. */
const restAfterFailure = Duration.seconds(2)

const tidyInterval = Duration.minutes(1)

/** So that no statement takes long. */
const atOnce = 1_000

/** Forgets deliveries that ended long ago. Every replica does it, none in the way of another. */
const tidy = Effect.fnUntraced(function* (repo: DeliveriesRepo["Service"], keep: Duration.Duration) {
  const before = EpochMillis.make(Math.max(0, (yield* currentMillis) - Duration.toMillis(keep)))
  while ((yield* repo.expire(before, atOnce)) === atOnce) yield* Effect.yieldNow
})

/**
 * The dispatcher at work until the scope closes. It looks when this process has written an event, when a
 * delivery has ended, and anyway every `interval`: what another replica left behind is found then.
 */
export const dispatching = (
  { concurrency, interval, keep }: DispatchingOptions,
): Layer.Layer<never, never, DeliveriesRepo | Dispatcher | OutboxRepo> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const dispatcher = yield* Dispatcher
      const repo = yield* DeliveriesRepo
      const { doorbell } = yield* OutboxRepo
      const bell = yield* Queue.sliding<void>(1)
      const ring = Effect.sync(() => Queue.offerUnsafe(bell, undefined))
      const underWay = yield* FiberSet.make<void>()

      yield* doorbell.hear(() => Queue.offerUnsafe(bell, undefined))

      const round = Effect.gen(function* () {
        // Some at a time: what is due already does not wait for everything that is new.
        const fannedOut = yield* dispatcher.fanOutSome
        const free = concurrency - (yield* FiberSet.size(underWay))
        const claims = free > 0 ? yield* dispatcher.claim(free) : []
        yield* Effect.forEach(
          claims,
          (claim) => FiberSet.run(underWay, Effect.ensuring(dispatcher.run(claim), ring)),
          { discard: true },
        )
        if (fannedOut + claims.length === 0) yield* Effect.timeoutOption(Queue.take(bell), interval)
      })

      const forever = (what: string) => <E>(work: Effect.Effect<void, E>) =>
        work.pipe(
          orWentWrong,
          Effect.catch((error) =>
            Effect.andThen(Effect.logError(what, error), Effect.sleep(restAfterFailure))
          ),
          Effect.forever,
          Effect.forkScoped,
        )

      yield* forever("Webhooks are not delivered")(round)
      yield* forever("Deliveries of webhooks could not be tidied")(
        Effect.andThen(tidy(repo, keep), Effect.sleep(tidyInterval)),
      )
    }),
  )
