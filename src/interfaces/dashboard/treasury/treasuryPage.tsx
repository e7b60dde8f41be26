import { Duration, Effect } from "effect"
import { Business } from "#application/business/Business.ts"
import type { BusinessFigure } from "#domain/operations/Business.ts"
import { counted } from "#domain/figures.ts"
import type { Operator } from "#domain/accounts/Viewer.ts"
import { EpochMillis } from "#domain/Time.ts"
import type { WithdrawalSum } from "#domain/operations/Withdrawal.ts"
import { age, ago, amount, assetName, coin, dollars, grouped, type Tile, tiles } from "../../pages/values.tsx"
import { type Html, nothing, path } from "../../pages/jsx-runtime.ts"
import { code, columns, folded, known, kv, pill, section, table, untrusted } from "../../pages/parts.tsx"
import { csvOf } from "../../requests/csv.ts"
import {
  type FundsStanding,
  type OpeningFunds,
  Treasury,
  type TreasuryStanding,
} from "#application/treasury/Treasury.ts"
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
  notRead,
  sumOf,
  type Valuing,
  valuing,
} from "./balances.tsx"
import { statePill, withdrawalLink, withdrawnAmount } from "./states.tsx"
import { channelsLeft, fewChannels, treasuryPages, treasuryTabs } from "./tabs.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import { durationText } from "#domain/durationText.ts"

/** So many withdrawals are on the page; all are in their list. */
const latest = 4

const withoutPrice = (unvalued: number): string => unvalued === 0 ? "" : `, ${unvalued} without a price`

/** What was earned since this month began, by hours. */
const earnedThisMonth = Effect.fnUntraced(function* (now: EpochMillis) {
  const date = new Date(now)
  const from = EpochMillis.make(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1))
  return yield* (yield* Business).figures({ from, before: now, step: "hour" })
})

const ownTile = (balances: ReadonlyArray<Balance>, standings: ReadonlyArray<TreasuryStanding>): Tile => {
  const held = balances.filter(({ earned = 0n }) => earned > 0n)
  const { unvalued, value } = sumOf(held.map((one) => one.value))
  const providers = new Set(held.map(({ standing }) => standing.platform)).size
  const missing = notRead(standings)
  return {
    label: "Available to withdraw",
    figure: dollars(value, "cents", atTodaysPrices),
    note: `${missing === "" ? "" : `${missing} not read; `}${counted(held.length, "balance")} at ${
      counted(providers, "provider")
    }, ${atTodaysPrices}${withoutPrice(unvalued)}`,
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
                  {pill("Not read", "bad")}{" "}
                  <small class="exact">{untrusted(failed.reason, 120)}, {ago(failed.at, now)}</small>
                </>
              )
              : known(seen, ({ at }) => <>{pill("Read", "good")} {age(at, now)}</>) ?? "none yet",
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

const year = 365 * 86_400_000

const worth = (valueOf: Valuing, asset: AssetId, native: bigint): Html | undefined => {
  const value = valueOf(asset, native)
  return value === undefined ? undefined : <small>≈ {dollars(value, "cents", atTodaysPrices)}</small>
}

/** What a channel costs, and how many the funds pay for; chains with the same price stand together. */
const openingLines = (asset: AssetId, openings: ReadonlyArray<OpeningFunds>): Html => {
  const byPrice = [...Map.groupBy(openings, ({ channels, fee }) => `${fee} ${channels}`).values()]
  return (
    <>
      {byPrice.flatMap((same) => {
        const from = byPrice.length === 1
          ? "every chain"
          : same.map(({ chain }) => chainFacts(chain).title).toSorted().join(", ")
        return same.slice(0, 1).map(({ channels, fee }) => (
          <div>
            {channels === undefined ? "free" : <>{amount(asset, fee)}, {grouped(`${channels}`)} left</>}, from
            {" "}
            {from}
          </div>
        ))
      })}
    </>
  )
}

/** How many openings there were of late, and for how long the funds last at that pace, where they took any. */
const paceOf = ({ funding: { free }, takers, window }: FundsStanding) => {
  const channels = takers.reduce((sum, taker) => sum + taker.channels, 0)
  const spent = takers.reduce((sum, taker) => sum + taker.spent, 0n)
  const millis = Duration.toMillis(window)
  const left = spent === 0n ? 0 : Number(free * BigInt(Math.round(millis)) / spent)
  return {
    openings: `${channels === 0 ? "none" : channels} in the last ${durationText(millis)}`,
    lasts: left === 0 ? undefined : `Enough for ${left > year ? "over a year" : durationText(left)}`,
  }
}

/** What openings at a provider are paid from, and how many more that pays for. */
const factsOf = (standing: TreasuryStanding, funds: FundsStanding, valueOf: Valuing): Html => {
  const { funding: { asset, bond, free, redeemable }, openings } = funds
  const left = channelsLeft(standing)
  const { lasts, openings: made } = paceOf(funds)
  const facts = kv([
    ["Free", <>{coin(asset)}{amount(asset, free)} {worth(valueOf, asset, free)}</>],
    ["A channel", openingLines(asset, openings)],
    ["Openings", made],
    ["Bond", bond === 0n ? undefined : amount(asset, bond)],
    ["Redeemable", redeemable === 0n || redeemable === free ? undefined : amount(asset, redeemable)],
  ])
  const isLow = left !== undefined && left < fewChannels
  return (
    <>
      <p>
        {providerTitle(standing.platform)} takes {assetName(asset)} for each channel.{" "}
        {left === undefined ? pill("Channels are free", "good") : pill(
          isLow || lasts === undefined ? `${counted(Number(left), "channel")} left` : lasts,
          isLow ? "warn" : "good",
        )}
      </p>
      {isLow ? facts : folded("Details", facts, `funds-${standing.platform}`)}
    </>
  )
}

/** What openings are paid from, at the providers that take something for one; nothing where none does. */
const fundsSection = (standings: ReadonlyArray<TreasuryStanding>, valueOf: Valuing): Html => {
  const funded = standings.flatMap((standing) =>
    standing.funds === undefined ? [] : [factsOf(standing, standing.funds, valueOf)]
  )
  return funded.length === 0
    ? nothing
    : section({ title: "Funds to open channels", id: "funds", live: true }, funded)
}

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
          ownTile(balances, standings),
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
          balancesTable(standings, valueOf, now),
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
