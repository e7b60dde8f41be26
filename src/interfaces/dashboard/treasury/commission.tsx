import { BigDecimal, Effect, Schema } from "effect"
import { mostDays } from "#api/History.ts"
import { AccountName } from "#domain/accounts/Account.ts"
import { AssetId, assetIds } from "#domain/chains/Asset.ts"
import { CommissionKey, type CommissionSum, type CommissionSumsQuery } from "#domain/operations/Business.ts"
import { type CommissionQuery, daysWithin, UtcDay } from "#domain/money/Commission.ts"
import { InvalidRequest, issueAbout } from "#domain/Issues.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { dayMillis, EpochMillis } from "#domain/Time.ts"
import { addValues, noValue, type UsdValue } from "#domain/money/UsdValue.ts"
import type { Viewer } from "#domain/accounts/Viewer.ts"
import { filterField, filterForm, filterSelect, hidden } from "../../pages/forms.tsx"
import {
  amount,
  assetName,
  coin,
  compact,
  dollars,
  dollarText,
  exactTime,
  grouped,
  share,
} from "../../pages/values.tsx"
import { type Html, path } from "../../pages/jsx-runtime.ts"
import { bars } from "../../pages/charts.tsx"
import { empty, known, table, untrusted, type Value } from "../../pages/parts.tsx"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import { providerTitle } from "#providers/Registry.ts"
import { accountPath } from "../accounts/paths.ts"
import { any, choices, type PageRequest, providerChoices, readFilter } from "../Page.ts"
import { type FigurePeriod, periodOf } from "../overview/period.ts"

const dayOf = (millis: number): UtcDay => UtcDay.make(new Date(millis).toISOString().slice(0, 10))

/** The last 30 days, with today. */
const lastMonth = (now: EpochMillis): CommissionQuery => ({
  from: dayOf(now - 29 * dayMillis),
  to: dayOf(now),
})

/** A stretch of whole days, and the one before that is as long. */
interface Days {
  readonly from: UtcDay
  readonly to: UtcDay
  readonly compared: { readonly from: UtcDay; readonly to: UtcDay }
  readonly comparedWith: string
  readonly title: string
  readonly goesOn: boolean
  /** The name of the period, where it is one that can be chosen. */
  readonly period?: FigurePeriod["name"]
}

const daysOf = ({ before, compared, comparedWith, from, goesOn, name, title }: FigurePeriod): Days => ({
  from: dayOf(from),
  to: dayOf(before - 1),
  compared: { from: dayOf(compared.from), to: dayOf(compared.before - 1) },
  comparedWith,
  title,
  goesOn,
  period: name,
})

const readDay = (name: string, text: string) =>
  Effect.mapError(
    Effect.fromOption(UtcDay.makeOption(text)),
    () =>
      new InvalidRequest({ errors: issueAbout(name, "must be a day of the calendar, such as 2026-07-29") }),
  )

/** The days that the address of a page asks for: its period, the last 30 days without one, or days of its own. */
const wantedDays = Effect.fnUntraced(function* ({ now, query }: Pick<PageRequest<Viewer>, "now" | "query">) {
  const usual = lastMonth(now)
  const [first, last] = [query("from"), query("to")]
  if (first === undefined && last === undefined) return daysOf(periodOf(query("period") ?? "30d", now))
  const from = first === undefined ? usual.from : yield* readDay("from", first)
  const to = last === undefined ? usual.to : yield* readDay("to", last)
  const wanted = daysWithin(from, to)
  if (wanted < 1 || wanted > mostDays) {
    const errors = issueAbout("to", `must be 0 to ${mostDays - 1} days after from`)
    return yield* new InvalidRequest({ errors })
  }
  const days: Days = {
    from,
    to,
    goesOn: to === dayOf(now),
    compared: {
      from: dayOf(Math.max(0, Date.parse(from) - wanted * dayMillis)),
      to: dayOf(Math.max(0, Date.parse(from) - dayMillis)),
    },
    comparedWith: `the ${wanted} days before`,
    title: from === to ? dayText(from) : `${dayText(from)} to ${dayText(to)}`,
  }
  return days
})

/** What sums can be told apart by on the page, in the order of the choice. */
export const keys = ["day", "account", "platform", "asset"] as const satisfies ReadonlyArray<CommissionKey>

