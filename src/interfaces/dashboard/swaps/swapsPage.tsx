import { Effect } from "effect"
import { Business } from "#application/business/Business.ts"
import type { AccountSwap, Counted, UnknownOpening } from "#domain/operations/Business.ts"
import { EpochMillis, toIsoDate } from "#domain/Time.ts"
import type { Viewer } from "#domain/accounts/Viewer.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { accountSwapsTable, csvOf, csvTable } from "../../requests/csv.ts"
import { dollars } from "../../pages/amounts.tsx"
import { type Html, nothing } from "../../pages/jsx-runtime.ts"
import { pager, tabs } from "../../pages/links.tsx"
import { grouped } from "../../pages/money.ts"
import { path, withQuery } from "../../pages/Url.ts"
import { csvButton, providerChoices } from "../filters.ts"
import { page, type PageRequest } from "../Page.ts"
import { otherMatches } from "./otherMatches.tsx"
import { sumsOf } from "./describeSwap.tsx"
import { filterLine, filtersOf, inView, type Question, questionOf, wantedView } from "./swapFilters.ts"
import { openingTable, swapTable } from "./swapTable.tsx"
import { unknownLabel, unknownView, viewList, type ViewName, views } from "./views.ts"

/** The most swaps on a page, which keeps it small. */
const mostListed = 25

/** The most swaps that are counted of a view. */
const mostCounted = 99

/** How many swaps of a CSV are in memory at a time. */
const lotSize = 500

const here = path`/dashboard/swaps`

/** `3`, `99+`. */
const countText = ({ isLeast, swaps }: Counted): string => `${swaps}${isLeast ? "+" : ""}`

/** The filters that an opening can fit. */
const openingsQuery = ({ narrowing: { find: _, ...narrowing } }: Question) => narrowing

/** The views with how many fit the filters in each. Only operators know of openings without a swap. */
const viewTabs = Effect.fnUntraced(function* (
  { now, viewer }: PageRequest<Viewer>,
  question: Question,
  current: ViewName | typeof unknownView,
  kept: Readonly<Record<string, string | undefined>>,
) {
  const business = yield* Business
  const tabOf = (name: string, label: string) => ({
    label,
    isCurrent: name === current,
    to: withQuery(here, { view: name === "all" ? undefined : name, ...kept }),
  })
  const counted = (count: Counted, tone: "warn" | "bad" | undefined) => ({
    count: countText(count),
    ...(tone === undefined || count.swaps === 0 ? {} : { tone }),
  })
  const narrowed = { narrowing: question.narrowing, result: undefined, state: undefined }
  const ofSwaps = yield* Effect.forEach(viewList, ([name, view]) =>
    view.isCounted
      ? Effect.map(
        business.count(inView(name, narrowed, mostCounted, now)),
        (count) => ({ name, tab: { ...tabOf(name, view.label), ...counted(count, view.tone) } }),
      )
      : Effect.succeed({ name, tab: tabOf(name, view.label) }), { concurrency: "unbounded" })
  if (viewer._tag === "Integrator") return tabs("Views", ofSwaps.map(({ tab }) => tab))
  const { items, next } = yield* business.unknownOpenings({ ...openingsQuery(question), limit: mostCounted })
  const openings = counted({ swaps: items.length, isLeast: next !== undefined }, "bad")
  return tabs(
    "Views",
    ofSwaps.flatMap(({ name, tab }) =>
      name === "stalled" ? [tab, { ...tabOf(unknownView, unknownLabel), ...openings }] : [tab]
    ),
  )
})

const emptyWords = (view: ViewName, isFiltered: boolean, hasMore: boolean): string => {
  if (hasMore) return "No match on this page. The next page has older swaps."
  if (isFiltered) return "No swaps match. Remove a filter, or search for another ID, address or hash."
  return views[view].empty
}

/** How many swaps a page has, and what they come to. */
const saidOf = (swaps: ReadonlyArray<AccountSwap>): Html | undefined => {
  if (swaps.length === 0) return undefined
  const { commission, paidIn, unvalued } = sumsOf(swaps)
  const parts = [
    `${swaps.length} on this page`,
    ...(paidIn === undefined ? [] : [<>{dollars(paidIn)} deposited</>]),
    ...(commission === undefined ? [] : [<>{dollars(commission, "cents")} commission</>]),
    ...(unvalued === 0 ? [] : [`${unvalued} without a price`]),
  ]
  return <>{parts.map((part, index) => <>{index > 0 && " · "}{part}</>)}</>
}

const openingsShown = Effect.fnUntraced(function* (
  { now }: PageRequest<Viewer>,
  question: Question,
) {
  const { items, next } = yield* (yield* Business).unknownOpenings({
    ...openingsQuery(question),
    limit: mostListed,
    ...optionalMembers(question.offset, (offset) => ({ offset })),
  })
  return { list: openingTable(items, now), said: undefined, next }
})

