import { Duration, Effect, FiberSet, Layer, Option, Queue } from "effect"
import { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { orInternalError } from "#infrastructure/platform/orInternalError.ts"
import { forkWhenReady } from "#infrastructure/platform/whenReady.ts"
import { DeliveriesRepo } from "#infrastructure/store/webhooks/DeliveriesRepo.ts"
import { OutboxRepo } from "#infrastructure/store/swaps/OutboxRepo.ts"
import { WebhooksRepo } from "#infrastructure/store/webhooks/WebhooksRepo.ts"
import { Dispatcher } from "./Dispatcher.ts"
import { surviving } from "#infrastructure/platform/outages.ts"

/** Options of the dispatcher's background work. */
export interface DispatchingOptions {
  /** The most deliveries under way in this process. */
  readonly concurrency: number
  /** The time between rounds while nothing is due and no event is announced. */
  readonly interval: Duration.Duration
  /** How long deliveries are listed after they ended. */
  readonly keep: Duration.Duration
}

const restAfterFailure = Duration.seconds(2)

const tidyInterval = Duration.minutes(1)

/** The most rows that are removed at once, so that no statement takes long. */
const atOnce = 1_000

/** Removes expired secrets and long-ended deliveries. Every replica does so, without disturbing the others. */
const tidy = Effect.fnUntraced(function* (keep: Duration.Duration) {
  const webhooks = yield* WebhooksRepo
  const deliveries = yield* DeliveriesRepo
  const now = yield* currentMillis
  yield* webhooks.forgetSecrets(now)
  const before = EpochMillis.make(Math.max(0, now - Duration.toMillis(keep)))
  while ((yield* deliveries.expire(before, atOnce)) === atOnce) yield* Effect.yieldNow
})

/** Dispatches until the scope closes: after own events and deliveries, and every `interval` for those of other replicas. */
export const dispatching = ({ concurrency, interval, keep }: DispatchingOptions) =>
  Layer.effectDiscard(Effect.gen(function* () {
    const dispatcher = yield* Dispatcher
    const { doorbell } = yield* OutboxRepo
    const bell = yield* Queue.sliding<void>(1)
    const ring = Effect.sync(() => Queue.offerUnsafe(bell, undefined))
    const underWay = yield* FiberSet.make<void>()

    yield* doorbell.hear(() => Queue.offerUnsafe(bell, undefined))

    const round = Effect.gen(function* () {
      // Some events at a time: due deliveries wait neither for all that are new, nor for a fan-out that fails.
      const fannedOut = yield* orInternalError(dispatcher.fanOut).pipe(
        Effect.catchTag("InternalError", () => Effect.succeed(0)),
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
        surviving(what),
        Effect.tap((made) => Option.isNone(made) ? Effect.sleep(restAfterFailure) : Effect.void),
        Effect.forever,
        forkWhenReady,
      )

    yield* forever("Webhooks are not delivered")(round)
    yield* forever("Old deliveries of webhooks are not removed")(
      Effect.andThen(tidy(keep), Effect.sleep(tidyInterval)),
    )
  }))
