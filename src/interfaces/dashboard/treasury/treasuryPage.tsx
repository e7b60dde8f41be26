import { Effect } from "effect"
import { Business } from "#application/business/Business.ts"
import type { BusinessFigure } from "#domain/operations/Business.ts"
import { counted } from "#domain/figures.ts"
import type { Operator } from "#domain/accounts/Viewer.ts"
import { EpochMillis } from "#domain/Time.ts"
import type { WithdrawalSum } from "#domain/operations/Withdrawal.ts"
import { age, ago, dollars } from "../../pages/values.tsx"
import { type Tile, tiles } from "../../pages/figures.tsx"
import { type Html, nothing, path } from "../../pages/jsx-runtime.ts"
import { code, columns, known, pill, section, table, untrusted } from "../../pages/parts.tsx"
import { csvOf } from "../../requests/csv.ts"
import { Treasury, type TreasuryStanding } from "#application/treasury/Treasury.ts"
import { Withdrawals } from "#application/treasury/Withdrawals.ts"
import { providerTitle } from "#providers/Registry.ts"
import { csvButton, page, type PageRequest } from "../Page.ts"
import { totalOf } from "../overview/period.ts"
import {
  assetsIn,
  atTodaysPrices,
  type Balance,
  balancesCsv,
  balancesOf,
  balancesTable,
  sumOf,
  type Valuing,
  valuing,
} from "./balances.tsx"
import { fundsSection } from "./funds.tsx"
import { statePill, withdrawalLink, withdrawnAmount } from "./states.tsx"
import { treasuryPages, treasuryTabs } from "./tabs.ts"

/** So many withdrawals are on the page; all are in their list. */
const latest = 4

const withoutPrice = (unvalued: number): string => unvalued === 0 ? "" : `, ${unvalued} without a price`

/** What was earned since this month began, by hours. */
const earnedThisMonth = Effect.fnUntraced(function* (now: EpochMillis) {
  const date = new Date(now)
  const from = EpochMillis.make(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1))
  return yield* (yield* Business).figures({ from, before: now, step: "hour" })
})

const ownTile = (balances: ReadonlyArray<Balance>): Tile => {
  const held = balances.filter(({ earned = 0n }) => earned > 0n)
  const { unvalued, value } = sumOf(held.map((one) => one.value))
  const providers = new Set(held.map(({ standing }) => standing.platform)).size
  return {
    label: "Available to withdraw",
    figure: dollars(value, "cents", atTodaysPrices),
    note: `${counted(held.length, "balance")} at ${counted(providers, "provider")}, ${atTodaysPrices}${
      withoutPrice(unvalued)
    }`,
  }
}

const affiliatesTile = (balances: ReadonlyArray<Balance>, valueOf: Valuing, affiliates: number): Tile => {
  const held = balances.flatMap(({ asset, ofAffiliates = 0n }) =>
    ofAffiliates === 0n ? [] : [valueOf(asset, ofAffiliates)]
  )
  const { unvalued, value } = sumOf(held)
  return {
    label: "Affiliates’ share",
    figure: dollars(value, "cents", atTodaysPrices),
    note: `kept apart, ${counted(affiliates, "affiliate")}${withoutPrice(unvalued)}`,
  }
}

const underWay = ["requested", "unknown", "taken", "sent"]

const underWayTile = (sums: ReadonlyArray<WithdrawalSum>): Tile => {
  const open = sums.filter(({ state }) => underWay.includes(state))
  const count = open.reduce((sum, { withdrawals }) => sum + withdrawals, 0)
  const unknown = open.find(({ state }) => state === "unknown")?.withdrawals ?? 0
  return {
    label: "In progress",
    figure: dollars(sumOf(open.map(({ value }) => value)).value, "cents", "at the time of the requests"),
    note: count === 0 ? "no withdrawal" : (
      <>
        <a href={treasuryPages.withdrawals}>{counted(count, "withdrawal")}</a>
        {unknown > 0 && `, ${unknown} with an unknown outcome`}
      </>
    ),
  }
}

const withdrawnTile = (sums: ReadonlyArray<WithdrawalSum>): Tile => {
  const paid = sums.filter(({ state }) => state === "paid")
  const count = paid.reduce((sum, { withdrawals }) => sum + withdrawals, 0)
  return {
    label: "Withdrawn so far",
    figure: dollars(sumOf(paid.map(({ value }) => value)).value, "cents", "at the time of the requests"),
    note: count === 0 ? "no withdrawal was confirmed yet" : `${counted(count, "withdrawal")} confirmed`,
  }
}

