import { count, duration } from "#infrastructure/config/kinds.ts"
import { struct } from "#infrastructure/config/Setting.ts"

export const eventSettings = struct({
  mostPerAccount: count(0, 100_000, {
    name: "EVENT_STREAMS_MOST",
    default: 100,
    meaning:
      "How many streams of events one account may have open at a time, and how many of quotes beside them",
  }),
  heartbeat: duration({
    name: "EVENT_HEARTBEAT",
    default: "15 seconds",
    meaning: "How often a stream of events sends a comment, so that nobody on the way takes it for dead",
  }),
})
