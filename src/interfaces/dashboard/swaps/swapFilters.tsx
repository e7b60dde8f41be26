import { Effect, Option, Schema, Struct } from "effect"
import { AccountName } from "#domain/accounts/Account.ts"
import { AssetId, assetIds, chainOf, factsOf } from "#domain/chains/Asset.ts"
import type { AccountSwapsQuery } from "#domain/operations/Business.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { stateWords } from "#domain/swaps/StateWord.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { EpochMillis } from "#domain/Time.ts"
import type { Viewer } from "#domain/accounts/Viewer.ts"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { type Choice, filterField, filterForm, filterSelect, hidden } from "../../pages/forms.tsx"
import { type Html, nothing, type Url, withQuery } from "../../pages/jsx-runtime.ts"
import { acts, button } from "../../pages/parts.tsx"
import { clipped } from "../../pages/visibleText.ts"
import { any, endOf, type PageRequest, readFilter, startOf } from "../Page.ts"
import { titleOfWord } from "./describeSwap.tsx"
import { swapsOfWord, unknownView, type ViewName, viewOf, views } from "./views.ts"

/** No id, address or hash is longer. */
const longestSearch = 200

/** The filters of the list by the names that they have in the address of the page, and what they are called. */
const labels = {
  find: "Search",
  state: "State",
  platform: "Provider",
  asset: "Asset",
  account: "Account",
  from: "From",
  to: "To",
} as const
const names = Struct.keys(labels)

export type Filters = { readonly [Name in keyof typeof labels]: string | undefined }

/** The filters in the address of a page. An integrator sees its own account alone. */
export const filtersOf = ({ query, viewer }: PageRequest<Viewer>): Filters => {
  const [find, state, platform, asset, account, from, to] = names.map(query)
  return { find, state, platform, asset, account: viewer._tag === "Operator" ? account : undefined, from, to }
}

/** The view that the address asks for. */
export const wantedView = ({ query }: Pick<PageRequest<Viewer>, "query">) =>
  readFilter("view", query("view"), (text) => Option.fromUndefinedOr(viewOf(text)))

/** What filters ask the records for. An integrator asks for its own account, whatever the address of the page says. */
export const questionOf = Effect.fnUntraced(
  function* ({ query, viewer }: PageRequest<Viewer>, filters: Filters) {
    const account = viewer._tag === "Integrator"
      ? viewer.account.name
      : yield* readFilter("account", filters.account, AccountName.makeOption)
    const state = yield* readFilter(
      "state",
      filters.state,
      Schema.decodeUnknownOption(Schema.Literals(stateWords)),
    )
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
      narrowing: {
        sort: "descending",
        ...defined({ account, platform, asset, createdFrom, createdBefore }),
        ...optionalMembers(filters.find, (find) => ({ find: find.slice(0, longestSearch) })),
      } satisfies Omit<AccountSwapsQuery, "limit">,
    }
  },
)
export type Question = Effect.Success<ReturnType<typeof questionOf>>

/** The swaps of a view that fit the filters. */
export const inView = (
  view: ViewName,
  { narrowing, state }: Pick<Question, "narrowing" | "state">,
  limit: number,
  now: EpochMillis,
): AccountSwapsQuery => ({
  ...narrowing,
  ...(view === "all" && state !== undefined && state !== unknownView ? swapsOfWord[state] : {}),
  ...views[view].keeps(now),
  limit,
})

/** The most accounts that a list offers, as a page has to stay small. */
const mostAccounts = 200

/** The words to filter by. Openings are the operator's alone. */
const stateChoices = (isOperator: boolean): ReadonlyArray<Choice> =>
  stateWords.filter((value) => isOperator || value !== unknownView)
    .map((value) => ({ value, label: titleOfWord(value) }))

/** A filter that is on, as a link that takes it off. */
const chip = (text: string, to: Url): Html =>
  button(
    <>
      <span class="un">{"Remove the filter "}</span>
      {clipped(text, 60)} ×
    </>,
    to,
  )

const assetChoices: ReadonlyArray<Choice> = assetIds().map((value) => ({
  value,
  label: `${factsOf(value).ticker} ${chainFacts(chainOf(value)).title}`,
}))

/** The choices of the filters that are lists; accounts are chosen from a list while that is short. */
interface Offered {
  readonly platforms: ReadonlyArray<Choice>
  readonly accounts: ReadonlyArray<Choice>
}

/** The line of filters, and each filter that is on. Other views than all swaps have their state in their tab. */
export const filterLine = (
  { accounts, filters, here, isOperator, platforms, view }: Offered & {
    readonly here: Url
    readonly filters: Filters
    readonly view: ViewName | typeof unknownView
    readonly isOperator: boolean
  },
): ReadonlyArray<Html> => {
  const inAddress = { view: view === "all" ? undefined : view, ...filters }
  const offered = {
    state: stateChoices(isOperator),
    platform: platforms,
    asset: assetChoices,
    account: accounts,
  }
  const choices: Partial<Record<string, ReadonlyArray<Choice>>> = offered
  const chips = names.flatMap((name) => {
    const value = filters[name]
    if (value === undefined || name === "state" && view !== "all") return []
    const words = choices[name]?.find((choice) => choice.value === value)?.label ?? value
    return [chip(`${labels[name]}: ${words}`, withQuery(here, { ...inAddress, [name]: undefined }))]
  })
  const field = (name: keyof Filters, type: "text" | "date") =>
    filterField({ label: labels[name], name, type, value: filters[name] ?? "" })
  const select = (name: keyof typeof offered) =>
    filterSelect({
      label: labels[name],
      name,
      value: filters[name] ?? "",
      choices: [any(`Any ${labels[name].toLowerCase()}`), ...offered[name]],
    })
  const form = filterForm({
    to: here,
    narrowed: [],
    ...(view === unknownView
      ? {}
      : { find: { name: "find", hint: "ID, address, transaction, channel", value: filters.find ?? "" } }),
    fields: [
      view === "all" ? select("state") : hidden("view", view),
      select("platform"),
      select("asset"),
      !isOperator ? nothing : accounts.length > mostAccounts ? field("account", "text") : select("account"),
      field("from", "date"),
      field("to", "date"),
    ],
  })
  return chips.length === 0 ? [form] : [form, acts(...chips)]
}
