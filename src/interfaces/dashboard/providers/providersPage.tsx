import { BigDecimal, Effect } from "effect"
import type { BusinessFigure, Period } from "#domain/operations/Business.ts"
import { EpochMillis } from "#domain/Time.ts"
import { addValues, noValue, type UsdValue } from "#domain/money/UsdValue.ts"
import type { Operator } from "#domain/accounts/Viewer.ts"
import { dollars, grouped, rate, share } from "../../pages/values.tsx"
import { keyPart } from "../../pages/charts.tsx"
import { type Html, path } from "../../pages/jsx-runtime.ts"
import { type Column, type Columns, known, pill, section, table, type Value } from "../../pages/parts.tsx"
import { counted } from "#domain/figures.ts"
import { healthOf, Overview, type ProviderStanding, stateOf } from "#providers/Registry.ts"
import { csvOf, csvTable } from "../../requests/csv.ts"
import { csvButton, page, type PageRequest } from "../Page.ts"
import { periodOf, periodSegments, totalsOf } from "../overview/period.ts"
import { type Day, healthNote, hoursOf, loadProvider, type Seen, stalledPath } from "./healthNote.tsx"
import {
  millisText,
  operationList,
  operations,
  pausedAt,
  providerPath,
  scopeOf,
  stateBadge,
  upperFirst,
} from "./providerParts.tsx"
import { Business } from "#application/business/Business.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { ProviderHistory } from "#infrastructure/ops/ProviderHistory.ts"

/** What a provider brought in a period. */
export interface Brought {
  readonly totals: ReturnType<typeof totalsOf>
  /** Lists of quotes with an offer of it, and those of them in which its offer was the best. */
  readonly offered: number
  readonly best: number
}

const dayMillis = 86_400_000

const offersOf = Effect.fnUntraced(function* (provider: ProviderName, { before, from }: Period) {
  const parts = yield* (yield* ProviderHistory).figures({ provider, from, to: before, partMillis: dayMillis })
  const sum = (name: "offered" | "best") =>
    parts.reduce((total, { figures }) => total + (figures[name] ?? 0), 0)
  return { offered: sum("offered"), best: sum("best") }
})

/** The figures of all providers in a period, which `broughtBy` picks from. */
export const figuresIn = Effect.fnUntraced(function* (period: Period) {
  return yield* (yield* Business).figures({ ...period, step: "day" })
})

/** What a provider brought, from the figures of all of them. */
export const broughtBy = Effect.fnUntraced(
  function* (provider: ProviderName, period: Period, figures: ReadonlyArray<BusinessFigure>) {
    const brought: Brought = {
      totals: totalsOf(figures.filter(({ platform }) => platform === provider)),
      ...(yield* offersOf(provider, period)),
    }
    return brought
  },
)

const nameCell = ({ contact, name }: ProviderStanding): Html =>
  <a href={providerPath(name)}>
    <b>{contact.name}</b>
  </a>

/** The operations that are paused, those that are tried again, and what the operator has switched off. */
const stoppedCell = (standing: ProviderStanding): Html => {
  const { registered, switches } = standing
  if (registered === undefined) return pill("Not configured", "bad")
  const open = operationList(pausedAt(standing))
  const half = operationList(
    operations.filter((one) => registered.operations[one].circuit._tag === "HalfOpen"),
  )
  return (
    <>
      {open !== "" && pill(`${upperFirst(open)} paused`, "bad")}{" "}
      {half !== "" && pill(`Retrying ${half}`, "warn")}
      {switches.map((one) => pill(`Off: ${scopeOf(one)}`, "warn"))}
    </>
  )
}

const stalledCell = ({ standing: { name }, stalls }: Seen): Html | number =>
  stalls === undefined ? 0 : <a href={stalledPath(name)}>{pill(grouped(`${stalls.swaps}`), "warn")}</a>

