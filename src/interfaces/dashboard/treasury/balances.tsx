import { type BigDecimal, Effect } from "effect"
import { Business } from "#application/business/Business.ts"
import { type AssetId, factsOf } from "#domain/chains/Asset.ts"
import { formatUnits } from "#domain/money/Amount.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { counted } from "#domain/figures.ts"
import { addValues, noValue, type UsdValue, valueAt } from "#domain/money/UsdValue.ts"
import {
  amount,
  assetName,
  coin,
  dollars,
  dollarText,
  figure,
  fullAmount,
  lasting,
} from "../../pages/values.tsx"
import { type Html, path, withQuery } from "../../pages/jsx-runtime.ts"
import { known, pill, table, untrusted } from "../../pages/parts.tsx"
import { type CsvColumns, csvTable } from "../../requests/csv.ts"
import type { AssetStanding, TreasuryStanding } from "#application/treasury/Treasury.ts"
import { providerTitle } from "#providers/Registry.ts"

/** By which prices the treasury is valued. */
export const atTodaysPrices = "at today’s prices"

/** Values amounts at prices of now. */
export type Valuing = (asset: AssetId, native: bigint) => UsdValue | undefined

/** Reads the prices of assets, for amounts of now. */
export const valuing = Effect.fnUntraced(function* (assets: ReadonlyArray<AssetId>, now: EpochMillis) {
  const prices: ReadonlyMap<AssetId, BigDecimal.BigDecimal> = yield* (yield* Business)
    .pricesAt([...new Set(assets)], now)
  const value: Valuing = (asset, native) => {
    const price = prices.get(asset)
    return native === 0n ? noValue : price === undefined ? undefined : valueAt(price, native)
  }
  return value
})

/** The assets that prices are needed of. */
export const assetsIn = (standings: ReadonlyArray<TreasuryStanding>): ReadonlyArray<AssetId> =>
  standings.flatMap(({ assets, funds }) => [
    ...assets.map(({ asset }) => asset),
    ...(funds === undefined ? [] : [funds.funding.asset]),
  ])

/** What was earned in an asset at a provider. */
export interface Balance extends AssetStanding {
  readonly standing: TreasuryStanding
  /** What can be withdrawn is worth this now; absent where it or its price is not known. */
  readonly value?: UsdValue | undefined
}

/** The balances that there is something to say of. */
export const balancesOf = (
  standings: ReadonlyArray<TreasuryStanding>,
  valueOf: Valuing,
): ReadonlyArray<Balance> =>
  standings.flatMap((standing) =>
    standing.assets
      .filter(({ compared, earned = 0n, ledger, ofAffiliates = 0n }) =>
        earned !== 0n || ofAffiliates !== 0n || ledger !== 0n || compared?.mismatchSince !== undefined
      )
      .map((one) => ({
        ...one,
        standing,
        value: one.earned === undefined ? undefined : valueOf(one.asset, one.earned),
      }))
  )

/** The providers whose balances could not be read at the last look, by their titles: no total has those of now. */
export const notRead = (standings: ReadonlyArray<TreasuryStanding>): string =>
  new Intl.ListFormat("en-GB").format(
    standings.filter(({ look }) => look.failed !== undefined).map(({ platform }) => providerTitle(platform)),
  )

/** The sum of values, and how many there are not. */
export const sumOf = (values: ReadonlyArray<UsdValue | undefined>) => ({
  value: values.reduce<UsdValue>((sum, value) => value === undefined ? sum : addValues(sum, value), noValue),
  unvalued: values.filter((value) => value === undefined).length,
})

const differenceText = (asset: AssetId, difference: bigint, value: UsdValue | undefined): string => {
  const sign = difference > 0n ? "+" : ""
  const worth = value === undefined ? "" : `, ≈ ${dollarText(value, "cents")}`
  return `${sign}${fullAmount(asset, difference)} ${factsOf(asset).ticker}${worth}`
}

const notCompared = (why: string): Html =>
  <>
    {pill("Not compared", "wait")} <small>{untrusted(why, 120)}</small>
  </>

/** What the provider says against what our records of swaps and withdrawals say, told plainly. */
const againstRecords = ({ asset, compared, standing }: Balance, valueOf: Valuing, now: EpochMillis): Html => {
  const { comparison, look: { failed }, platform } = standing
  if (comparison._tag === "Untold") return notCompared(comparison.reason)
  if (compared === undefined) return notCompared("not checked yet")
  const difference = compared.earned - compared.ledger
  const text = differenceText(asset, difference, valueOf(asset, difference))
  if (compared.mismatchSince !== undefined) {
    const what = difference > 0n ? "more than in our records" : "less than in our records"
    return (
      <>
        {pill("Differs", "bad")} <small>{text}: {what}, for {lasting(compared.mismatchSince, now)}</small>
      </>
    )
  }
  if (failed !== undefined) return notCompared(`${providerTitle(platform)} could not be read`)
  return difference === 0n ? pill("Same as our records", "good") : (
    <>
      {pill("Differs", "warn")} <small>{text}: swaps in progress may explain it</small>
    </>
  )
}

