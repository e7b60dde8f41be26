import { failureClasses, failureText, type ToldPart } from "#domain/operations/ProviderHistory.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { bars, hourLabel, lastHours, lines } from "../../pages/charts.tsx"
import { filterForm, filterSelect } from "../../pages/forms.tsx"
import { type Html, nothing } from "../../pages/jsx-runtime.ts"
import { empty, section } from "../../pages/parts.tsx"
import type { Url } from "../../pages/Url.ts"
import { type Day, hoursOf } from "./dayOf.ts"
import { millisText, type Operation, operations } from "./providerParts.tsx"

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

/** The causes that there were, so that none is named in vain. */
const causesChart = ({ now, parts }: Shown): Html => {
  const causes = failureClasses.filter((cause) => parts.some(({ failures }) => failures[cause] !== undefined))
  if (causes.length === 0) return <p class="soft">No failed calls in the last 24 hours.</p>
  return bars({
    caption: "Failed calls by hour and cause",
    series: causes.map((cause) => ({ name: failureText[cause] })),
    bars: lastHours(now).map((at) => ({
      label: hourLabel(at),
      parts: causes.map((cause) => sumAt(parts, at, ({ failures }) => failures[cause] ?? 0)),
    })),
  })
}

/** Latencies do not add up: of all operations each has a line of its own, of one its median has one, too. */
const latencyChart = ({ now, parts }: Shown, operation: Operation | undefined): Html => {
  const timed = parts.filter(({ p90Millis }) => p90Millis !== undefined)
  if (timed.length === 0) return <p class="soft">No timed calls in the last 24 hours.</p>
  const at = (hour: EpochMillis, of: string) =>
    timed.find((part) => part.at === hour && part.operation === of)
  if (operation !== undefined) {
    return lines({
      caption: `Latency of ${operation} by hour`,
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
    series: used.map((name) => ({ name })),
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
          ...operations.map((one) => ({ value: one, label: one })),
        ],
      }),
    ],
  })

/** The hour it broke, calls, failures and latency of a provider over the last 24 hours, of all its operations or of one. */
export const historySections = (
  { day, here, name, now, operation }: {
    readonly day: Pick<Day, "parts" | "hours">
    readonly name: string
    readonly here: Url
    readonly now: EpochMillis
    readonly operation: Operation | undefined
  },
): ReadonlyArray<Html> => {
  const shown = {
    now,
    parts: day.parts.filter((part) => operation === undefined || part.operation === operation),
  }
  const isQuiet = shown.parts.every(({ calls, rejected }) => calls + rejected === 0)
  return [
    section({ title: "Calls in the last 24 hours", id: "calls", aside: chooser(here, operation) }, [
      isQuiet
        ? empty("No calls in the last 24 hours.")
        : <div id="calls-chart" class="stack" data-live>{hoursOf(name, day)}{callsChart(shown)}</div>,
    ]),
    isQuiet ? nothing : (
      <div class="cols even">
        {section({ title: "Failures by cause", id: "causes", live: true }, causesChart(shown))}
        {section(
          {
            title: operation === undefined ? "Latency of nine in ten calls" : "Latency",
            id: "latency",
            live: true,
          },
          latencyChart(shown, operation),
        )}
      </div>
    ),
  ]
}