/** The share of the day; that of this hour too, where the hour is worse than fine. */
const answeredCell = ({ calls, failed, hours }: Day): Html => (
  <>
    {share(calls - failed, calls)}{" "}
    {hours.slice(-1).filter(({ was }) => was === "slow" || was === "failing").map((hour) => (
      <small class="down">{share(hour.calls - hour.failed, hour.calls)} this hour</small>
    ))}
  </>
)

const nowColumns: Columns<Seen> = [
  ["Provider", ({ standing }) => nameCell(standing)],
  ["State", ({ standing }) => stateBadge(standing), "b"],
  ["Calls by hour", ({ day, standing }) => hoursOf(standing.contact.name, day), "all"],
  ["Answered", ({ day }) => answeredCell(day), "number"],
  ["Median", ({ day }) => known(day.p50Millis, millisText), "number"],
  ["Calls", ({ day }) => grouped(`${day.calls}`), "number"],
  ["Failed", ({ day }) => grouped(`${day.failed}`), "number"],
  ["Refused", ({ day }) => grouped(`${day.refused}`), "number"],
  ["Stalled", stalledCell, "number"],
  ["Paused or off", ({ standing }) => stoppedCell(standing), "all"],
]

/** A provider with what it brought, and what all of them did. */
interface Bringing extends Brought {
  readonly standing: ProviderStanding
}

const bestQuote: Column<Bringing> = ["Best quote", ({ best, offered }) => share(best, offered), "number"]

const broughtColumns = (volume: UsdValue, isOffered: boolean): Columns<Bringing> => [
  ["Provider", ({ standing }) => nameCell(standing)],
  ...(isOffered ? [bestQuote] : []),
  ["Swaps", ({ totals }) => grouped(`${totals.ended}`), "number"],
  ["Refunded", ({ totals }) => grouped(`${totals.refunded.swaps}`), "number"],
  ["Failed", ({ totals }) => grouped(`${totals.failed.swaps}`), "number"],
  ["Failure rate", ({ totals }) => rate(totals.failed.swaps, totals.ended), "number"],
  ["Volume ≈ USD", ({ totals }) => dollars(totals.volume.value), "number", "volume"],
  [
    "Share",
    ({ totals }) => share(BigDecimal.toNumberUnsafe(totals.volume.value), BigDecimal.toNumberUnsafe(volume)),
    "number x",
  ],
  ["Commission ≈ USD", ({ totals }) => dollars(totals.commission.value, "cents"), "number b"],
]

const totalCells = (
  rows: ReadonlyArray<Bringing>,
  volume: UsdValue,
  isOffered: boolean,
): ReadonlyArray<Value> => {
  const sum = (figure: (row: Bringing) => number) => rows.reduce((total, row) => total + figure(row), 0)
  const [ended, failed] = [sum(({ totals }) => totals.ended), sum(({ totals }) => totals.failed.swaps)]
  const commission = rows.map(({ totals }) => totals.commission.value).reduce(addValues, noValue)
  return [
    "Total",
    ...(isOffered ? [""] : []),
    grouped(`${ended}`),
    grouped(`${sum(({ totals }) => totals.refunded.swaps)}`),
    grouped(`${failed}`),
    rate(failed, ended),
    dollars(volume),
    volume.value === 0n ? "" : share(1, 1),
    dollars(commission, "cents"),
  ]
}

const broughtTable = (title: string, rows: ReadonlyArray<Bringing>): Html => {
  const volume = rows.map(({ totals }) => totals.volume.value).reduce(addValues, noValue)
  const isOffered = rows.some(({ offered }) => offered > 0)
  return table({
    caption: `Business by provider: ${title}`,
    columns: broughtColumns(volume, isOffered),
    rows,
    totals: totalCells(rows, volume, isOffered),
    empty: "No provider is enabled.",
  })
}

const unpriced = (rows: ReadonlyArray<Bringing>): string => {
  const count = rows.reduce((sum, { totals }) => sum + totals.volume.unvalued, 0)
  return count === 0 ? "" : `, ${counted(count, "swap")} without a price`
}

