import { count, durationOrNone } from "#infrastructure/config/kinds.ts"
import { struct } from "#infrastructure/config/Setting.ts"

/** How often the upstreams' wires are looked at, and with how many questions. */
export const witnessSettings = struct({
  interval: durationOrNone({
    name: "WIRE_WITNESS_INTERVAL",
    default: { live: "1 hour", sandbox: "0" },
    meaning:
      "How often each upstream is asked for what opens nothing, to compare its answers with what its provider reads; 0: never",
  }),
  questions: count(10, 100_000, {
    name: "WIRE_WITNESS_QUESTIONS",
    default: 240,
    meaning: "Most that an upstream is asked for that in an interval, spread over it",
  }),
})
