import { Duration, Effect } from "effect"

const usually = Duration.minutes(2)
const interval = Duration.millis(100)

/** Looks again and again until what it sees is as it should be; else dies with the last sight. */
export const eventually = <A, E, R>(
  look: Effect.Effect<A, E, R>,
  isRight: (seen: A) => boolean,
  patience: Duration.Duration = usually,
): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    let seen = yield* look
    const end = performance.now() + Duration.toMillis(patience)
    while (!isRight(seen)) {
      if (performance.now() > end) return yield* Effect.die(new Error(`Still ${JSON.stringify(seen)}`))
      yield* Effect.sleep(interval)
      seen = yield* look
    }
    return seen
  })
