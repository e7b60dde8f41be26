import { Effect } from "effect"
import { Alerts } from "../alerts/Alerts.ts"
import { Business } from "../business/Business.ts"
import type { AssetSum, BusinessOverview, EndedSwaps, SwapOutcome } from "../domain/Business.ts"
import type { EpochMillis } from "../domain/Time.ts"
import type { Integrator, Operator, Viewer } from "../domain/Viewer.ts"
import { bars, hourLabel, lastHours, sparkline, startOfDay } from "../pages/charts.ts"
import { type Html, html, nothing } from "../pages/html.ts"
import { amount } from "../pages/amounts.ts"
import { tiles } from "../pages/figures.ts"
import { section } from "../pages/parts.ts"
import { table } from "../pages/table.ts"
import { path, withQuery } from "../pages/Url.ts"
import { Overview, type ProviderStanding } from "../providers/Overview.ts"
import { alertLine } from "./alerts.ts"
import { type Asked, page } from "./Page.ts"
import { byHour, historyOf } from "./providers/providerHistory.ts"
import { healthBadge } from "./providers/providerParts.ts"
import { providerPath } from "./providers/providersPage.ts"
import { swapTable } from "./swaps/swapTable.ts"

/** The most stalled swaps that are listed here; the list of swaps has all of them. */
const mostStalled = 8

const outcomes: ReadonlyArray<SwapOutcome> = ["completed", "refunded", "failed"]

const outcomeTones = { completed: "good", refunded: "warn", failed: "bad" } as const

const countOf = (ended: ReadonlyArray<EndedSwaps>, fits: (one: EndedSwaps) => boolean): number =>
  ended.filter(fits).reduce((sum, { swaps }) => sum + swaps, 0)

const swapsByHour = ({ ended }: BusinessOverview, now: EpochMillis): Html =>
  ended.length === 0
    ? html`
      <p
        class="soft">No swap has ended in the last 24 hours. Each one that completes, is refunded or fails shows here within the hour.</p>
    `
    : bars({
      caption: "Swaps that ended, by hour",
      series: outcomes.map((name) => ({ name, tone: outcomeTones[name] })),
      bars: lastHours(now).map((at) => ({
        label: hourLabel(at),
        parts: outcomes.map((outcome) => countOf(ended, (one) => one.at === at && one.outcome === outcome)),
      })),
    })

const sums = (caption: string, rows: ReadonlyArray<AssetSum>, empty: string): Html =>
  table({
    caption,
    columns: [
      ["Asset", ({ asset }) => asset],
      ["Amount", ({ amount: native, asset }) => amount(asset, native), "number"],
      ["Swaps", ({ swaps }) => swaps, "number"],
    ],
    rows,
    empty,
  })

const headline = ({ ended, stalled, underWay }: BusinessOverview): Html => {
  const all = countOf(ended, () => true)
  const completed = countOf(ended, ({ outcome }) => outcome === "completed")
  const waiting = underWay.filter(({ state }) => state === "waiting").reduce(
    (sum, { swaps }) => sum + swaps,
    0,
  )
  const moving = underWay.reduce((sum, { swaps }) => sum + swaps, 0) - waiting
  const stuck = stalled.reduce((sum, { swaps }) => sum + swaps, 0)
  const share = all === 0 ? "none ended" : `${((completed / all) * 100).toFixed(1)} % of those that ended`
  return tiles([
    { label: "Completed in 24 h", figure: `${completed}`, note: share },
    { label: "Under way", figure: `${moving}`, note: "with a deposit" },
    { label: "Waiting for a deposit", figure: `${waiting}`, note: "open channels" },
    {
      label: "Stalled",
      figure: `${stuck}`,
      note: stuck === 0
        ? "all go on"
        : html`<a href="${withQuery(path`/dashboard/swaps`, { stalled: 1 })}">Show them</a>`,
    },
  ])
}

