import { duration, durationOrNone } from "../config/kinds.ts"
import { struct } from "../config/Setting.ts"
import { deadlines } from "../providers/guard/settings.ts"

export const quotingSettings = struct({
  deadline: deadlines.quoteDeadline,
  grace: duration({
    name: "QUOTE_GRACE",
    default: "400 millis",
    meaning: "How much longer the other providers get once one has answered with quotes",
  }),
  reuse: struct({
    quotes: durationOrNone({
      name: "QUOTE_CACHE_TTL",
      default: "1 second",
      meaning:
        "For how long a provider's quotes are reused; 0: not at all, but for callers who wait for the same ones",
    }),
    refusals: durationOrNone({
      name: "QUOTE_REFUSAL_TTL",
      default: "250 millis",
      meaning: "For how long a provider's refusal of a quote is reused; 0: not at all",
    }),
  }),
})
