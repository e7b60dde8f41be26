import { type Effect, Schema } from "effect"

/**
 * The database could not do what it was asked: it is unreachable, overloaded or out of space. `cause` is for our own
 * log, never for a caller. A write that failed like this may still have happened.
 */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  /** The operation under way, such as `Swaps.open`. */
  operation: Schema.String,
  cause: Schema.Defect(),
}) {
  override get message(): string {
    return `The database is not available for ${this.operation}`
  }
}

/** An effect on the database. It fails with its own failures, and where the database is unavailable. */
export type StoreEffect<A, E = never> = Effect.Effect<A, E | StoreUnavailable>