/** The parts that both kinds of viewer see, of all accounts or of one. */
const business = Effect.fnUntraced(function* ({ now, viewer }: Asked<Viewer>) {
  const services = yield* Business
  const account = viewer._tag === "Integrator" ? { account: viewer.account.name } : {}
  const overview = yield* services.overview({
    from: startOfDay(now),
    before: now,
    step: "hour",
    ...account,
  })
  const stalled = yield* services.swaps({ ...account, sort: "ascending", limit: mostStalled, stalled: true })
  return {
    headline: headline(overview),
    stalled: section(
      { title: "Stalled swaps, the oldest first", id: "stalled", live: true },
      swapTable({
        caption: "Stalled swaps",
        viewer,
        swaps: stalled.items,
        now,
        empty: "No swap stays in its state for longer than it should.",
      }),
    ),
    byHour: section({ title: "The last 24 hours", id: "day", live: true }, swapsByHour(overview, now)),
    sums: html`<div class="cols even">${
      section(
        { title: "Volume in 24 h", id: "volume" },
        sums("Deposits of completed swaps", overview.volume, "Nothing was swapped in the last 24 hours."),
      )
    }${
      section(
        { title: "Commission in 24 h", id: "commission" },
        sums(
          "Commission that was earned",
          overview.commission,
          "No commission was earned in the last 24 hours.",
        ),
      )
    }</div>`,
  }
})

const alertsNow = Effect.fnUntraced(function* (now: EpochMillis) {
  const active = yield* (yield* Alerts).active
  return active.length === 0 ? nothing : section(
    { title: "Alerts", id: "alerts", live: true },
    active.map((alert) => alertLine(alert, now)),
  )
})

const total = (counts: ReadonlyArray<number>): number => counts.reduce((sum, count) => sum + count, 0)

/** A provider's health now, and its calls of the last 24 hours. */
const providerRow = Effect.fnUntraced(function* (standing: ProviderStanding, now: EpochMillis) {
  const parts = yield* historyOf(standing.name, now)
  return {
    standing,
    calls: byHour(parts, now, (part) => part.calls),
    failed: byHour(parts, now, (part) => part.failed),
  }
})

const hourly = (what: string, { name }: ProviderStanding, counts: ReadonlyArray<number>): Html =>
  sparkline(counts, `${what} to ${name} in each of the last 24 hours: ${counts.join(", ")}`)

const providersNow = Effect.fnUntraced(function* (now: EpochMillis) {
  const providers = yield* (yield* Overview).all
  return section(
    { title: "Providers", id: "providers", live: true },
    table({
      caption: "Health of the providers, and their calls of the last 24 hours",
      columns: [
        [
          "Provider",
          ({ standing: { name } }) => html`<a href="${providerPath(name)}">${name}</a>`,
        ],
        ["Health", ({ standing }) => healthBadge(standing)],
        ["Calls in 24 h", ({ calls }) => total(calls), "number"],
        ["Failed", ({ failed }) => total(failed), "number"],
        ["Calls by hour", ({ calls, standing }) => hourly("Calls", standing, calls)],
        ["Failed by hour", ({ failed, standing }) => hourly("Failed calls", standing, failed)],
      ],
      rows: yield* Effect.forEach(providers, (standing) => providerRow(standing, now)),
      empty: "No provider is enabled: name one in PROVIDERS.",
    }),
  )
})

/** The first page: what is wrong now comes first, then how everything stands. */
export const overviewPage = page({
  path: "/dashboard",
  nav: "overview",
  operator: Effect.fnUntraced(function* (asked: Asked<Operator>) {
    const parts = yield* business(asked)
    const body = [
      yield* alertsNow(asked.now),
      parts.headline,
      parts.stalled,
      parts.byHour,
      parts.sums,
      yield* providersNow(asked.now),
    ]
    return { title: "Overview", body }
  }),
  integrator: Effect.fnUntraced(function* (asked: Asked<Integrator>) {
    const { byHour, headline, stalled, sums } = yield* business(asked)
    return { title: "Overview", body: [headline, stalled, byHour, sums] }
  }),
})
