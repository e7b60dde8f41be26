import { Context, Data, Duration, Effect, type Fiber, Option } from "effect"

/**
 * How long an operation in the database may take as a whole, waiting for a connection included; no limit unless
 * somebody provides one. In real time, as the database is not part of any simulated world.
 */
export const StoreDeadline = Context.Reference<Option.Option<Duration.Duration>>(
  "swap-broker/store/StoreDeadline",
  { defaultValue: () => Option.none() },
)

/** The database did not answer in time. What it was asked for may still happen. */
export class TookTooLong extends Data.TaggedError("TookTooLong")<{ readonly limit: Duration.Duration }> {
  override get message(): string {
    return `It took longer than ${Duration.format(this.limit)}`
  }
}

/** What comes of a fiber, or that it takes too long. */
const awaitWithin = <A, E>(fiber: Fiber.Fiber<A, E>, limit: Duration.Duration) =>
  Effect.callback<A, E | TookTooLong>((resume) => {
    const timer = setTimeout(
      () => resume(Effect.fail(new TookTooLong({ limit }))),
      Duration.toMillis(limit),
    )
    const end = fiber.addObserver((exit) => {
      clearTimeout(timer)
      resume(exit)
    })
    return Effect.sync(() => {
      clearTimeout(timer)
      end()
    })
  })

/** Parts of something that has a deadline as a whole have none of their own. */
const withoutDeadline = Effect.provideService(StoreDeadline, Option.none())

/**
 * Gives work the deadline that is set here, if any. Whoever waits is let go then at the latest: a connection over
 * which nothing comes back does not let its user be interrupted while a transaction begins or ends, so work that
 * is given up ends in the background.
 */
export const storeDeadline = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | TookTooLong, R> =>
  Effect.flatMap(
    StoreDeadline,
    Option.match({
      onNone: (): Effect.Effect<A, E | TookTooLong, R> => work,
      onSome: (limit) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.flatMap(
            Effect.forkDetach(restore(withoutDeadline(work)), { startImmediately: true }),
            (fiber) =>
              Effect.onError(
                restore(awaitWithin(fiber, limit)),
                () => Effect.sync(() => fiber.interruptUnsafe()),
              ),
          )
        ),
    }),
  )
