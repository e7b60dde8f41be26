import { count, duration } from "#infrastructure/config/kinds.ts"
import { struct } from "#infrastructure/config/Setting.ts"

export const eventSettings = struct({
  mostPerAccount: count(0, 100_000, {
    name: "EVENT_STREAMS_MOST",
    default: 100,
    meaning: "Maximum number of open event streams of one account, and separately of open quote streams",
  }),
  heartbeat: duration({
    name: "EVENT_HEARTBEAT",
    default: "15 seconds",
    meaning: "Interval of comments that keep an idle event stream open through proxies",
  }),
})
