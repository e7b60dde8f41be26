import { Effect, Option, Struct } from "effect"
import { Accounts } from "#application/accounts/Accounts.ts"
import { OpeningChecks } from "#application/swapping/opening/OpeningChecks.ts"
import { SwapNetworks } from "#providers/SwapNetworks.ts"
import { Business } from "#application/business/Business.ts"
import type { AccountSwap, Counted, UnknownOpening } from "#domain/operations/Business.ts"
import { valueAt } from "#domain/money/UsdValue.ts"
import { sentOf } from "#domain/quotes/ExactOutput.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { toIsoDate } from "#domain/Time.ts"
import type { Viewer } from "#domain/accounts/Viewer.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { accountSwapsTable, csvOf, csvTable } from "../../requests/csv.ts"
import { dollars, grouped } from "../../pages/values.tsx"
import { type Html, nothing, path, type Url, withQuery } from "../../pages/jsx-runtime.ts"
import { pager, tabs } from "../../pages/parts.tsx"
import { csvButton, page, type PageRequest, providerChoices, type Shown } from "../Page.ts"
import { type ListedOpening, openingTable, sumsOf, swapTable } from "./describeSwap.tsx"
import {
  filterLine,
  type Filters,
  filtersOf,
  inView,
  type Question,
  questionOf,
  wantedView,
} from "./swapFilters.tsx"
import { unknownLabel, unknownView, type View, type ViewName, views } from "./views.ts"
import { Keys } from "#application/accounts/Keys.ts"
import { KeyId } from "#domain/accounts/Key.ts"
import { WebhookId } from "#domain/accounts/Webhook.ts"
import { WithdrawalId } from "#domain/operations/Withdrawal.ts"
import { Overview } from "#providers/Registry.ts"
import { Withdrawals } from "#application/treasury/Withdrawals.ts"
import { Webhooks } from "#application/webhooks/Webhooks.ts"
import { accountPath, keysPath, webhookPath } from "../accounts/paths.ts"
import { providerPath } from "../providers/providerParts.tsx"

/** The most swaps on a page, which keeps it small. */
const mostListed = 25

/** The most swaps that are counted of a view or of the list. */
const mostCounted = 999

/** How many swaps of a CSV are in memory at a time. */
const lotSize = 500

const here = path`/dashboard/swaps`

/** `3`, `999+`. */
const countText = ({ isLeast, swaps }: Counted): string => `${grouped(`${swaps}`)}${isLeast ? "+" : ""}`

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
  const narrowed = { narrowing: question.narrowing, state: undefined }
  const ofSwaps = yield* Effect.forEach(Struct.keys(views), (name) => {
    const { label, tone }: View = views[name]
    return Effect.map(
      business.count(inView(name, narrowed, mostCounted, now)),
      (count) => ({ name, tab: { ...tabOf(name, label), ...counted(count, tone) } }),
    )
  }, { concurrency: "unbounded" })
  if (viewer._tag === "Integrator") return tabs("Views", ofSwaps.map(({ tab }) => tab))
  const { items, next } = yield* business.unknownOpenings({ ...openingsQuery(question), limit: mostCounted })
  const openings = { swaps: items.length, isLeast: next !== undefined }
  const unknown = { ...tabOf(unknownView, unknownLabel), ...counted(openings, "warn") }
  return (
    <>
      {tabs("Views", ofSwaps.flatMap(({ name, tab }) => name === "stalled" ? [tab, unknown] : [tab]))}
      {current === "all" && kept.find === undefined && items.length > 0 && (
        <p>
          Not in this list:{" "}
          <a href={unknown.to}>{countText(openings)} {items.length > 1 ? "openings" : "opening"}</a>{" "}
          with an unknown outcome.
        </p>
      )}
    </>
  )
})

const emptyWords = (view: ViewName, isFiltered: boolean, hasMore: boolean): string => {
  if (hasMore) return "No match on this page. The next page has older swaps."
  if (isFiltered) return "No swaps match. Remove a filter, or search for another ID, address or hash."
  return views[view].empty
}

/** `1–25 of 718`, and the sums of the page. */
const saidOf = (swaps: ReadonlyArray<AccountSwap>, first: number, all: string): Html | undefined => {
  if (swaps.length === 0) return undefined
  const { commission, deposited, unvalued } = sumsOf(swaps)
  const sums = [
    ...(deposited === undefined ? [] : [<>{dollars(deposited)} deposited</>]),
    ...(commission === undefined ? [] : [<>{dollars(commission, "cents")} commission</>]),
    ...(unvalued === 0 ? [] : [`${unvalued} without a price`]),
  ]
  return (
    <>
      {grouped(`${first}`)}–{grouped(`${first + swaps.length - 1}`)} of {all}
      {sums.map((part, index) => <>{index === 0 ? " · " : ", "}{part}</>)}
      {sums.length > 0 && " on this page"}
    </>
  )
}

