import { Effect } from "effect"
import type { EpochMillis } from "#domain/Time.ts"
import { strip } from "../../pages/figures.tsx"
import { counted } from "#domain/figures.ts"
import { share } from "../../pages/values.tsx"
import { section } from "../../pages/parts.tsx"
import { Overview, type ProviderStanding } from "#providers/Overview.ts"
import { dayOf, hoursOf } from "../providers/dayOf.ts"
import { providerPath, stateBadge, stoppedText } from "../providers/providerParts.tsx"

/** A provider's state now and its last 24 hours. */
const providerOf = Effect.fnUntraced(function* (standing: ProviderStanding, now: EpochMillis) {
  const day = yield* dayOf(standing.name, now)
  const answered = share(day.calls - day.failed, day.calls)
  return {
    name: standing.contact.name,
    to: providerPath(standing.name),
    state: stateBadge(standing),
    left: stoppedText(standing) ?? (answered === undefined ? "no calls yet" : `${answered} answered`),
    right: day.calls === 0 ? "" : counted(day.calls, "call"),
    hours: hoursOf(standing.contact.name, day),
  }
})

/** The providers beside each other: their state, and how the hours of a day were. */
export const providersStrip = Effect.fnUntraced(function* (now: EpochMillis) {
  const standings = yield* (yield* Overview).all
  return section(
    { title: "Providers", id: "providers", live: true, aside: "calls of the last 24 h, a bar an hour" },
    strip(yield* Effect.forEach(standings, (standing) => providerOf(standing, now))),
  )
})
