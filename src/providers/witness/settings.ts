import { count, durationOrNone } from "#infrastructure/config/kinds.ts"
import { struct } from "#infrastructure/config/Setting.ts"

export const witnessSettings = struct({
  interval: durationOrNone({
    name: "WIRE_WITNESS_INTERVAL",
    default: { live: "1 hour", sandbox: "0" },
    meaning:
      "Interval of the API checks, which compare read-only upstream responses with our schemas; 0: never",
  }),
  questions: count(10, 100_000, {
    name: "WIRE_WITNESS_QUESTIONS",
    default: 240,
    meaning: "Maximum number of calls to an upstream per interval, spread over it",
  }),
})
