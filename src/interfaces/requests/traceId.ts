import { Effect } from "effect"

const idBytes = new Uint8Array(16)
const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

/** A new trace id, for a trace that begins here. */
export const newTraceId = (): string => {
  crypto.getRandomValues(idBytes)
  let id = ""
  for (const byte of idBytes) id += hex[byte]
  return id
}

/** The W3C trace id of the current request: 32 hex digits (decision 14). */
export const traceId: Effect.Effect<string> = Effect.currentParentSpan.pipe(
  Effect.map((span) => span.traceId),
  Effect.orDie,
)