const swapsShown = Effect.fnUntraced(
  function* (
    { now, viewer }: PageRequest<Viewer>,
    view: ViewName,
    question: Question,
    isFiltered: boolean,
  ) {
    const { items, next } = yield* (yield* Business).swaps({
      ...inView(view, question, mostListed, now),
      ...optionalMembers(question.offset, (offset) => ({ offset })),
    })
    const list = swapTable({
      caption: "Swaps, newest first",
      viewer,
      swaps: items,
      now,
      empty: emptyWords(view, isFiltered, items.length === 0 && next !== undefined),
    })
    return { list, said: saidOf(items), next }
  },
)

/** The view, the filters and the question of the address of a page. Openings are the operator's alone. */
const wanted = Effect.fnUntraced(function* (asked: PageRequest<Viewer>) {
  const named = (yield* wantedView(asked)) ?? "all"
  const view = asked.viewer._tag === "Integrator" && named === unknownView ? "all" : named
  const filters = filtersOf(asked)
  return { view, filters, question: yield* questionOf(asked, filters) }
})

const show = Effect.fnUntraced(function* (asked: PageRequest<Viewer>) {
  const { viewer } = asked
  const { filters, question, view } = yield* wanted(asked)
  const { state: _, ...kept } = filters
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  const { list, next, said } = yield* view === unknownView
    ? openingsShown(asked, question)
    : swapsShown(asked, view, question, isFiltered)
  const narrowing = { view: view === "all" ? undefined : view, ...filters }
  const ended = yield* endedLately(asked)
  return {
    title: "Swaps",
    line: ended,
    acts: csvButton(here, narrowing),
    body: [
      viewer._tag === "Operator" && filters.find !== undefined ? yield* otherMatches(filters.find) : nothing,
      (<div class="stack tight">
        {yield* viewTabs(asked, question, view, kept)}
        {filterLine({
          here,
          filters,
          view,
          platforms: yield* providerChoices,
          isOperator: viewer._tag === "Operator",
        })}
      </div>),
      (<section aria-label="Swaps of this view" id="list" data-live="">
        {list}
        {pager({
          ...optionalMembers(said, (said) => ({ said })),
          first: question.offset === undefined ? undefined : withQuery(here, narrowing),
          next: next === undefined ? undefined : withQuery(here, { ...narrowing, offset: next }),
        })}
      </section>),
    ],
  }
})

const hourMillis = 3_600_000

/** How many swaps ended in the last 24 hours. */
const endedLately = Effect.fnUntraced(function* ({ now, viewer }: PageRequest<Viewer>) {
  const figures = yield* (yield* Business).figures({
    from: EpochMillis.make(now - now % hourMillis - 23 * hourMillis),
    before: now,
    step: "day",
    ...(viewer._tag === "Integrator" ? { account: viewer.account.name } : {}),
  })
  const swaps = figures.reduce((sum, { measure, swaps }) => measure === "commission" ? sum : sum + swaps, 0)
  return `${grouped(`${swaps}`)} ended in the last 24 hours`
})

const openingsCsv = csvTable<UnknownOpening>("openings.csv", [
  ["id", ({ id }) => id],
  ["account", ({ account }) => account],
  ["platform", ({ platform }) => platform],
  ["sourceAsset", ({ sourceAsset }) => sourceAsset],
  ["destinationAsset", ({ destinationAsset }) => destinationAsset],
  ["destinationAddress", ({ destinationAddress }) => destinationAddress],
  ["createdAt", ({ createdAt }) => toIsoDate(createdAt)],
  ["reason", ({ reason }) => reason],
])

/** The swaps or openings of the page's address as a table for spreadsheets, all of them. */
const csv = Effect.fnUntraced(function* (asked: PageRequest<Viewer>) {
  const { question, view } = yield* wanted(asked)
  const business = yield* Business
  if (view === unknownView) {
    const openings = (offset: typeof question.offset) =>
      business.unknownOpenings({
        ...openingsQuery(question),
        limit: lotSize,
        ...optionalMembers(offset, (offset) => ({ offset })),
      })
    return csvOf(openingsCsv, yield* openings(undefined), openings)
  }
  const query = inView(view, question, lotSize, asked.now)
  return csvOf(
    accountSwapsTable,
    yield* business.swaps(query),
    (offset) => business.swaps({ ...query, offset }),
  )
})

/** The list of swaps: of all accounts for the operator, of its own for an integrator. */
export const swapsPage = page({
  path: "/dashboard/swaps",
  nav: "swaps",
  operator: show,
  integrator: show,
  csv: { operator: csv, integrator: csv },
})
