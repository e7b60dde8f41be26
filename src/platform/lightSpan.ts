import { Effect } from "effect"
import type { ParentSpan } from "effect/Tracer"

/** The span of something frequent: the stack of each call would take longer to take than the rest of the span. */
export const lightSpan =
  (name: string) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, ParentSpan>> =>
    Effect.withSpan(effect, name, { captureStackTrace: false })