/** The commission that the address of a page asks for. */
export const wantedCommission = Effect.fnUntraced(
  function* (asked: Pick<PageRequest<Viewer>, "now" | "query">) {
    const { query } = asked
    const days = yield* wantedDays(asked)
    const account = yield* readFilter("account", query("account"), AccountName.makeOption)
    const platform = yield* readFilter("platform", query("platform"), ProviderName.makeOption)
    const asset = yield* readFilter("asset", query("asset"), Schema.decodeUnknownOption(AssetId))
    const by: CommissionKey = CommissionKey.literals.find((key) => key === query("by")) ?? "day"
    return {
      days,
      by,
      filters: { ...defined({ account, platform, asset }) } satisfies Partial<CommissionSumsQuery>,
    }
  },
)
export type WantedCommission = Effect.Success<ReturnType<typeof wantedCommission>>

/** The parameters of the address that ask for the same. */
export const inAddress = ({ by, days, filters }: WantedCommission) => ({
  by,
  ...(days.period === undefined ? { from: days.from, to: days.to } : { period: days.period }),
  ...filters,
})

/** The form that narrows the commission down; that of an account has no other accounts to choose. */
export const commissionFilter = Effect.fnUntraced(
  function* ({ by, days, filters }: WantedCommission, ofAll: boolean) {
    const { account = "", asset = "", platform = "" } = filters
    return filterForm({
      to: path`/dashboard/commission`,
      narrowed: [...Object.values(filters), days.period === undefined ? days.from : undefined],
      fields: [
        hidden("by", by),
        filterField({ label: "From", name: "from", type: "date", value: days.from }),
        filterField({ label: "To (UTC)", name: "to", type: "date", value: days.to }),
        ...(ofAll ? [filterField({ label: "Account", name: "account", value: account })] : []),
        filterSelect({
          label: "Provider",
          name: "platform",
          choices: [any("Any provider"), ...yield* providerChoices],
          value: platform,
        }),
        filterSelect({
          label: "Asset",
          name: "asset",
          choices: [any("Any asset"), ...choices(assetIds())],
          value: asset,
        }),
      ],
    })
  },
)

const nothingEarned = (
  <>
    No commission in this period. It counts on the day a swap pays out.{" "}
    <a href={path`/docs/quickstart`}>See how to open a swap</a>
  </>
)

/** The most rows on a page, which keeps it small. */
const mostRows = 55

/** An amount that says where it is an estimate. */
const perhapsAbout = (
  { asset, isEstimate = false }: { readonly asset: AssetId; readonly isEstimate?: boolean },
  native: bigint,
): Html => <>{isEstimate && "about "}{amount(asset, native, "list")}</>

/** The sums of one key: of one day, account or provider, in one asset or in several. */
interface Row {
  readonly name: string
  readonly sums: ReadonlyArray<CommissionSum>
  readonly value: UsdValue
  readonly unvalued: number
  readonly swaps: number
}

const nameOf: { readonly [Key in CommissionKey]: (sum: CommissionSum) => string } = {
  account: ({ account = "" }) => account,
  platform: ({ platform = "" }) => platform,
  asset: ({ asset }) => asset,
  day: ({ day = "" }) => day,
}

/** The figures of sums together. A swap with commission in two assets counts in each. */
export const totalOf = (sums: ReadonlyArray<CommissionSum>): Omit<Row, "name"> => ({
  sums,
  value: sums.reduce<UsdValue>((total, { value }) => addValues(total, value), noValue),
  unvalued: sums.reduce((total, { unvalued }) => total + unvalued, 0),
  swaps: sums.reduce((total, { swaps }) => total + swaps, 0),
})

/** Dollars for charts and shares, which need no more digits. */
export const usd = (value: UsdValue): number => BigDecimal.toNumberUnsafe(value)

/** The rows of a table by a key, from the one with the most. */
export const rowsBy = (by: CommissionKey, sums: ReadonlyArray<CommissionSum>): ReadonlyArray<Row> =>
  [...Map.groupBy(sums, nameOf[by])].map(([name, sums]) => ({ name, ...totalOf(sums) }))
    .toSorted((one, other) => BigDecimal.Order(other.value, one.value) || (one.name < other.name ? -1 : 1))

