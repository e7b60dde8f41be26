import { Struct } from "effect"
import type { BusinessMeasure, OverviewStep, Period, ValuedSwaps } from "#domain/operations/Business.ts"
import { EpochMillis } from "#domain/Time.ts"
import { type Html, type Url, withQuery } from "../../pages/jsx-runtime.ts"
import { segments } from "../../pages/parts.tsx"
import { addValues, noValue } from "#domain/money/UsdValue.ts"

const hour = 3_600_000
const day = 24 * hour

/** A stretch of time that the operator's figures are of, and what they are compared with. All times are UTC. */
export interface FigurePeriod extends Period {
  /** In the address. */
  readonly name: PeriodName
  /** On the page: "Last 7 days". */
  readonly title: string
  /** The length of a bar. */
  readonly step: OverviewStep
  /** The stretch before it that is as long, up to the same hour. */
  readonly compared: Period
  /** What that stretch is called: "the week before". */
  readonly comparedWith: string
  /** Whether it is not over yet. */
  readonly goesOn: boolean
}

const dayOf = (now: number): number => now - now % day

/** 1970 began on a Thursday. */
const mondayOf = (now: number): number => dayOf(now) - (Math.floor(now / day) + 3) % 7 * day

const monthOf = (now: number, monthsBefore: number): number => {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - monthsBefore, 1)
}

interface Stretch {
  readonly label: string
  /** Its label where it is absent. */
  readonly title?: string
  /** A day where it is absent. */
  readonly step?: OverviewStep
  readonly comparedWith: string
  /** Its beginning, its end, and the beginning of what it is compared with. */
  readonly at: (now: number) => readonly [from: number, before: number, comparedFrom: number]
}

/** Days up to now, today included. */
const daysUntilNow = (days: number) => (now: number): readonly [number, number, number] => {
  const from = dayOf(now) - (days - 1) * day
  return [from, now, from - days * day]
}

const stretches = {
  "24h": {
    label: "24 h",
    title: "Last 24 hours",
    step: "hour",
    comparedWith: "the 24 hours before",
    at: (now) => {
      const from = now - now % hour - 23 * hour
      return [from, now, from - day]
    },
  },
  "7d": { label: "7 d", title: "Last 7 days", comparedWith: "the week before", at: daysUntilNow(7) },
  "last-week": {
    label: "Last week",
    comparedWith: "the week before",
    at: (now) => [mondayOf(now) - 7 * day, mondayOf(now), mondayOf(now) - 14 * day],
  },
  "30d": { label: "30 d", title: "Last 30 days", comparedWith: "the 30 days before", at: daysUntilNow(30) },
  "last-month": {
    label: "Last month",
    comparedWith: "the month before",
    at: (now) => [monthOf(now, 1), monthOf(now, 0), monthOf(now, 2)],
  },
} as const satisfies Readonly<Record<string, Stretch>>

export type PeriodName = keyof typeof stretches

const isPeriodName = (name: string): name is PeriodName => Object.hasOwn(stretches, name)

/** Links to the same page with another period, of those that it offers. `kept` stays in the address. */
export const periodSegments = (
  here: Url,
  current: PeriodName | undefined,
  { kept = {}, offers = () => true }: {
    readonly kept?: Readonly<Record<string, string | undefined>>
    readonly offers?: (name: PeriodName) => boolean
  } = {},
): Html =>
  segments(
    "Period",
    Struct.keys(stretches).filter(offers).map((name) => ({
      label: stretches[name].label,
      to: withQuery(here, { ...kept, period: name }),
      isCurrent: name === current,
    })),
  )

/** The period of a name, the last 7 days where there is none of that name. */
export const periodOf = (named: string | undefined, now: EpochMillis): FigurePeriod => {
  const name = named !== undefined && isPeriodName(named) ? named : "7d"
  const { at, comparedWith, label, step = "day", title = label }: Stretch = stretches[name]
  const [from, before, comparedFrom] = at(now)
  const goesOn = before === now
  return {
    name,
    title,
    step,
    comparedWith,
    goesOn,
    from: EpochMillis.make(from),
    before: EpochMillis.make(before),
    compared: {
      from: EpochMillis.make(comparedFrom),
      // A month before may be longer or shorter: one that is over is compared as a whole.
      before: EpochMillis.make(goesOn ? comparedFrom + (before - from) : from),
    },
  }
}

/** The beginnings of the bars of a period. */
export const barsOf = ({ before, from, step }: FigurePeriod): ReadonlyArray<EpochMillis> => {
  const length = step === "hour" ? hour : day
  return Array.from(
    { length: Math.ceil((before - from) / length) },
    (_, index) => EpochMillis.make(from + index * length),
  )
}

const none: ValuedSwaps = { swaps: 0, value: noValue, unvalued: 0 }

const add = (one: ValuedSwaps, other: ValuedSwaps): ValuedSwaps => ({
  swaps: one.swaps + other.swaps,
  value: addValues(one.value, other.value),
  unvalued: one.unvalued + other.unvalued,
})

/** The sum of figures of one measure. */
export const totalOf = (
  figures: ReadonlyArray<ValuedSwaps & { readonly measure: BusinessMeasure }>,
  wanted: BusinessMeasure,
): ValuedSwaps => figures.filter(({ measure }) => measure === wanted).reduce<ValuedSwaps>(add, none)

/** The measures of a period, each summed, and how many swaps ended, in whatever way. */
export const totalsOf = (figures: ReadonlyArray<ValuedSwaps & { readonly measure: BusinessMeasure }>) => {
  const [volume, refunded, failed] = [
    totalOf(figures, "completed"),
    totalOf(figures, "refunded"),
    totalOf(figures, "failed"),
  ]
  return {
    volume,
    refunded,
    failed,
    commission: totalOf(figures, "commission"),
    ended: volume.swaps + refunded.swaps + failed.swaps,
  }
}
