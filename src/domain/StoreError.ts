import { Schema } from "effect"

/**
 * The database could not do what it was asked: unreachable, overloaded, out of space. Says nothing of the
 * statement; `cause` is for our own log, never for a caller. A write that failed so may still have happened.
 */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  /** What was being done, such as `Swaps.open`. */
  operation: Schema.String,
  cause: Schema.Defect(),
}) {
  override get message(): string {
    return `The database is not available for ${this.operation}`
  }
}
