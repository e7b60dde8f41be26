import { Effect, Option, Schema } from "effect"
import { AccountName } from "#domain/accounts/Account.ts"
import { AssetId, assetIds, chainOf, factsOf } from "#domain/chains/Asset.ts"
import type { AccountSwapsQuery } from "#domain/operations/Business.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { SwapResult, SwapState } from "#domain/swaps/Swap.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { EpochMillis } from "#domain/Time.ts"
import type { Viewer } from "#domain/accounts/Viewer.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { type Choice, filterField, filterForm, filterSelect, hidden } from "../../pages/forms.tsx"
import { type Html, nothing } from "../../pages/jsx-runtime.ts"
import type { Url } from "../../pages/Url.ts"
import { any, choices, endOf, readFilter, startOf } from "../filters.ts"
import type { PageRequest } from "../Page.ts"
import { unknownView, type ViewName, viewOf, views } from "./views.ts"

/** No id, address or hash is longer. */
const longestSearch = 200

/** The filters of the list, by the names that they have in the address of the page. */
const names = ["find", "state", "result", "platform", "asset", "account", "from", "to"] as const

export type Filters = { readonly [Name in typeof names[number]]: string | undefined }

/** The filters that the address of a page has. An integrator's account is none: nothing else is shown. */
export const filtersOf = ({ query, viewer }: PageRequest<Viewer>): Filters => {
  const [find, state, result, platform, asset, account, from, to] = names.map(query)
  return {
    find,
    state,
    result,
    platform,
    asset,
    account: viewer._tag === "Operator" ? account : undefined,
    from,
    to,
  }
}

/** The view that the address asks for. `stalled=1` is that of links of before. */
export const wantedView = ({ query }: Pick<PageRequest<Viewer>, "query">) => {
  const named = query("view") ?? (query("stalled") === undefined ? undefined : "stalled")
  return readFilter("view", named, (text) => Option.fromUndefinedOr(viewOf(text)))
}

/** What filters ask the records for. An integrator asks for its own account, whatever the address of the page says. */
export const questionOf = Effect.fnUntraced(
  function* ({ query, viewer }: PageRequest<Viewer>, filters: Filters) {
    const account = viewer._tag === "Integrator"
      ? viewer.account.name
      : yield* readFilter("account", filters.account, AccountName.makeOption)
    const state = yield* readFilter("state", filters.state, Schema.decodeUnknownOption(SwapState))
    const result = yield* readFilter("result", filters.result, Schema.decodeUnknownOption(SwapResult))
    const platform = yield* readFilter("platform", filters.platform, ProviderName.makeOption)
    const asset = yield* readFilter("asset", filters.asset, Schema.decodeUnknownOption(AssetId))
    const createdFrom = yield* readFilter("from", filters.from, startOf)
    const createdBefore = yield* readFilter("to", filters.to, endOf)
    const offset = yield* readFilter(
      "offset",
      query("offset"),
      (text) => SwapRecordId.makeOption(Number(text)),
    )
    return {
      offset,
      state,
      result,
      narrowing: {
        sort: "descending",
        ...optionalMembers(account, (account) => ({ account })),
        ...optionalMembers(platform, (platform) => ({ platform })),
        ...optionalMembers(asset, (asset) => ({ asset })),
        ...optionalMembers(createdFrom, (createdFrom) => ({ createdFrom })),
        ...optionalMembers(createdBefore, (createdBefore) => ({ createdBefore })),
        ...optionalMembers(filters.find, (find) => ({ find: find.slice(0, longestSearch) })),
      } satisfies Omit<AccountSwapsQuery, "limit">,
    }
  },
)
export type Question = Effect.Success<ReturnType<typeof questionOf>>

/** The swaps of a view that fit the filters. */
export const inView = (
  view: ViewName,
  { narrowing, result, state }: Pick<Question, "narrowing" | "result" | "state">,
  limit: number,
  now: EpochMillis,
): AccountSwapsQuery => ({
  ...narrowing,
  ...(view === "all" && state !== undefined ? { states: [state] } : {}),
  ...(view === "all" && result !== undefined ? { results: [result] } : {}),
  ...views[view].keeps(now),
  limit,
})

const assetChoices: ReadonlyArray<Choice> = assetIds().map((value) => ({
  value,
  label: `${factsOf(value).ticker} ${chainFacts(chainOf(value)).title}`,
}))

/** The line of filters. What another view is of stands in its tab, so that only all swaps are filtered by their state. */
export const filterLine = (
  { filters, here, isOperator, platforms, view }: {
    readonly here: Url
    readonly filters: Filters
    readonly view: ViewName | typeof unknownView
    readonly platforms: ReadonlyArray<Choice>
    readonly isOperator: boolean
  },
): Html =>
  filterForm({
    to: here,
    narrowed: Object.values(filters),
    ...(view === unknownView
      ? {}
      : { find: { name: "find", hint: "Id, address, transaction, channel", value: filters.find ?? "" } }),
    fields: [
      view === "all" ? nothing : hidden("view", view),
      view !== "all" || filters.state === undefined ? nothing : filterSelect({
        label: "State",
        name: "state",
        value: filters.state ?? "",
        choices: [any("Any state"), ...choices(SwapState.literals)],
      }),
      view !== "all" || filters.result === undefined ? nothing : filterSelect({
        label: "Result",
        name: "result",
        value: filters.result,
        choices: [any("Any result"), ...choices(SwapResult.literals)],
      }),
      filterSelect({
        label: "Provider",
        name: "platform",
        value: filters.platform ?? "",
        choices: [any("Any provider"), ...platforms],
      }),
      filterSelect({
        label: "Asset",
        name: "asset",
        value: filters.asset ?? "",
        choices: [any("Any asset"), ...assetChoices],
      }),
      ...(isOperator
        ? [filterField({ label: "Account", name: "account", value: filters.account ?? "" })]
        : []),
      filterField({ label: "From", name: "from", type: "date", value: filters.from ?? "" }),
      filterField({ label: "To", name: "to", type: "date", value: filters.to ?? "" }),
    ],
  })