/** The place of the page's first row in the list, as the link to the page says. */
const firstOf = ({ query }: PageRequest<Viewer>): number =>
  Math.max(1, Math.floor(Number(query("at") ?? "1")) || 1)

interface Listed {
  readonly list: Html
  readonly said: Html | string | undefined
  readonly next: SwapRecordId | undefined
  readonly rows: number
  /** The swap, where the list has no other. */
  readonly only?: SwapRecordId | undefined
}

const openingsShown = Effect.fnUntraced(function* ({ now }: PageRequest<Viewer>, question: Question) {
  const { items, next } = yield* (yield* Business).unknownOpenings({
    ...openingsQuery(question),
    limit: mostListed,
    ...optionalMembers(question.offset, (offset) => ({ offset })),
  })
  const { nextBy } = yield* OpeningChecks
  const prices = yield* (yield* Business).pricesAt(items.map(({ sourceAsset }) => sourceAsset), now)
  const shown = items.map((opening): ListedOpening => {
    const [price, sent] = [prices.get(opening.sourceAsset), sentOf(opening.amount)]
    return {
      ...opening,
      nextBy: nextBy(opening, now),
      ...(price === undefined || sent === undefined ? {} : { value: valueAt(price, sent) }),
    }
  })
  const said = items.length === 0 ? undefined : `${items.length} on this page`
  const listed: Listed = { list: openingTable(shown, now), said, next, rows: items.length }
  return listed
})

const swapsShown = Effect.fnUntraced(
  function* (asked: PageRequest<Viewer>, view: ViewName, question: Question, isFiltered: boolean) {
    const { now, viewer } = asked
    const business = yield* Business
    const { items, next } = yield* business.swaps({
      ...inView(view, question, mostListed, now),
      ...optionalMembers(question.offset, (offset) => ({ offset })),
    })
    const isWhole = question.offset === undefined && next === undefined
    const all = isWhole
      ? { swaps: items.length, isLeast: false }
      : yield* business.count(inView(view, question, mostCounted, now))
    const listed: Listed = {
      list: swapTable({
        caption: view === "stalled" ? "Swaps, stalled for the longest first" : "Swaps, newest first",
        viewer,
        swaps: items,
        now,
        isStalled: view === "stalled",
        empty: emptyWords(view, isFiltered, items.length === 0 && next !== undefined),
      }),
      said: saidOf(items, firstOf(asked), countText(all)),
      next,
      rows: items.length,
      only: isWhole && items.length === 1 ? items[0]?.record.id : undefined,
    }
    return listed
  },
)

/** The view, the filters and the question of the address of a page. Openings are the operator's alone. */
const wanted = Effect.fnUntraced(function* (asked: PageRequest<Viewer>) {
  const named = (yield* wantedView(asked)) ?? "all"
  const filters = filtersOf(asked)
  const question = yield* questionOf(asked, filters)
  const isUnknown = named === unknownView || question.state === unknownView
  const view: ViewName | typeof unknownView = !isUnknown
    ? named
    : asked.viewer._tag === "Operator"
    ? unknownView
    : "all"
  return { view, filters, question }
})

/** Something besides swaps that a search has found. */
interface Find {
  readonly label: string
  readonly to: Url
  /** Whether its whole ID or name was searched for. */
  readonly isExact: boolean
}

/** The most accounts that one search names. */
const mostAccounts = 8

const digits = /^[1-9][0-9]{0,9}$/

const accountsWith = Effect.fnUntraced(function* (text: string) {
  const all = yield* (yield* Accounts).all
  return all.filter(({ name }) => name.includes(text)).slice(0, mostAccounts)
    .map(({ name }): Find => ({ label: `Account ${name}`, to: accountPath(name), isExact: name === text }))
})

const providersWith = Effect.fnUntraced(function* (text: string) {
  return (yield* (yield* Overview).all)
    .filter(({ contact, name }) => name.includes(text) || contact.name.toLowerCase().includes(text))
    .map(({ contact, name }): Find => ({
      label: contact.name,
      to: providerPath(name),
      isExact: name === text,
    }))
})

