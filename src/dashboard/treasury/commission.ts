import { Effect, Schema } from "effect"
import { mostDays } from "../../api/History.ts"
import { Business } from "../../business/Business.ts"
import { AssetId, assetIds } from "../../domain/Asset.ts"
import type { CommissionSum } from "../../domain/Business.ts"
import {
  chargedOf,
  type Commission,
  type CommissionQuery,
  daysWithin,
  UtcDay,
} from "../../domain/Commission.ts"
import { InvalidRequest, issueAbout } from "../../domain/Issues.ts"
import { ProviderName } from "../../domain/ProviderName.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import type { Viewer } from "../../domain/Viewer.ts"
import { filterField, filterForm, filterSelect } from "../../pages/forms.ts"
import { type Html, html } from "../../pages/html.ts"
import { amount } from "../../pages/amounts.ts"
import { section } from "../../pages/parts.ts"
import { type Column, type Columns, table } from "../../pages/table.ts"
import { path } from "../../pages/Url.ts"
import { spread } from "../../platform/spread.ts"
import { Overview } from "../../providers/Overview.ts"
import { any, choices, readFilter } from "../filters.ts"
import { type Asked, type Owner, ownPage } from "../Page.ts"

const dayMillis = 86_400_000
const days = 30

const dayOf = (millis: number): UtcDay => UtcDay.make(new Date(millis).toISOString().slice(0, 10))

/** The last days, with today. */
export const lastMonth = (now: EpochMillis): CommissionQuery => ({
  from: dayOf(now - (days - 1) * dayMillis),
  to: dayOf(now),
})

const dayFrom = (name: string, text: string | undefined, otherwise: UtcDay) => {
  if (text === undefined) return Effect.succeed(otherwise)
  return Effect.mapError(
    Effect.fromOption(UtcDay.makeOption(text)),
    () =>
      new InvalidRequest({ errors: issueAbout(name, "must be a day of the calendar, such as 2026-07-29") }),
  )
}

/** The commission that the address of a page asks for: the last 30 days unless it says otherwise. */
export const wantedCommission = Effect.fnUntraced(function* (
  { now, query }: Pick<Asked<Viewer>, "now" | "query">,
) {
  const usual = lastMonth(now)
  const from = yield* dayFrom("from", query("from"), usual.from)
  const to = yield* dayFrom("to", query("to"), usual.to)
  const wanted = daysWithin(from, to)
  if (wanted < 1 || wanted > mostDays) {
    const errors = issueAbout("to", `must be 0 to ${mostDays - 1} days after from`)
    return yield* new InvalidRequest({ errors })
  }
  const platform = yield* readFilter("platform", query("platform"), ProviderName.makeOption)
  const asset = yield* readFilter("asset", query("asset"), Schema.decodeUnknownOption(AssetId))
  return {
    from,
    to,
    ...spread(platform, (platform) => ({ platform })),
    ...spread(asset, (asset) => ({ asset })),
  }
})
type Wanted = Effect.Success<ReturnType<typeof wantedCommission>>

/** The fields of a form that asks for commission. */
export const commissionFields = Effect.fnUntraced(function* ({ asset, from, platform, to }: Wanted) {
  const providers = (yield* (yield* Overview).all).map(({ name }) => name)
  return [
    filterField({ label: "From (UTC)", name: "from", type: "date", value: from }),
    filterField({ label: "To (UTC)", name: "to", type: "date", value: to }),
    filterSelect({
      label: "Provider",
      name: "platform",
      choices: [any("Any provider"), ...choices(providers)],
      value: platform ?? "",
    }),
    filterSelect({
      label: "Asset",
      name: "asset",
      choices: [any("Any asset"), ...choices(assetIds())],
      value: asset ?? "",
    }),
  ]
})

/** What stands where nothing was earned. */
const nothingEarned =
  "Nothing was earned in this time: commission counts on the day on which a swap pays out."

/** The most sums on a page, which keeps it small. */
const mostSums = 70

/** An amount that says where it is an estimate. */
export const perhapsAbout = (
  { asset, isEstimate }: { readonly asset: AssetId; readonly isEstimate?: boolean },
  native: bigint,
): Html => isEstimate === true ? html`about ${amount(asset, native)}` : amount(asset, native)

/** The columns of what became of commission. */
export const figuresColumns: Columns<Commission> = [
  ["Received", (of) => perhapsAbout(of, of.amount), "number"],
  ["Kept by the provider", (of) => perhapsAbout(of, of.kept), "number"],
  ["Charged", (of) => perhapsAbout(of, chargedOf(of)), "number"],
]

/** A table of sums, which a column of its own tells apart, and what is said of those that it has no room for. */
export const sumsTable = (
  caption: string,
  apart: Column<CommissionSum>,
  sums: ReadonlyArray<CommissionSum>,
): Html =>
  html`${
    table({
      caption,
      columns: [apart, ...figuresColumns, ["Swaps", ({ swaps }) => swaps, "number"]],
      rows: sums.slice(0, mostSums),
      empty: nothingEarned,
    })
  }${
    sums.length > mostSums &&
    html`<p class="soft">These are ${mostSums} of ${sums.length} sums: choose less time, one provider or one asset.</p>`
  }`

/** What was earned by day and asset, the latest first. */
export const commissionTable = (earned: ReadonlyArray<CommissionSum>): Html =>
  sumsTable("Commission by day and asset", ["Day (UTC)", ({ day }) => day], earned.toReversed())

/** What one account earned; nobody else's, whatever the address of the page says. */
const show = Effect.fnUntraced(function* ({ name: account }: Owner, asked: Asked<Viewer>) {
  const wanted = yield* wantedCommission(asked)
  const earned = yield* (yield* Business).commission({ ...wanted, account, by: ["day"] })
  return {
    title: "Commission",
    body: [
      section(
        { title: "Filter", id: "filter" },
        filterForm({ to: path`/dashboard/commission`, fields: yield* commissionFields(wanted) }),
      ),
      section({ title: `${wanted.from} to ${wanted.to}`, id: "commission" }, [
        commissionTable(earned),
        html`
          <p
            class="soft">Of every provider together, as a table for a spreadsheet: <code>GET /commission</code> with <code>Accept: text/csv</code>.</p>
        `,
      ]),
    ],
  }
})

/** What the viewer's own account earned. */
export const commissionPage = ownPage({ path: "/dashboard/commission", nav: "commission", show })
