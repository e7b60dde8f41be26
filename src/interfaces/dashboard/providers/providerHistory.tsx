import { failureClasses, failureText, type ToldPart } from "#domain/operations/ProviderHistory.ts"
import { counted } from "#domain/figures.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { bars, hourLabel, lastHours, lines } from "../../pages/charts.tsx"
import { filterForm, filterSelect } from "../../pages/forms.tsx"
import { type Html } from "../../pages/jsx-runtime.ts"
import { columns, empty, kv, section } from "../../pages/parts.tsx"
import type { Url } from "../../pages/Url.ts"
import type { Day } from "./dayOf.ts"
import {
  millisText,
  type Operation,
  operationList,
  operations,
  operationTitle,
  upperFirst,
} from "./providerParts.tsx"

const sumAt = (parts: ReadonlyArray<ToldPart>, at: EpochMillis, figure: (part: ToldPart) => number): number =>
  parts.filter((part) => part.at === at).reduce((sum, part) => sum + figure(part), 0)

/** How calls ended, and those that were not made, as their callers got nothing either. */
const endings = [
  { ending: "succeeded", name: "succeeded", tone: "good" },
  { ending: "refused", name: "refused", tone: "warn" },
  { ending: "failed", name: "failed", tone: "bad" },
  { ending: "rejected", name: "not made", tone: "plain" },
] as const

interface Shown {
  readonly parts: ReadonlyArray<ToldPart>
  readonly now: EpochMillis
}

const callsChart = ({ now, parts }: Shown): Html =>
  bars({
    caption: "Calls by hour and how they ended",
    series: endings,
    bars: lastHours(now).map((at) => ({
      label: hourLabel(at),
      parts: endings.map(({ ending }) => sumAt(parts, at, (part) => part[ending])),
    })),
  })

/** How many calls failed for each cause that there was. */
const causesOf = ({ parts }: Shown): Html => {
  const causes = failureClasses.map((cause) => ({
    cause,
    count: parts.reduce((sum, { failures }) => sum + (failures[cause] ?? 0), 0),
  })).filter(({ count }) => count > 0)
  return causes.length === 0
    ? <p class="soft">No failed calls in the last 24 hours.</p>
    : kv(causes.map(({ cause, count }) => [upperFirst(failureText[cause]), counted(count, "call")]))
}

/** Latencies do not add up: of all operations each has a line of its own, of one its median has one, too. */
const latencyChart = ({ now, parts }: Shown, operation: Operation | undefined): Html => {
  const timed = parts.filter(({ p90Millis }) => p90Millis !== undefined)
  if (timed.length === 0) return <p class="soft">No timed calls in the last 24 hours.</p>
  const at = (hour: EpochMillis, of: string) =>
    timed.find((part) => part.at === hour && part.operation === of)
  if (operation !== undefined) {
    return lines({
      caption: `Latency of ${operationList([operation])} by hour`,
      series: [{ name: "half within" }, { name: "nine in ten within" }],
      points: lastHours(now).map((hour) => {
        const part = at(hour, operation)
        return { label: hourLabel(hour), values: [part?.p50Millis, part?.p90Millis] }
      }),
      written: millisText,
      short: millisText,
    })
  }
  const used = operations.filter((one) => timed.some((part) => part.operation === one))
  return lines({
    caption: "Latency by hour: nine in ten calls within",
    series: used.map((one) => ({ name: operationList([one]) })),
    points: lastHours(now).map((hour) => ({
      label: hourLabel(hour),
      values: used.map((one) => at(hour, one)?.p90Millis),
    })),
    written: millisText,
    short: millisText,
  })
}

const chooser = (here: Url, operation: Operation | undefined): Html =>
  filterForm({
    to: here,
    narrowed: [operation],
    fields: [
      filterSelect({
        label: "Operation",
        name: "operation",
        value: operation ?? "",
        choices: [
          { value: "", label: "All operations" },
          ...operations.map((value) => ({ value, label: operationTitle(value) })),
        ],
      }),
    ],
  })

/** The last 24 hours of a provider, of all its operations or of one. */
interface History {
  readonly day: Pick<Day, "parts">
  readonly here: Url
  readonly now: EpochMillis
  readonly operation: Operation | undefined
}

const partsOf = ({ day, now, operation }: Omit<History, "here">): Shown => ({
  now,
  parts: day.parts.filter((part) => operation === undefined || part.operation === operation),
})

/** The calls by hour and how they ended. */
export const callsSection = (history: History): Html => {
  const shown = partsOf(history)
  const isQuiet = shown.parts.every(({ calls, rejected }) => calls + rejected === 0)
  return section(
    { title: "Calls by hour", id: "calls", aside: chooser(history.here, history.operation) },
    isQuiet
      ? empty("No calls in the last 24 hours.")
      : <div id="calls-chart" data-live>{callsChart(shown)}</div>,
  )
}

/** Why calls failed, and how long they took. */
export const causesAndLatency = (history: Omit<History, "here">): Html => {
  const shown = partsOf(history)
  return columns(
    "even",
    section({ title: "Failures by cause, 24 h", id: "causes", live: true }, causesOf(shown)),
    section(
      { title: "Latency of nine in ten calls", id: "latency", live: true },
      latencyChart(shown, history.operation),
    ),
  )
}