const statesOf = (all: ReadonlyArray<ProviderStanding>): string =>
  (["up", "degraded", "down", "off"] as const).flatMap((state) => {
    const count = all.filter((standing) => stateOf(standing) === state).length
    return count === 0 ? [] : [`${count} ${state}`]
  }).join(", ")

const nowSection = (seen: ReadonlyArray<Seen>): Html =>
  section(
    {
      title: "Health, last 24 hours",
      id: "providers",
      aside: (
        <span class="key">
          {keyPart("f4", "fine")}
          {keyPart("f2", "2\u00a0% failed or more")}
          {keyPart("f3", "20\u00a0% failed or more")}
          {keyPart("f0", "no calls")}
        </span>
      ),
    },
    table({
      caption: "Providers in the order of preference: state, and calls of the last 24 hours",
      columns: nowColumns,
      rows: seen,
      empty: "No provider is enabled. Name one in PROVIDERS.",
    }),
  )

/** A provider with how it is and what it brought. */
type Shown = Seen & Bringing

/** Both tables of figures for a spreadsheet. */
const providersCsv = csvTable<Shown>("providers.csv", [
  ["provider", ({ standing }) => standing.name],
  ["health", ({ standing }) => healthOf(standing)],
  ["calls", ({ day }) => day.calls],
  ["failedCalls", ({ day }) => day.failed],
  ["refusedCalls", ({ day }) => day.refused],
  ["medianMillis", ({ day }) => day.p50Millis],
  ["p90Millis", ({ day }) => day.p90Millis],
  ["stalledSwaps", ({ stalls }) => stalls?.swaps ?? 0],
  ["swaps", ({ totals }) => totals.ended],
  ["refunded", ({ totals }) => totals.refunded.swaps],
  ["failed", ({ totals }) => totals.failed.swaps],
  ["volumeUsd", ({ totals }) => totals.volume.value],
  ["commissionUsd", ({ totals }) => totals.commission.value],
])

/** Every provider with how it is now and what it brought in a period. */
const shownIn = Effect.fnUntraced(
  function* (all: ReadonlyArray<ProviderStanding>, period: Period, now: EpochMillis) {
    const figures = yield* figuresIn(period)
    return yield* Effect.forEach(all, (standing) =>
      Effect.zipWith(
        loadProvider(standing, now),
        broughtBy(standing.name, period, figures),
        (seen, brought): Shown => ({ ...seen, ...brought }),
      ))
  },
)

/** Every provider beside the others: the ill ones first, how each is now, what it brought, what it can do. */
export const providersPage = page({
  path: "/dashboard/providers",
  nav: "providers",
  operator: Effect.fnUntraced(function* ({ now, query }: PageRequest<Operator>) {
    const here = path`/dashboard/providers`
    const all = yield* (yield* Overview).all
    const period = periodOf(query("period"), now)
    const seen = yield* shownIn(all, period, now)
    return {
      title: "Providers",
      line: all.length === 0 ? "none is enabled" : `${all.length} enabled · ${statesOf(all)}`,
      acts: csvButton(here, { period: period.name }),
      body: [
        <div id="now" class="stack" data-live>{healthNote(seen, now)}{nowSection(seen)}</div>,
        section(
          {
            title: `Business, ${period.title.toLowerCase()}`,
            id: "brought",
            live: true,
            aside: (
              <>
                <small>dollars are estimates at the time of each swap{unpriced(seen)}</small>{" "}
                {periodSegments(here, period.name)}
              </>
            ),
          },
          broughtTable(period.title, seen),
        ),
      ],
    }
  }),
  csv: {
    operator: Effect.fnUntraced(function* ({ now, query }: PageRequest<Operator>) {
      const all = yield* (yield* Overview).all
      return csvOf(providersCsv, { items: yield* shownIn(all, periodOf(query("period"), now), now) })
    }),
  },
})
