import { type Effect, Schema } from "effect"

/** The database is unreachable, overloaded or full. `cause` is for our log alone. A failed write may have happened. */
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
