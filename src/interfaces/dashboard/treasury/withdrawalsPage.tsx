import { Effect, Schema } from "effect"
import { formatUnits } from "#domain/money/Amount.ts"
import { type AssetId, factsOf } from "#domain/chains/Asset.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { toIsoDate } from "#domain/Time.ts"
import type { Operator } from "#domain/accounts/Viewer.ts"
import {
  type Withdrawal,
  type WithdrawalFilters,
  WithdrawalId,
  WithdrawalState,
  type WithdrawalSum,
} from "#domain/operations/Withdrawal.ts"
import { dollars, dollarText, figure, minute } from "../../pages/values.tsx"
import { filterForm, filterSelect, hidden } from "../../pages/forms.tsx"
import type { Html } from "../../pages/jsx-runtime.ts"
import { known, section, table } from "../../pages/parts.tsx"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { csvOf, csvTable } from "../../requests/csv.ts"
import { Withdrawals } from "#application/treasury/Withdrawals.ts"
import { providerTitle } from "#providers/Registry.ts"
import { any, csvButton, page, type PageRequest, pagesOf, providerChoices, readFilter } from "../Page.ts"
import { periodOf, periodSegments } from "../overview/period.ts"
import { decisionNote } from "./withdrawalPage.tsx"
import { paymentCell, shortened, statePill, stateWord, withdrawalLink, withdrawnAmount } from "./states.tsx"
import { treasuryPages, treasuryTabs } from "./tabs.ts"
import { OpeningRules } from "#application/swapping/opening/OpeningRules.ts"

/** The most withdrawals on a page, and of unknown outcome before them. */
const atOnce = 25
const mostUnknown = 5

const here = treasuryPages.withdrawals
const priced = "at the time of the request"

/** The filters by the names that they have in the address of the page. The period is the last 30 days unless it says so. */
const named = ({ now, query }: PageRequest<Operator>) => ({
  period: periodOf(query("period") ?? "30d", now),
  state: query("state"),
  provider: query("provider"),
})
type Named = ReturnType<typeof named>

const inAddress = ({ period, ...others }: Named) => ({ period: period.name, ...others })

const filtersOf = Effect.fnUntraced(function* ({ period: { before, from }, provider, state }: Named) {
  const platform = yield* readFilter("provider", provider, ProviderName.makeOption)
  const inState = yield* readFilter("state", state, Schema.decodeUnknownOption(WithdrawalState))
  const filters: WithdrawalFilters = { from, before, ...defined({ platform, state: inState }) }
  return filters
})

const filter = Effect.fnUntraced(function* ({ period, provider = "", state = "" }: Named) {
  return filterForm({
    to: here,
    narrowed: [provider, state],
    fields: [
      hidden("period", period.name),
      filterSelect({
        label: "State",
        name: "state",
        value: state,
        choices: [
          any("Any state"),
          ...WithdrawalState.literals.map((value) => ({ value, label: stateWord(value) })),
        ],
      }),
      filterSelect({
        label: "Provider",
        name: "provider",
        value: provider,
        choices: [any("Any provider"), ...yield* providerChoices],
      }),
    ],
  })
})

/** The sums of the list in a line: what was paid, with its fees, and how many did not get there. */
const sumsLine = (sums: ReadonlyArray<WithdrawalSum>): string => {
  if (sums.length === 0) return "none"
  return sums.map(({ feeValue, state, unvalued, value, withdrawals }) => {
    const worth = `${dollarText(value, "cents")}${unvalued === 0 ? "" : ` (${unvalued} without a price)`}`
    const fees = feeValue.value === 0n ? "" : `, fees of ${dollarText(feeValue, "cents")}`
    return `${withdrawals} ${stateWord(state).toLowerCase()}, ${worth}${fees}`
  }).join(" · ")
}

