import { failureClasses, failureText, type ToldPart } from "#domain/operations/ProviderHistory.ts"
import { counted } from "#domain/figures.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { bars, hourLabel, lastHours } from "../../pages/charts.tsx"
import { type Html } from "../../pages/jsx-runtime.ts"
import { empty, kv, section } from "../../pages/parts.tsx"
import type { Day } from "./dayOf.ts"
import { upperFirst } from "./providerParts.tsx"

const sumAt = (parts: ReadonlyArray<ToldPart>, at: EpochMillis, figure: (part: ToldPart) => number): number =>
  parts.filter((part) => part.at === at).reduce((sum, part) => sum + figure(part), 0)

/** How calls ended, and those that were not made, as their callers got nothing either. */
const endings = [
  { ending: "succeeded", name: "succeeded", tone: "good" },
  { ending: "refused", name: "refused", tone: "warn" },
  { ending: "failed", name: "failed", tone: "bad" },
  { ending: "rejected", name: "held back (paused or over limit)", tone: "plain" },
] as const

/** The calls by hour and how they ended. */
export const callsSection = ({ parts }: Pick<Day, "parts">, now: EpochMillis): Html => {
  const isQuiet = parts.every(({ calls, rejected }) => calls + rejected === 0)
  return section(
    { title: "Calls by hour", id: "calls", live: true },
    isQuiet ? empty("No calls in the last 24 hours.") : bars({
      caption: "Calls by hour and how they ended",
      series: endings,
      bars: lastHours(now).map((at) => ({
        label: hourLabel(at),
        parts: endings.map(({ ending }) => sumAt(parts, at, (part) => part[ending])),
      })),
    }),
  )
}

/** How many calls failed for each cause that there was. */
export const causesSection = ({ parts }: Pick<Day, "parts">): Html => {
  const causes = failureClasses.map((cause) => ({
    cause,
    count: parts.reduce((sum, { failures }) => sum + (failures[cause] ?? 0), 0),
  })).filter(({ count }) => count > 0).toSorted((one, other) => other.count - one.count)
  return section(
    { title: "Failed calls by cause, 24 h", id: "causes", live: true },
    causes.length === 0
      ? <p class="soft">No failed calls in the last 24 hours.</p>
      : kv(causes.map(({ cause, count }) => [upperFirst(failureText[cause]), counted(count, "call")])),
  )
}
