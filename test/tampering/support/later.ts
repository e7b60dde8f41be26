import { Clock, Context, Effect, Layer } from "effect"

let ahead = 0

/** How far the clock of the service is ahead of real time: what rests for a while need not be waited for. */
export const later = {
  pass: (millis: number): void => {
    ahead += millis
  },
  /** Milliseconds since the epoch, by that clock. */
  now: (): number => Date.now() + ahead,
}

const live = Context.get(Context.empty(), Clock.Clock)

const aheadNanos = (): bigint => BigInt(ahead) * 1_000_000n

/** Real time, but ahead. */
export const laterClock: Layer.Layer<never> = Layer.succeed(Clock.Clock, {
  currentTimeMillisUnsafe: () => live.currentTimeMillisUnsafe() + ahead,
  currentTimeNanosUnsafe: () => live.currentTimeNanosUnsafe() + aheadNanos(),
  currentTimeMillis: Effect.sync(() => live.currentTimeMillisUnsafe() + ahead),
  currentTimeNanos: Effect.sync(() => live.currentTimeNanosUnsafe() + aheadNanos()),
  monotonicTimeNanosUnsafe: () => live.monotonicTimeNanosUnsafe() + aheadNanos(),
  monotonicTimeNanos: Effect.sync(() => live.monotonicTimeNanosUnsafe() + aheadNanos()),
  sleep: (duration) => live.sleep(duration),
})
