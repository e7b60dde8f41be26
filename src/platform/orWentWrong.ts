import { Data, Effect } from "effect"

/** Something went wrong inside that no type tells of; what it was is in the log. */
export class WentWrong extends Data.TaggedError("WentWrong") {
  override get message(): string {
    return "It went wrong inside"
  }
}

/**
 * Makes an error of a defect, which is logged. For work that goes on in the background whatever comes of one
 * round: a defect would end its fiber, and nobody would do the work any more, nor say so.
 */
export const orWentWrong = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | WentWrong, R> =>
  Effect.catchDefect(
    work,
    (defect) => Effect.andThen(Effect.logError("Something went wrong inside", defect), new WentWrong()),
  )
