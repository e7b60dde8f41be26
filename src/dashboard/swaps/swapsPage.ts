import { Effect, Schema } from "effect"
import { Business } from "../../business/Business.ts"
import { AccountName } from "../../domain/Account.ts"
import { AssetId, assetIds } from "../../domain/Asset.ts"
import type { AccountSwapsQuery } from "../../domain/Business.ts"
import { ProviderName } from "../../domain/ProviderName.ts"
import { SwapState } from "../../domain/Swap.ts"
import { SwapRecordId } from "../../domain/SwapRecord.ts"
import type { Viewer } from "../../domain/Viewer.ts"
import { spread } from "../../platform/spread.ts"
import { Overview } from "../../providers/Overview.ts"
import { filterField, filterForm, filterSelect } from "../../pages/forms.ts"
import { type Html, html, nothing } from "../../pages/html.ts"
import { pager } from "../../pages/links.ts"
import { section } from "../../pages/parts.ts"
import { table } from "../../pages/table.ts"
import { time } from "../../pages/times.ts"
import { path, type Url, withQuery } from "../../pages/Url.ts"
import { any, choices, endOf, readFilter, startOf } from "../filters.ts"
import { type Asked, page } from "../Page.ts"
import { swapTable } from "./swapTable.ts"

/** The most swaps on a page, which keeps it small. */
const mostListed = 25

/** No id, address or hash is longer. */
const longestSearch = 200

/** The filters of the list, by the names that they have in the address of the page. */
const names = ["find", "state", "platform", "asset", "account", "stalled", "from", "to", "offset"] as const

type Filters = { readonly [Name in typeof names[number]]: string | undefined }

const filtersOf = ({ query }: Pick<Asked<Viewer>, "query">): Filters => {
  const [find, state, platform, asset, account, stalled, from, to, offset] = names.map(query)
  return { find, state, platform, asset, account, stalled, from, to, offset }
}

/** The question to the records. An integrator asks for its own account, whatever the address of the page says. */
const questionOf = Effect.fnUntraced(function* (viewer: Viewer, filters: Filters) {
  const account = viewer._tag === "Integrator"
    ? viewer.account.name
    : yield* readFilter("account", filters.account, AccountName.makeOption)
  const state = yield* readFilter("state", filters.state, Schema.decodeUnknownOption(SwapState))
  const platform = yield* readFilter("platform", filters.platform, ProviderName.makeOption)
  const asset = yield* readFilter("asset", filters.asset, Schema.decodeUnknownOption(AssetId))
  const createdFrom = yield* readFilter("from", filters.from, startOf)
  const createdBefore = yield* readFilter("to", filters.to, endOf)
  const offset = yield* readFilter("offset", filters.offset, (text) => SwapRecordId.makeOption(Number(text)))
  const question: AccountSwapsQuery = {
    sort: "descending",
    limit: mostListed,
    ...spread(account, (account) => ({ account })),
    ...spread(state, (state) => ({ states: [state] })),
    ...spread(platform, (platform) => ({ platform })),
    ...spread(asset, (asset) => ({ asset })),
    ...spread(createdFrom, (createdFrom) => ({ createdFrom })),
    ...spread(createdBefore, (createdBefore) => ({ createdBefore })),
    ...spread(offset, (offset) => ({ offset })),
    ...spread(filters.find, (find) => ({ find: find.slice(0, longestSearch) })),
    ...(filters.stalled === undefined ? {} : { stalled: true }),
  }
  return question
})

const filterLine = (
  here: Url,
  filters: Filters,
  platforms: ReadonlyArray<string>,
  isOperator: boolean,
): Html =>
  filterForm({
    to: here,
    find: { name: "find", hint: "Id, address, transaction, channel", value: filters.find ?? "" },
    fields: [
      filterSelect({
        label: "State",
        name: "state",
        value: filters.state ?? "",
        choices: [any("Any state"), ...choices(SwapState.literals)],
      }),
      filterSelect({
        label: "Stalled",
        name: "stalled",
        value: filters.stalled ?? "",
        choices: [any("All swaps"), { value: "1", label: "Only stalled" }],
      }),
      filterSelect({
        label: "Provider",
        name: "platform",
        value: filters.platform ?? "",
        choices: [any("Any provider"), ...choices(platforms)],
      }),
      filterSelect({
        label: "Asset",
        name: "asset",
        value: filters.asset ?? "",
        choices: [any("Any asset"), ...choices(assetIds())],
      }),
      ...(isOperator
        ? [filterField({ label: "Account", name: "account", value: filters.account ?? "" })]
        : []),
      filterField({ label: "From (UTC)", name: "from", type: "date", value: filters.from ?? "" }),
      filterField({ label: "To (UTC)", name: "to", type: "date", value: filters.to ?? "" }),
    ],
  })

const emptyWords = (isFiltered: boolean): Html =>
  isFiltered ? html`No swap fits. Take a filter away, or look for another id, address or hash.` : html`
    There are no swaps yet. The first one opens with <code>POST /swap</code>: see <a
      href="${path`/docs`}">the documentation</a>.
  `

const show = Effect.fnUntraced(function* (asked: Asked<Viewer>) {
  const { now, viewer } = asked
  const filters = filtersOf(asked)
  const { items, next } = yield* (yield* Business).swaps(yield* questionOf(viewer, filters))
  const platforms = (yield* (yield* Overview).all).map(({ name }) => name)
  const isOperator = viewer._tag === "Operator"
  const { offset, ...narrowing } = filters
  const isFiltered = Object.values(narrowing).some((value) => value !== undefined)
  const here = path`/dashboard/swaps`
  const more = items.length === 0 && next !== undefined
  return {
    title: "Swaps",
    body: [
      filterLine(here, filters, platforms, isOperator),
      isOperator && !isFiltered && offset === undefined ? yield* unknownSection(asked) : nothing,
      section({ title: isFiltered ? "Swaps that fit" : "All swaps", id: "swaps", live: true }, [
        swapTable({
          caption: "Swaps, the latest first",
          viewer,
          swaps: items,
          now,
          empty: more
            ? "None of the swaps that were looked at fits: the next page looks at older ones."
            : emptyWords(isFiltered),
        }),
        pager({
          first: offset === undefined ? undefined : withQuery(here, narrowing),
          next: next === undefined ? undefined : withQuery(here, { ...narrowing, offset: next }),
        }),
      ]),
    ],
  }
})

/** The most openings of unknown outcome that are listed here; `GET /operator/swaps?opening=unknown` has all. */
const mostUnknown = 25

/** Openings of which nobody knows what came of them; only the operator sees them. */
const unknownSection = Effect.fnUntraced(function* ({ now }: Asked<Viewer>) {
  const { items } = yield* (yield* Business).unknownOpenings({ sort: "descending", limit: mostUnknown })
  return items.length === 0 ? nothing : section(
    { title: "Openings of unknown outcome", id: "unknown", live: true },
    table({
      caption: "Each may have opened a channel that no record has, the latest first",
      columns: [
        ["Swap", ({ id }) => id],
        ["Pair", ({ destinationAsset, sourceAsset }) => `${sourceAsset} to ${destinationAsset}`],
        ["Provider", ({ platform }) => platform],
        ["Account", ({ account }) => account],
        ["Reason", ({ reason }) => reason],
        ["Recorded", ({ createdAt }) => time(createdAt, now)],
      ],
      rows: items,
      empty: "",
    }),
  )
})

/** The list of swaps: of all accounts for the operator, of its own for an integrator. */
export const swapsPage = page({
  path: "/dashboard/swaps",
  nav: "swaps",
  operator: show,
  integrator: show,
})