/** The withdrawals for a spreadsheet: amounts in units of the asset and in its smallest unit. */
const withdrawalsCsv = csvTable<Withdrawal>("withdrawals.csv", [
  ["id", ({ id }) => id],
  ["provider", ({ platform }) => platform],
  ["asset", ({ asset }) => asset],
  ["affiliate", ({ affiliate }) => affiliate],
  ["destination", ({ destination }) => destination],
  ["state", ({ state }) => state],
  ["earned", ({ asset, earned }) => formatUnits(asset, earned)],
  ["earnedNative", ({ earned }) => earned],
  ["valueUsd", ({ value }) => value],
  ["amount", ({ asset, taken }) => taken && formatUnits(asset, taken.amount)],
  ["amountNative", ({ taken }) => taken?.amount],
  ["fee", ({ asset, taken }) => taken && formatUnits(asset, taken.fee)],
  ["feeNative", ({ taken }) => taken?.fee],
  ["reference", ({ taken }) => taken?.reference],
  ["orderTransaction", ({ taken }) => taken?.transaction],
  ["paymentTransaction", ({ paymentTransaction }) => paymentTransaction],
  ["detail", ({ detail }) => detail],
  ["requestedAt", ({ requestedAt }) => toIsoDate(requestedAt)],
  ["changedAt", ({ changedAt }) => toIsoDate(changedAt)],
])

/** An amount with its ticker alone, as its asset stands in the line. */
const brief = (asset: AssetId, native: bigint): Html =>
  <>{figure(asset, native, "list")} {factsOf(asset).ticker}</>

/** Every withdrawal: first those of which nobody knows whether they were ordered, with the decision. */
export const withdrawalsPage = page({
  path: "/dashboard/money/withdrawals",
  nav: "withdrawals",
  operator: Effect.fnUntraced(function* (asked: PageRequest<Operator>) {
    const { now } = asked
    const wanted = named(asked)
    const filters = yield* filtersOf(wanted)
    const withdrawals = yield* Withdrawals
    const { shown } = yield* treasuryTabs("withdrawals")
    const unknown = yield* withdrawals.page({ limit: mostUnknown, state: "unknown" })
    const { links, offset } = pagesOf(
      asked,
      here,
      (text) => WithdrawalId.makeOption(Number(text)),
      { filters: inAddress(wanted), name: "entry" },
    )
    const { items, next } = yield* withdrawals.page({ limit: atOnce, ...filters, ...offset })
    const { networkOf } = yield* OpeningRules
    const sums = yield* withdrawals.sums(filters)
    return {
      title: "Withdrawals",
      acts: csvButton(here, inAddress(wanted)),
      body: [
        shown,
        ...unknown.items.map((one) => decisionNote(one, now)),
        section({
          title: wanted.period.title,
          id: "withdrawals",
          aside: periodSegments(here, wanted.period.name, { kept: inAddress(wanted) }),
        }, [
          <p>
            <small>{sumsLine(sums)}</small>
          </p>,
          yield* filter(wanted),
          table<Withdrawal>({
            caption: "Withdrawals, newest first",
            columns: [
              ["Withdrawal", withdrawalLink, "a"],
              ["From", ({ platform }) => providerTitle(platform)],
              ["Amount", withdrawnAmount],
              ["Arrives", ({ asset, taken }) => known(taken, ({ amount }) => brief(asset, amount)), "number"],
              [
                "≈ USD",
                ({ value }) => known(value, (value) => dollars(value, "cents", priced)) ?? "no price",
                "number b",
              ],
              ["Fee", ({ asset, taken }) => known(taken, ({ fee }) => brief(asset, fee)), "number"],
              [
                "To",
                ({ affiliate, destination }) => (
                  <>{shortened(destination)} {affiliate !== undefined && <small>affiliate</small>}</>
                ),
              ],
              ["State", ({ state }) => statePill(state)],
              ["Transaction", paymentCell(networkOf), "x"],
              ["Requested (UTC)", ({ requestedAt }) => minute(requestedAt), "number"],
            ],
            rows: items,
            empty: "No withdrawals match.",
          }),
          links(next),
        ]),
      ],
    }
  }),
  csv: {
    operator: Effect.fnUntraced(function* (asked: PageRequest<Operator>) {
      const filters = yield* filtersOf(named(asked))
      const { page } = yield* Withdrawals
      const from = (offset?: WithdrawalId) =>
        page({ ...filters, limit: 500, ...optionalMembers(offset, (offset) => ({ offset })) })
      return csvOf(withdrawalsCsv, yield* from(), from)
    }),
  },
})
