import { BigDecimal, Effect } from "effect"
import { Business } from "#application/business/Business.ts"
import type { AccountName } from "#domain/accounts/Account.ts"
import type { CommissionKey, CommissionSum } from "#domain/operations/Business.ts"
import type { Integrator, Operator, Viewer } from "#domain/accounts/Viewer.ts"
import { change, dollars, dollarText, grouped, tiles } from "../../pages/values.tsx"
import { type Html, nothing, path, withQuery } from "../../pages/jsx-runtime.ts"
import { section, tabs } from "../../pages/parts.tsx"
import type { UsdValue } from "#domain/money/UsdValue.ts"
import { commissionTable as csv, csvOf } from "../../requests/csv.ts"
import { backToAccount } from "../accounts/account.tsx"
import { csvButton, page, type PageRequest } from "../Page.ts"
import { periodSegments } from "../overview/period.ts"
import {
  commissionFilter,
  dayText,
  earnedChart,
  inAddress,
  keys,
  rowsBy,
  sumsTable,
  totalOf,
  usd,
  type WantedCommission,
  wantedCommission,
} from "./commission.tsx"

const here = path`/dashboard/commission`

/** The choices of what sums are of; an account sees no other accounts. */
const words = { day: "By day", account: "By account", platform: "By provider", asset: "By asset" } as const

const perSwap = (value: UsdValue, swaps: number): Html | string =>
  swaps <= 0 ? "–" : dollars(BigDecimal.divideUnsafe(value, BigDecimal.fromBigInt(BigInt(swaps))), "cents")

/** The figures of the period, against the one before. */
const headline = (
  { days }: WantedCommission,
  sums: ReadonlyArray<CommissionSum>,
  before: ReadonlyArray<CommissionSum>,
): Html => {
  const now = totalOf(sums)
  const then = totalOf(before)
  const changed = change(usd(now.value), usd(then.value))
  const valued = now.swaps - now.unvalued
  const [best] = rowsBy("day", sums)
  return tiles([
    {
      label: "Earned",
      figure: dollars(now.value, "cents"),
      note: changed === undefined
        ? `nothing in ${days.comparedWith}`
        : <>{changed} from {dollarText(then.value, "cents")} in {days.comparedWith}</>,
    },
    {
      label: "Swaps",
      figure: grouped(`${now.swaps}`),
      note: now.unvalued === 0
        ? `${grouped(`${then.swaps}`)} in ${days.comparedWith}`
        : `${now.unvalued} without a price, in no sum of dollars`,
    },
    { label: "Average per swap", figure: perSwap(now.value, valued), note: "priced swaps only" },
    {
      label: "Best day",
      figure: best === undefined || best.value.value === 0n ? "–" : dollars(best.value, "cents"),
      note: best === undefined || best.value.value === 0n ? "none yet" : dayText(best.name),
    },
  ])
}

/** What was earned over all accounts, or by one. */
const show = Effect.fnUntraced(function* (asked: PageRequest<Viewer>, account?: AccountName) {
  const { sum, wanted } = yield* query(asked, account)
  const by: CommissionKey = account !== undefined && wanted.by === "account" ? "day" : wanted.by
  const byDay = yield* sum(wanted.days, ["day"])
  const sums = by === "day" ? byDay : yield* sum(wanted.days, [by])
  const before = yield* sum(wanted.days.compared, [])
  const top = by !== "day" || account !== undefined || sums.length === 0 ? [] : [
    section({ title: "Top accounts", id: "top" }, sumsTable("account", yield* sum(wanted.days, ["account"]))),
  ]
  const filter = yield* commissionFilter(wanted, account === undefined)
  const address = inAddress(wanted)
  const isUnused = byDay.length + before.length === 0 && wanted.days.period !== undefined &&
    Object.keys(wanted.filters).length === 0
  const views = tabs(
    "What the sums are of",
    keys.filter((key) => account === undefined || key !== "account").map((key) => ({
      label: words[key],
      to: withQuery(here, { ...address, by: key }),
      isCurrent: key === by,
    })),
  )
  return {
    title: "Commission",
    ...(account === undefined && wanted.filters.account !== undefined
      ? { crumb: backToAccount(wanted.filters.account) }
      : {}),
    line: `${wanted.days.title} · dollars are estimates at the time of each swap`,
    acts: [
      // Commission is kept by whole days.
      periodSegments(here, wanted.days.period, {
        kept: { ...address, from: undefined, to: undefined },
        offers: (name) => name !== "24h",
      }),
      byDay.length === 0 ? nothing : csvButton(here, address),
    ],
    body: [
      byDay.length + before.length === 0 ? nothing : headline(wanted, byDay, before),
      <section id="commission" aria-label="Sums">
        {isUnused ? nothing : <>{views}{filter}</>}
        {by === "day" ? earnedChart(wanted.days, sums) : sumsTable(by, sums)}
      </section>,
      ...top,
    ],
  }
})

/** The sums of what the address asks for; of one account alone, whatever the address says, where one is given. */
const query = Effect.fnUntraced(function* (asked: PageRequest<Viewer>, account?: AccountName) {
  const wanted = yield* wantedCommission(asked)
  const { commission } = yield* Business
  const own = account === undefined ? {} : { account }
  const sum = (
    { from, to }: Pick<WantedCommission["days"], "from" | "to">,
    by: ReadonlyArray<CommissionKey>,
  ) => commission({ from, to, by, ...wanted.filters, ...own })
  return { wanted, sum }
})

const file = Effect.fnUntraced(function* (asked: PageRequest<Viewer>, account?: AccountName) {
  const { sum, wanted } = yield* query(asked, account)
  return csvOf(csv, { items: yield* sum(wanted.days, [wanted.by]) })
})

/** What was earned: over all accounts for the operator, by the own one for an integrator. */
export const commissionPage = page({
  path: "/dashboard/commission",
  nav: "commission",
  operator: (asked: PageRequest<Operator>) => show(asked),
  integrator: (asked: PageRequest<Integrator>) => show(asked, asked.viewer.account.name),
  csv: {
    operator: (asked: PageRequest<Operator>) => file(asked),
    integrator: (asked: PageRequest<Integrator>) => file(asked, asked.viewer.account.name),
  },
})
