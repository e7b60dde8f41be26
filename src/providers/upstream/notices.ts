import { Effect, type Result } from "effect"

/** Something that was read, and a line for the log about each thing that was left out or not understood. */
export interface Noticed {
  readonly notices: ReadonlyArray<string>
}

/** The value, after its notices went to the log. */
export const logged = <A extends Noticed, E>(read: Result.Result<A, E>): Effect.Effect<A, E> =>
  Effect.tap(
    Effect.fromResult(read),
    ({ notices }) => Effect.forEach(notices, (notice) => Effect.logWarning(notice), { discard: true }),
  )
