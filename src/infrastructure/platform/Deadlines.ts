import { Cause, Clock, Duration, Effect, Exit, Fiber, Latch, type Scope } from "effect"

/** Waits of equal length, so that they end in the order in which they began. */
export interface Deadlines {
  /** Calls `onPassed` when the time has passed, unless the returned function is called before. */
  readonly begin: (onPassed: () => void) => () => void
}

const nanosPerMilli = 1e6

interface Wait {
  readonly endsAt: number
  /** Dropped once the wait is called off, as earlier tables of the set keep the wait until the next full collection. */
  onPassed: (() => void) | undefined
}

/** Waits that share one timer. `Effect.timeout`, with a timer and a fiber for each limit, takes 1.7 to 2 times as long. */
export const makeDeadlines = Effect.fnUntraced(
  function* (length: Duration.Duration): Effect.fn.Return<Deadlines, never, Scope.Scope> {
    const clock = yield* Clock.Clock
    const waits = new Set<Wait>()
    const someWait = yield* Latch.make()

    /** Milliseconds of the monotonic clock, which is never set back. */
    const nowMillis = (): number => Number(clock.monotonicTimeNanosUnsafe()) / nanosPerMilli

    const endPassed = (): void => {
      const now = nowMillis()
      for (const wait of waits) {
        if (wait.endsAt > now) return
        waits.delete(wait)
        wait.onPassed?.()
      }
    }

    /** Sleeps until the first of the waits ends; it may have been cancelled by then. */
    const follow = Effect.gen(function* () {
      // The latch closes before the waits are read, so that a wait which begins in between is either seen or opens it.
      yield* someWait.close
      for (const { endsAt } of waits) {
        yield* Effect.sleep(Duration.millis(Math.max(0, Math.ceil(endsAt - nowMillis()))))
        return endPassed()
      }
      yield* someWait.await
    })
    yield* Effect.forkScoped(Effect.forever(follow), { startImmediately: true })

    const millis = Duration.toMillis(length)
    return {
      begin: (onPassed) => {
        const wait: Wait = { endsAt: nowMillis() + millis, onPassed }
        waits.add(wait)
        if (waits.size === 1) someWait.openUnsafe()
        return () => {
          wait.onPassed = undefined
          waits.delete(wait)
        }
      },
    }
  },
)

/** The effect, interrupted after the time and failed with `late`; waits for the interruption to end. */
export const endedBy = <A, E, R, E2>(
  deadlines: Deadlines,
  effect: Effect.Effect<A, E, R>,
  late: () => E2,
): Effect.Effect<A, E | E2, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.forkChild(restore(effect), { startImmediately: true }), (fiber) => {
      let passed = false
      const callOff = deadlines.begin(() => {
        passed = true
        fiber.interruptUnsafe()
      })
      return restore(Fiber.await(fiber)).pipe(
        Effect.onInterrupt(() => Fiber.interrupt(fiber)),
        Effect.ensuring(Effect.sync(callOff)),
        Effect.flatMap((exit): Effect.Effect<A, E | E2> =>
          passed && Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause) ? Effect.fail(late()) : exit
        ),
      )
    })
  )