/** A day as pages have it: `29 Nov 2026`. */
export const dayText = (day: string): string =>
  exactTime(EpochMillis.make(Date.parse(day))).split(",")[0] ?? day

/** The most bars of days; more days are told by month. */
const mostBars = 62

/** What was earned by day, or by month where the days are many, the latest last. */
export const earnedChart = (
  { from, goesOn, to }: Pick<Days, "from" | "goesOn" | "to">,
  sums: ReadonlyArray<CommissionSum>,
): Html => {
  const count = daysWithin(from, to)
  const step = count > mostBars ? "month" : "day"
  const keyOf = (day: string) => step === "month" ? day.slice(0, 7) : day
  const days = Array.from({ length: count }, (_, index) => dayOf(Date.parse(from) + index * dayMillis))
  const byKey = Map.groupBy(sums, ({ day = "" }) => keyOf(day))
  const title = `Commission by ${step}`
  return sums.length === 0 ? empty(nothingEarned) : bars({
    caption: title,
    title,
    said: <b>{dollars(totalOf(sums).value, "cents")}</b>,
    series: [{ name: "commission ≈ USD", tone: "info" }],
    bars: [...new Set(days.map(keyOf))].map((key) => ({
      label: step === "month" ? dayText(`${key}-01`).slice(2) : dayText(key).slice(0, -5),
      parts: [usd(totalOf(byKey.get(key) ?? []).value)],
      isPartial: goesOn && key === keyOf(to),
    })),
    ...(goesOn ? { partial: "so far" } : {}),
    written: (value) => dollarText(BigDecimal.fromNumberUnsafe(value), "cents"),
    short: (value) => `$${compact(Math.round(value))}`,
  })
}

type TableKey = Exclude<CommissionKey, "day">

const labels = { account: "Account", platform: "Provider", asset: "Asset" } as const

const nameCell = (by: TableKey) => ({ name, sums: [sum] }: Row): Value =>
  by === "account"
    ? <a href={accountPath(name)}>{name}</a>
    : by === "platform"
    ? untrusted(providerTitle(name))
    : known(sum, ({ asset }) => <>{coin(asset)}{assetName(asset)}</>)

const worth = ({ unvalued, value }: Pick<Row, "unvalued" | "value">): Html => (
  <>{dollars(value, "cents")} {unvalued > 0 && <small>{unvalued} without a price</small>}</>
)

/** Amounts of one kind, each asset in a line of its own; nothing where there are none. */
const amountsOf = (figure: "amount" | "kept", sums: ReadonlyArray<CommissionSum>): Html | undefined => {
  const lines = [...Map.groupBy(sums, ({ asset }) => asset)].flatMap(([asset, same]) => {
    const native = same.reduce((total, sum) => total + sum[figure], 0n)
    const isEstimate = same.some((sum) => sum.isEstimate)
    return native === 0n ? [] : [<div>{perhapsAbout({ asset, isEstimate }, native)}</div>]
  })
  return lines.length === 0 ? undefined : <>{lines}</>
}

/** The sums by a key, in dollars and exactly. */
export const sumsTable = (by: TableKey, sums: ReadonlyArray<CommissionSum>): Html => {
  const rows = rowsBy(by, sums)
  const total = totalOf(sums)
  const most = usd(total.value)
  const [earned, kept] = [amountsOf("amount", sums), amountsOf("kept", sums)]
  return (
    <>
      {table<Row>({
        caption: `Commission by ${labels[by].toLowerCase()}`,
        columns: [
          [labels[by], nameCell(by), "a"],
          ["≈ USD", worth, "number b"],
          ["Share", ({ value }) => share(usd(value), most), "number x"],
          ["Swaps", ({ swaps }) => grouped(`${swaps}`), "number"],
          ["Earned in", ({ sums }) => amountsOf("amount", sums), "number"],
          ["Kept by the provider", ({ sums }) => amountsOf("kept", sums), "number"],
        ],
        rows: rows.slice(0, mostRows),
        totals: ["Total", worth(total), share(most, most) ?? "", grouped(`${total.swaps}`), earned, kept],
        empty: nothingEarned,
      })}
      {rows.length > mostRows &&
        (
          <p class="soft">
            These are {mostRows} of {rows.length} rows. The total is of all of them, and so is the CSV.
          </p>
        )}
    </>
  )
}
