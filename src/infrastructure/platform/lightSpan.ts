import { Effect } from "effect"
import { nativeTracer, type SpanOptionsNoTrace, Tracer } from "effect/Tracer"

/** Chooses the effect that makes spans where they are exported, and the plain one where nobody could see them. */
export const whereTraced = <A, E, R, A2, E2, R2>(
  traced: () => Effect.Effect<A, E, R>,
  plain: () => Effect.Effect<A2, E2, R2>,
): Effect.Effect<A | A2, E | E2, R | R2> =>
  Effect.withFiber((fiber): Effect.Effect<A | A2, E | E2, R | R2> =>
    fiber.getRef(Tracer) === nativeTracer ? plain() : traced()
  )

/**
 * A span for frequent calls, without the stack: taking the stack would cost more than the rest of the span. Where no
 * spans are exported there is none, as a span keeps what its call ended with: a whole answer would live on with it.
 */
export const lightSpan =
  (name: string, options?: SpanOptionsNoTrace) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    whereTraced(() => Effect.withSpan(effect, name, { ...options, captureStackTrace: false }), () => effect)