const exactly = (label: string, to: Url): Find => ({ label, to, isExact: true })

const keyWith = Effect.fnUntraced(function* (text: string) {
  const id = KeyId.makeOption(text)
  if (Option.isNone(id)) return []
  return Option.toArray(yield* (yield* Keys).find(id.value))
    .map(({ account }) => exactly(`Key ${text} of ${account}`, keysPath(account)))
})

const webhookWith = Effect.fnUntraced(function* (text: string) {
  const id = WebhookId.makeOption(text)
  if (Option.isNone(id)) return []
  return Option.toArray(yield* (yield* Webhooks).accountOf(id.value))
    .map((account) => exactly(`Webhook ${text} of ${account}`, webhookPath(account, text)))
})

const numbersWith = Effect.fnUntraced(function* (text: string) {
  if (!digits.test(text)) return []
  const withdrawal = yield* Effect.option((yield* Withdrawals).find(WithdrawalId.make(Number(text))))
  const opening = yield* (yield* Business).unknownOpening(SwapRecordId.make(Number(text)))
  return [
    ...Option.toArray(withdrawal)
      .map(() => exactly(`Withdrawal ${text}`, path`/dashboard/money/withdrawals/${text}`)),
    ...(opening === undefined
      ? []
      : [exactly(`Opening ${text}, unknown outcome`, path`/dashboard/swaps/${text}`)]),
  ]
})

/** What an operator's search finds besides swaps. */
const otherMatches = Effect.fnUntraced(function* (text: string) {
  const wanted = text.toLowerCase()
  const finds = yield* Effect.all([
    accountsWith(wanted),
    providersWith(wanted),
    keyWith(wanted),
    webhookWith(wanted),
    numbersWith(wanted),
  ])
  return finds.flat()
})

/** Links to what a search has found besides swaps. */
const matchesLine = (found: ReadonlyArray<Find>): Html =>
  found.length === 0 ? nothing : (
    <p id="found">
      <b>Also found:</b> {found.map(({ label, to }, index) => (
        <>
          {index > 0 && " · "}
          <a href={to}>{label}</a>
        </>
      ))}
    </p>
  )

/** The page of the one thing that a search has found, where it found it exactly and nothing else. */
const onlyHit = (
  { find, ...others }: Filters,
  { only, rows }: Listed,
  found: Effect.Success<ReturnType<typeof otherMatches>>,
): Url | undefined => {
  if (find === undefined || Object.values(others).some((value) => value !== undefined)) return undefined
  if (only !== undefined) return found.length === 0 ? path`/dashboard/swaps/${only}` : undefined
  const [first] = found
  return rows === 0 && found.length === 1 && first?.isExact === true ? first.to : undefined
}

const show = Effect.fnUntraced(function* (asked: PageRequest<Viewer>) {
  const { viewer } = asked
  const isOperator = viewer._tag === "Operator"
  const { filters, question, view } = yield* wanted(asked)
  const { state: _, ...kept } = filters
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  const listed = yield* view === unknownView
    ? openingsShown(asked, question)
    : swapsShown(asked, view, question, isFiltered)
  const found = isOperator && filters.find !== undefined ? yield* otherMatches(filters.find) : []
  const hit = view === "all" ? onlyHit(filters, listed, found) : undefined
  if (hit !== undefined) return { to: hit }
  const narrowing = { view: view === "all" ? undefined : view, ...filters }
  const accounts = isOperator ? yield* (yield* Accounts).all : []
  const { list, next, rows, said } = listed
  const shown: Shown = {
    title: "Swaps",
    line: view === unknownView ? "no address was given out, so no deposit is expected; checks go on" : "",
    acts: csvButton(here, narrowing),
    body: [
      matchesLine(found),
      (<div class="stack tight">
        {yield* viewTabs(asked, question, view, kept)}
        {filterLine({
          here,
          filters,
          view,
          platforms: yield* providerChoices,
          accounts: accounts.map(({ name }) => ({ value: name, label: name })),
          isOperator,
        })}
      </div>),
      (<section aria-label="Swaps of this view" id="list" data-live="">
        {list}
        {pager({
          ...optionalMembers(said, (said) => ({ said })),
          first: question.offset === undefined ? undefined : withQuery(here, narrowing),
          next: next === undefined
            ? undefined
            : withQuery(here, { ...narrowing, offset: next, at: firstOf(asked) + rows }),
        })}
      </section>),
    ],
  }
  return shown
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
    accountSwapsTable({ ...(yield* SwapNetworks), priced: business.priced }),
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
