import { Duration, Effect, FiberSet, Layer, Queue } from "effect"
import { EpochMillis } from "../domain/Time.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import { orWentWrong } from "../platform/orWentWrong.ts"
import { DeliveriesRepo } from "../store/webhooks/DeliveriesRepo.ts"
import { OutboxRepo } from "../store/swaps/OutboxRepo.ts"
import { WebhooksRepo } from "../store/webhooks/WebhooksRepo.ts"
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

/** Forgets secrets that are over, and deliveries that ended long ago. Every replica does it, none in the way of another. */
const tidy = Effect.fnUntraced(function* (keep: Duration.Duration) {
  const webhooks = yield* WebhooksRepo
  const deliveries = yield* DeliveriesRepo
  const now = yield* currentMillis
  yield* webhooks.forgetSecrets(now)
  const before = EpochMillis.make(Math.max(0, now - Duration.toMillis(keep)))
  while ((yield* deliveries.expire(before, atOnce)) === atOnce) yield* Effect.yieldNow
})

/**
 * The dispatcher at work until the scope closes. It looks when this process has written an event, when a
 * delivery has ended, and anyway every `interval`: what another replica left behind is found then.
 */
export const dispatching = (
  { concurrency, interval, keep }: DispatchingOptions,
): Layer.Layer<never, never, DeliveriesRepo | Dispatcher | OutboxRepo | WebhooksRepo> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const dispatcher = yield* Dispatcher
      const { doorbell } = yield* OutboxRepo
      const bell = yield* Queue.sliding<void>(1)
      const ring = Effect.sync(() => Queue.offerUnsafe(bell, undefined))
      const underWay = yield* FiberSet.make<void>()

      yield* doorbell.hear(() => Queue.offerUnsafe(bell, undefined))

      const round = Effect.gen(function* () {
        // Some at a time: what is due already does not wait for everything that is new, nor for what went wrong.
        const fannedOut = yield* orWentWrong(dispatcher.fanOut).pipe(
          Effect.catchTag("WentWrong", () => Effect.succeed(0)),
        )
        const free = concurrency - (yield* FiberSet.size(underWay))
        const claims = free > 0 ? yield* dispatcher.claim(free) : []
        yield* Effect.forEach(
          claims,
          (claim) => FiberSet.run(underWay, Effect.ensuring(dispatcher.run(claim), ring)),
          { discard: true },
        )
        if (fannedOut + claims.length === 0) yield* Effect.timeoutOption(Queue.take(bell), interval)
      })

      const forever = (what: string) => <E, R>(work: Effect.Effect<void, E, R>) =>
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
        Effect.andThen(tidy(keep), Effect.sleep(tidyInterval)),
      )
    }),
  )
