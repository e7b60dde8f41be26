import { Effect } from "effect"

/** The W3C trace id of the request in hand: 32 hex digits (decision 14). */
export const traceId: Effect.Effect<string> = Effect.currentSpan.pipe(
  Effect.map((span) => span.traceId),
  Effect.orDie,
)
