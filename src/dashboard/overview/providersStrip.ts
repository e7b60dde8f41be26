import { Effect } from "effect"
import type { ToldPart } from "../../domain/ProviderHistory.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { lastHours } from "../../pages/charts.ts"
import { type Hour, hours, strip } from "../../pages/figures.ts"
import { share } from "../../pages/money.ts"
import { section } from "../../pages/parts.ts"
import { healthOf, Overview, type ProviderStanding } from "../../providers/Overview.ts"
import { historyOf } from "../providers/providerHistory.ts"
import { healthBadge } from "../providers/providerParts.ts"
import { providerPath } from "../providers/providersPage.ts"

/** The share of failed calls from which an hour is called slow, and from which it is called failing. */
const [someFail, manyFail] = [0.02, 0.2]

const sum = (parts: ReadonlyArray<ToldPart>, figure: (part: ToldPart) => number): number =>
  parts.reduce((total, part) => total + figure(part), 0)

const hourOf = (parts: ReadonlyArray<ToldPart>): Hour => {
  const calls = sum(parts, ({ calls }) => calls)
  if (calls === 0) return "none"
  const failed = sum(parts, ({ failed }) => failed) / calls
  return failed >= manyFail ? "failing" : failed >= someFail ? "slow" : "fine"
}

/** A provider's state now and its last 24 hours. */
const providerOf = Effect.fnUntraced(function* (standing: ProviderStanding, now: EpochMillis) {
  const parts = yield* historyOf(standing.name, now)
  const calls = sum(parts, ({ calls }) => calls)
  const answered = share(calls - sum(parts, ({ failed }) => failed), calls)
  const bars = lastHours(now).map((at) => hourOf(parts.filter((part) => part.at === at)))
  return {
    name: standing.contact.name,
    to: providerPath(standing.name),
    state: healthBadge(standing),
    left: answered === undefined ? "no calls yet" : `${answered} answered`,
    right: calls === 0 ? "" : `${calls.toLocaleString("en")} calls`,
    hours: hours(
      `${standing.name}: ${healthOf(standing)} now; failing in ${
        bars.filter((hour) => hour === "failing").length
      } of the last 24 hours`,
      bars,
    ),
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
