import { Effect } from "effect"
import type { ParentSpan } from "effect/Tracer"

/** A span for frequent calls, without the stack: taking the stack would cost more than the rest of the span. */
export const lightSpan =
  (name: string) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, ParentSpan>> =>
    Effect.withSpan(effect, name, { captureStackTrace: false })