/** Why a balance cannot be withdrawn here; nothing where it can. */
const blockedBy = ({ earned = 0n, standing }: Balance): string | undefined => {
  const { look: { failed, seen }, platform, takesOrders } = standing
  const title = providerTitle(platform)
  if (earned === 0n) return "nothing to withdraw"
  if (!takesOrders) return `at ${title} itself`
  if (failed !== undefined) return `once ${title} can be read`
  return seen?.account.withdrawalsEnabled === false ? `once ${title} pays out` : undefined
}

export const isWithdrawable = (balance: Balance): boolean => blockedBy(balance) === undefined

/** The link that withdraws a balance, or why it cannot be. */
const withdrawCell = (balance: Balance): Html => {
  const { asset, standing: { platform } } = balance
  const blocked = blockedBy(balance)
  if (blocked !== undefined) return <span class="soft">{blocked}</span>
  const title = providerTitle(platform)
  const to = withQuery(path`/dashboard/money/withdraw`, { provider: platform, asset })
  return (
    <a class="btn" href={to} aria-label={`Withdraw ${factsOf(asset).ticker} from ${title}`}>
      Withdraw
    </a>
  )
}

export const balancesTable = (
  standings: ReadonlyArray<TreasuryStanding>,
  valueOf: Valuing,
  now: EpochMillis,
): Html => {
  const balances = balancesOf(standings, valueOf)
  const missing = notRead(standings)
  const title = missing === "" ? "Total" : `Total, ${missing} not read`
  const { unvalued, value } = sumOf(balances.map((one) => one.value))
  return (
    <>
      {table<Balance>({
        caption: "Balances by provider and asset",
        columns: [
          ["Provider", ({ standing }) => providerTitle(standing.platform)],
          ["Asset", ({ asset }) => <>{coin(asset)}{assetName(asset)}</>, "a"],
          [
            "Held by the provider",
            ({ asset, earned, ofAffiliates = 0n }) =>
              known(
                earned,
                (own) => <>{figure(asset, own + ofAffiliates, "list")} {factsOf(asset).ticker}</>,
              ),
            "number",
            "held",
          ],
          [
            "Affiliates’ share",
            ({ asset, ofAffiliates = 0n }) =>
              ofAffiliates === 0n ? undefined : figure(asset, ofAffiliates, "list"),
            "number",
          ],
          [
            "Yours",
            ({ asset, earned }) => known(earned, (own) => <b>{figure(asset, own, "list")}</b>),
            "number",
          ],
          [
            "≈ USD",
            ({ value }) => known(value, (value) => dollars(value, "cents", atTodaysPrices)) ?? "no price",
            "number",
          ],
          ["Reconciliation", (one) => againstRecords(one, valueOf, now), "all"],
          ["Action", withdrawCell, "number b"],
        ],
        rows: balances,
        totals: [title, "", "", "", "", dollars(value, "cents", atTodaysPrices), "", ""],
        empty: (
          <>
            Nothing to withdraw yet. Commission that a provider holds for you shows here.{" "}
            <a href={path`/docs/quickstart`}>See how to open a swap</a>
          </>
        ),
      })}
      {unvalued > 0 && <p class="soft">{counted(unvalued, "balance")} without a price, not in the total.</p>}
    </>
  )
}

/** What an account has in an asset, in a line of its own. */
export const holdingLine = (asset: AssetId, native: bigint): Html => (
  <div>{coin(asset)}{amount(asset, native, "list")}</div>
)

const units = (asset: AssetId, native: bigint | undefined) =>
  native === undefined ? undefined : formatUnits(asset, native)

/** The balances for a spreadsheet: amounts in units of the asset and in its smallest unit. */
export const balancesCsv = csvTable<Balance>("balances.csv", [
  ["provider", ({ standing }) => standing.platform],
  ["asset", ({ asset }) => asset],
  ...(["earned", "ofAffiliates", "ledger", "withdrawn"] as const).flatMap((name): CsvColumns<Balance> => [
    [name, ({ asset, [name]: native }) => units(asset, native)],
    [`${name}Native`, ({ [name]: native }) => native],
  ]),
  ["valueUsd", ({ value }) => value],
])