/** What providers without an account of the operator have paid with each swap, where there are any. */
const paidAtOnceTile = (
  now: ReadonlyArray<BusinessFigure>,
  standings: ReadonlyArray<TreasuryStanding>,
): ReadonlyArray<Tile> => {
  const kept = new Set<string>(standings.map(({ platform }) => platform))
  const others = now.filter(({ measure, platform }) => measure === "commission" && !kept.has(platform))
  if (others.length === 0) return []
  const { unvalued, value } = totalOf(others, "commission")
  const names = new Set(others.map(({ platform }) => providerTitle(platform)))
  const [name = ""] = names
  return [{
    label: "Paid out directly",
    figure: dollars(value, "cents"),
    note: `this month, straight to your address by ${
      names.size === 1 ? name : counted(names.size, "provider")
    }${withoutPrice(unvalued)}`,
  }]
}

const enabled = (value: boolean | undefined, yes: string, no: string): Html | undefined =>
  value === undefined ? undefined : value ? pill(yes, "good") : pill(no, "bad")

/** The operator's accounts at the providers: whether they answer and pay out. */
const accountsSection = (standings: ReadonlyArray<TreasuryStanding>, now: EpochMillis): Html =>
  section(
    { title: "Accounts at the providers", id: "accounts", live: true },
    table({
      caption: "The operator’s accounts at the providers",
      columns: [
        ["Provider", ({ platform }) => <b>{providerTitle(platform)}</b>, "a"],
        ["Account", ({ look: { seen } }) => known(seen, ({ account }) => code(account.account)), "all", ""],
        [
          "Last check",
          ({ look: { failed, seen } }) =>
            failed !== undefined
              ? (
                <>
                  {pill("No response", "bad")}{" "}
                  <small class="exact">{untrusted(failed.reason, 120)}, {ago(failed.at, now)}</small>
                </>
              )
              : known(seen, ({ at }) => <>{pill("Responded", "good")} {age(at, now)}</>) ?? "none yet",
          "b",
        ],
        [
          "Withdrawals",
          ({ look: { seen } }) => enabled(seen?.account.withdrawalsEnabled, "Active", "Paused"),
        ],
        ["Node", ({ look: { seen } }) => enabled(seen?.account.inSync, "Up to date", "Behind")],
      ],
      rows: standings,
      empty: "No enabled provider holds an account for you.",
    }),
  )

const latestSection = Effect.fnUntraced(function* (now: EpochMillis) {
  const { items } = yield* (yield* Withdrawals).page({ limit: latest })
  return section(
    {
      title: "Latest withdrawals",
      id: "latest",
      live: true,
      aside: <a href={treasuryPages.withdrawals}>All withdrawals</a>,
    },
    table({
      caption: "The latest withdrawals",
      columns: [
        ["Withdrawal", withdrawalLink, "a"],
        ["Amount", withdrawnAmount],
        ["State", ({ state }) => statePill(state), "number b"],
        ["Requested", ({ requestedAt }) => age(requestedAt, now), "number"],
      ],
      rows: items,
      empty: "No withdrawals yet.",
    }),
  )
})

/** What can be taken out, and what openings are paid from. */
export const treasuryPage = page({
  path: "/dashboard/money",
  nav: "treasury",
  operator: Effect.fnUntraced(function* ({ now }: PageRequest<Operator>) {
    const { affiliates, shown, standings, sums } = yield* treasuryTabs("balances")
    const valueOf = yield* valuing(assetsIn(standings), now)
    const balances = balancesOf(standings, valueOf)
    const paidOut = paidAtOnceTile(yield* earnedThisMonth(now), standings)
    const isUnused = balances.length + sums.length + paidOut.length === 0
    return {
      title: "Treasury",
      acts: balances.length === 0 ? nothing : csvButton(treasuryPages.balances),
      body: [
        shown,
        isUnused ? nothing : tiles([
          ownTile(balances),
          ...(affiliates.length === 0 ? [] : [affiliatesTile(balances, valueOf, affiliates.length)]),
          underWayTile(sums),
          withdrawnTile(sums),
          ...paidOut,
        ]),
        section(
          {
            title: "Balances",
            id: "balances",
            live: true,
            aside: (
              <small>
                held by the providers now; <a href={path`/dashboard/commission`}>what was earned</a>
              </small>
            ),
          },
          balancesTable(balances, valueOf, now),
        ),
        columns("even", fundsSection(standings, valueOf), isUnused ? nothing : yield* latestSection(now)),
        accountsSection(standings, now),
      ],
    }
  }),
  csv: {
    operator: Effect.fnUntraced(function* ({ now }: PageRequest<Operator>) {
      const standings = yield* (yield* Treasury).all
      return csvOf(balancesCsv, { items: balancesOf(standings, yield* valuing(assetsIn(standings), now)) })
    }),
  },
})
