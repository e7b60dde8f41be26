import { Effect } from "effect"
import { Alerts } from "#application/alerts/Alerts.ts"
import { Business } from "#application/business/Business.ts"
import type { AccountFigure, BusinessFigure, BusinessOverview } from "#domain/operations/Business.ts"
import type { EpochMillis } from "#domain/Time.ts"
import type { Integrator, Operator, Viewer } from "#domain/accounts/Viewer.ts"
import { dollars, grouped, share, strip } from "../../pages/values.tsx"
import { type Html, nothing, path, withQuery } from "../../pages/jsx-runtime.ts"
import { button, type Columns, columns, pill, section, table, todo, untrusted } from "../../pages/parts.tsx"
import { durationText } from "#domain/durationText.ts"
import { counted } from "#domain/figures.ts"
import { Overview, type ProviderStanding, providerTitle } from "#providers/Registry.ts"
import { accountPath } from "../accounts/paths.ts"
import { causesOf, decisionsOf } from "../alerts/decision.tsx"
import { page, type PageRequest, type Shown } from "../Page.ts"
import { providerPath, stateBadge, stoppedText } from "../providers/providerParts.tsx"
import { accountOf, comparedOf, figuresPart } from "./figuresPart.tsx"
import { firstSteps } from "./firstSteps.tsx"
import { periodOf, totalsOf } from "./period.ts"
import { dayOf, hoursOf } from "../providers/healthNote.tsx"

/** The most decisions that are shown here; the page of alerts has all of them. */
const mostDecisions = 5

/** The alerts that wait for a person, the worst first; nothing where there is none. */
const decisions = Effect.fnUntraced(function* (now: EpochMillis) {
  const active = yield* (yield* Alerts).active
  const held = yield* causesOf(active)
  return section(
    {
      title: active.length === 0 ? "No decisions needed" : "Needs a decision",
      id: "decisions",
      live: true,
      aside: (
        <a href={path`/dashboard/alerts`}>
          {active.length === 0 ? "Past alerts" : `All alerts (${active.length})`}
        </a>
      ),
    },
    active.length === 0 ? nothing : todo(decisionsOf(active, held, now, "short").slice(0, mostDecisions)),
  )
})

/** The stalled swaps of an integrator, as a decision; nothing where there is none. */
const ownStalls = ({ stalled }: BusinessOverview, now: EpochMillis): Html => {
  const swaps = stalled.reduce((sum, { swaps }) => sum + swaps, 0)
  if (swaps === 0) return nothing
  const since = Math.min(...stalled.map(({ since }) => since))
  const to = withQuery(path`/dashboard/swaps`, { view: "stalled" })
  return section({ title: "Stalled", id: "decisions", live: true }, [todo([{
    state: pill("Stalled", "bad"),
    text: (
      <>
        <b>{counted(swaps, "swap")} stalled</b> <small>the first {durationText(now - since)} ago</small>
      </>
    ),
    acts: button("Show swaps", to),
  }])])
}

/** A line of a table of sums: what is summed, and its totals. */
interface SumsRow {
  readonly name: Html
  readonly totals: ReturnType<typeof totalsOf>
}

const sumsColumns = (label: string): Columns<SumsRow> => [
  [label, ({ name }) => name],
  ["Swaps", ({ totals }) => grouped(`${totals.ended}`), "number"],
  ["Volume ≈ USD", ({ totals }) => dollars(totals.volume.value), "number", "volume"],
  ["Commission ≈ USD", ({ totals }) => dollars(totals.commission.value, "cents"), "number b"],
]

const sumsTable = (label: string, rows: ReadonlyArray<SumsRow>, all: ReturnType<typeof totalsOf>): Html =>
  table({
    caption: `Volume and commission by ${label.toLowerCase()}`,
    columns: sumsColumns(label),
    rows: rows.toSorted((one, other) => other.totals.ended - one.totals.ended),
    empty: "No swap has ended in this period.",
    totals: [
      "Total",
      grouped(`${all.ended}`),
      dollars(all.volume.value),
      dollars(all.commission.value, "cents"),
    ],
  })

/** Only operators have pages of providers. */
const byProvider = (figures: ReadonlyArray<BusinessFigure>, viewer: Viewer): Html =>
  section(
    {
      title: "By provider",
      id: "by-provider",
      live: true,
      aside: <a href={path`/dashboard/commission`}>Commission</a>,
    },
    sumsTable(
      "Provider",
      [...Map.groupBy(figures, ({ platform }) => platform)].map(([platform, own]) => ({
        name: viewer._tag === "Operator"
          ? <a href={providerPath(platform)}>{providerTitle(platform)}</a>
          : <>{providerTitle(platform)}</>,
        totals: totalsOf(own),
      })),
      totalsOf(figures),
    ),
  )

/** The most accounts that are shown here, those with the most swaps; the page of accounts has all of them. */
const mostAccounts = 12

const byAccount = (figures: ReadonlyArray<AccountFigure>): Html => {
  const rows = [...Map.groupBy(figures, ({ account }) => account)].map(([account, own]) => ({
    name: <a href={accountPath(account)}>{untrusted(account)}</a>,
    totals: totalsOf(own),
  })).toSorted((one, other) => other.totals.ended - one.totals.ended)
  return section(
    {
      title: "By account",
      id: "by-account",
      live: true,
      aside: (
        <>
          {rows.length > mostAccounts && `${mostAccounts} of ${rows.length} · `}
          <a href={path`/dashboard/accounts`}>All accounts</a>
        </>
      ),
    },
    sumsTable("Account", rows.slice(0, mostAccounts), totalsOf(figures)),
  )
}

/** Whether there is no swap at all that a viewer may see. */
const hasNoSwap = Effect.fnUntraced(function* (viewer: Viewer) {
  const { items } = yield* (yield* Business).swaps({ ...accountOf(viewer), sort: "descending", limit: 1 })
  return items.length === 0
})

const read = Effect.fnUntraced(function* (asked: PageRequest<Viewer>) {
  const period = periodOf(asked.query("period"), asked.now)
  const compared = yield* comparedOf(accountOf(asked.viewer), period)
  const overview = yield* (yield* Business).overview({ ...period, ...accountOf(asked.viewer) })
  return { compared, overview, figures: figuresPart(compared, overview) }
})

const shown = (body: ReadonlyArray<Html>): Shown => ({ title: "Overview", hasUnseenTitle: true, body })

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
const providersStrip = Effect.fnUntraced(function* (now: EpochMillis) {
  const standings = yield* (yield* Overview).all
  return section(
    { title: "Providers", id: "providers", live: true, aside: "calls of the last 24 h, a bar an hour" },
    strip(yield* Effect.forEach(standings, (standing) => providerOf(standing, now))),
  )
})

/** The first page: what needs a person comes first, then how business is, then who brings it. */
export const overviewPage = page({
  path: "/dashboard",
  nav: "overview",
  operator: Effect.fnUntraced(function* (asked: PageRequest<Operator>) {
    if (yield* hasNoSwap(asked.viewer)) return shown(yield* firstSteps(asked))
    const { compared, figures } = yield* read(asked)
    const accounts = yield* (yield* Business).ofAccounts(compared.period)
    return shown([
      yield* decisions(asked.now),
      figures,
      yield* providersStrip(asked.now),
      columns("even", byAccount(accounts), byProvider(compared.now, asked.viewer)),
    ])
  }),
  integrator: Effect.fnUntraced(function* (asked: PageRequest<Integrator>) {
    const { compared, figures, overview } = yield* read(asked)
    return shown([ownStalls(overview, asked.now), figures, byProvider(compared.now, asked.viewer)])
  }),
})
