import { Effect } from "effect"
import { Alerts } from "#application/alerts/Alerts.ts"
import type { Stalls } from "#domain/swaps/SwapRecord.ts"
import type { EpochMillis } from "#domain/Time.ts"
import type { ProviderStanding } from "#providers/Overview.ts"
import { StallDetector } from "#application/swapping/following/StallDetector.ts"
import type { Held } from "../alerts/decision.tsx"
import { heldBy } from "../alerts/fundsHeld.ts"
import { type Day, dayOf } from "./dayOf.ts"

/** A provider with its day, its stalled swaps and what they hold. */
export interface Seen {
  readonly standing: ProviderStanding
  readonly day: Day
  readonly stalls: Stalls | undefined
  readonly held: Held | undefined
  /** Since when it is down or degraded, once an alert tells so. */
  readonly failedSince: EpochMillis | undefined
}

/** Looks at a provider. */
export const loadProvider = Effect.fnUntraced(function* (standing: ProviderStanding, now: EpochMillis) {
  const { name } = standing
  const stalls = (yield* (yield* StallDetector).stalls).find(({ platform }) => platform === name)
  const active = yield* (yield* Alerts).active
  const failure = active.find(({ alert }) => alert.type === "provider_down" && alert.provider === name)
  const seen: Seen = {
    standing,
    failedSince: failure?.since,
    day: yield* dayOf(name, now),
    stalls,
    held: stalls === undefined ? undefined : yield* heldBy(name),
  }
  return seen
})
