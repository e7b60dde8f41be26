import { Data, Effect } from "effect"

/** An internal defect, which no type describes; its cause is in the log. */
export class InternalError extends Data.TaggedError("InternalError") {
  override get message(): string {
    return "An internal error occurred"
  }
}

/** Turns a defect into a logged error, for background work that has to continue after a failed round. */
export const orInternalError = <A, E, R>(
  work: Effect.Effect<A, E, R>,
): Effect.Effect<A, E | InternalError, R> =>
  Effect.catchDefect(
    work,
    (defect) => Effect.andThen(Effect.logError("An internal error occurred", defect), new InternalError()),
  )
