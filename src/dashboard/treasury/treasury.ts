import { Effect } from "effect"
import { NewAffiliateBody } from "../../api/TreasuryBodies.ts"
import type { AffiliateName } from "../../domain/Affiliate.ts"
import { formatUnits } from "../../domain/Amount.ts"
import type { AssetId } from "../../domain/Asset.ts"
import { actorOf } from "../../domain/Audit.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { readerOf } from "../../requests/parameterIssues.ts"
import { actForm, field, select } from "../../pages/forms.ts"
import { type Html, html } from "../../pages/html.ts"
import { amount, badge, code, facts, folded, foreign, section, table, time } from "../../pages/parts.ts"
import { path, withQuery } from "../../pages/Url.ts"
import { Affiliates, type AffiliateStanding } from "../../treasury/Affiliates.ts"
import type { Taker } from "../../providers/Funds.ts"
import type { AssetStanding, OpeningFunds, TreasuryStanding } from "../../treasury/Treasury.ts"
import { accountPath } from "../accounts/accounts.ts"
import { again, type Entered, given, readEntered } from "../entered.ts"
import type { Act } from "../Page.ts"

/** So few channels that somebody has to look after the account. */
const fewChannels = 10n

const differenceCell = ({ asset, compared }: AssetStanding, now: EpochMillis): Html => {
  if (compared === undefined) return html`<small>not compared</small>`
  const difference = compared.earned - compared.ledger
  if (compared.mismatchSince !== undefined) {
    return html`${badge("mismatch", "bad")} ${formatUnits(asset, difference)} since ${
      time(compared.mismatchSince, now)
    }`
  }
  return difference === 0n
    ? badge("equal", "good")
    : html`${badge("to be explained", "warn")} ${formatUnits(asset, difference)}`
}

const withdrawLink = ({ platform, takesOrders }: TreasuryStanding, { asset, earned }: AssetStanding) =>
  takesOrders && earned !== undefined && earned > 0n
    ? html`<a href="${
      withQuery(path`/dashboard/money/withdraw`, { provider: platform, asset })
    }">Withdraw</a>`
    : "–"

const assetsTable = (standing: TreasuryStanding, now: EpochMillis): Html =>
  table({
    caption: `What was earned at ${standing.platform}`,
    columns: [
      { label: "Earned there", kind: "number" },
      { label: "Of affiliates", kind: "number" },
      { label: "By our records", kind: "number" },
      { label: "The two are" },
      { label: "Withdrawn", kind: "number" },
      { label: "Order" },
    ],
    rows: standing.assets.map((one) => [
      one.earned === undefined ? "–" : amount(one.asset, one.earned),
      one.ofAffiliates === undefined ? "–" : amount(one.asset, one.ofAffiliates),
      amount(one.asset, one.ledger),
      differenceCell(one, now),
      amount(one.asset, one.withdrawn),
      withdrawLink(standing, one),
    ]),
    empty: "Nothing was earned here yet.",
  })

const said = (value: boolean | undefined, yes: string, no: string): Html | undefined =>
  value === undefined ? undefined : value ? badge(yes, "good") : badge(no, "bad")

/** The fewest channels that can still be opened from a chain, with all chains behind them. */
const channelsLeft = (openings: ReadonlyArray<OpeningFunds>, asset: AssetId): Html => {
  const counts = openings.flatMap(({ channels }) => channels === undefined ? [] : [channels])
  const [fewest] = counts.toSorted((one, other) => one < other ? -1 : 1)
  if (fewest === undefined) return html`as many as are wanted: they cost nothing`
  return html`${fewest < fewChannels ? badge(`${fewest} left`, "bad") : `${fewest} left`} ${
    folded(
      "By chain",
      facts(openings.map(({ chain, channels, fee }) => [
        chain,
        html`${channels === undefined ? "free" : `${channels} at`} ${amount(asset, fee)}`,
      ])),
    )
  }`
}

/** So many accounts are named. */
const mostTakers = 5

/** Who has opened channels within the window of the shares. */
const takersOf = (takers: ReadonlyArray<Taker>, asset: AssetId): Html | string =>
  takers.length === 0
    ? "nobody"
    : html`${
      takers.slice(0, mostTakers).map(({ account, channels, spent }) =>
        html`<div><a href="${accountPath(account)}">${account}</a>: ${channels} for ${
          amount(asset, spent)
        }</div>`
      )
    }`

const fundsFacts = ({ funds }: TreasuryStanding) => {
  if (funds === undefined) return []
  const { funding: { asset, bond, free, redeemable }, openings, takers } = funds
  return [
    ["Free", amount(asset, free)],
    ["Bond", amount(asset, bond)],
    ["Redeemable", amount(asset, redeemable)],
    ["Channels that can be opened", channelsLeft(openings, asset)],
    ["Opened of late by", takersOf(takers, asset)],
  ] as const
}

/** The operator's account at a provider. */
export const treasurySection = (standing: TreasuryStanding, now: EpochMillis): Html => {
  const { comparison, look: { failed, seen }, platform } = standing
  return section({ title: `Account at ${platform}`, id: `treasury-${platform}` }, [
    facts([
      ["Account", seen === undefined ? "not seen yet" : code(seen.account.account)],
      ["Looked at", seen === undefined ? undefined : time(seen.at, now)],
      [
        "Last failure",
        failed === undefined ? undefined : html`${foreign(failed.reason)} ${time(failed.at, now)}`,
      ],
      ["Withdrawals", said(seen?.account.withdrawalsEnabled, "paid out", "not paid out for now")],
      ["Node", said(seen?.account.inSync, "in step", "behind")],
      [
        "Bound to",
        seen?.account.boundAddress === undefined ? undefined : code(seen.account.boundAddress.address),
      ],
      ["Not compared", comparison._tag === "Untold" ? comparison.reason : undefined],
      ...fundsFacts(standing),
    ]),
    assetsTable(standing, now),
  ])
}

const shareForm = (name: AffiliateName): Html =>
  html`<a href="${withQuery(path`/dashboard/money/withdraw`, { affiliate: name })}">Withdraw</a>`

const earnedCell = ({ seen }: AffiliateStanding): Html | string =>
  seen === undefined || seen.earned.length === 0
    ? "–"
    : html`${seen.earned.map((held) => html`<div>${amount(held.asset, held.amount)}</div>`)}`

/** The form that names an affiliate. */
const affiliateForm = (providers: ReadonlyArray<string>, { fault, value }: Entered): Html =>
  actForm({ to: path`/dashboard/money/affiliates`, button: "Register the affiliate", tone: "info" }, [
    select({
      label: "Provider",
      name: "provider",
      choices: providers.map((name) => ({ value: name, label: name })),
      value: value("provider"),
      fault: fault("provider"),
    }),
    field({
      label: "Name",
      name: "name",
      value: value("name"),
      required: true,
      hint: "Stands for the account in affiliateN; it never changes.",
      fault: fault("name"),
    }),
    field({
      label: "Pays to",
      name: "withdrawalAddress",
      value: value("withdrawalAddress"),
      hint: "Its share is paid to this address only, for ever.",
      fault: fault("withdrawalAddress"),
    }),
    field({
      label: "Or its account",
      name: "account",
      value: value("account"),
      hint: "Of one that is registered already.",
      fault: fault("account"),
    }),
  ])

/** Affiliates, and a form for another. */
export const affiliatesSection = (
  all: ReadonlyArray<AffiliateStanding>,
  providers: ReadonlyArray<string>,
  entered: Entered,
): Html =>
  section({ title: "Affiliates", id: "affiliates" }, [
    table({
      caption: "Affiliates",
      columns: [
        { label: "Name" },
        { label: "Provider" },
        { label: "Account" },
        {
          label: "Pays to",
        },
        { label: "Earned", kind: "number" },
        { label: "Order" },
      ],
      rows: all.map((one) => [
        one.named?.name ?? "–",
        one.platform,
        code(one.named?.account ?? one.seen?.account ?? "not known"),
        code(one.named?.withdrawalAddress ?? one.seen?.withdrawalAddress ?? "–"),
        earnedCell(one),
        one.named === undefined ? "–" : shareForm(one.named.name),
      ]),
      empty: "Nobody shares in the commission by a registered account.",
    }),
    ...(providers.length === 0
      ? []
      : [html`<details><summary>Register another</summary>${affiliateForm(providers, entered)}</details>`]),
  ])

const readAffiliate = readEntered(readerOf(NewAffiliateBody))

/** Names an affiliate, registering it first where no account is given. */
export const registerAffiliate: Act<Affiliates> = {
  path: "/dashboard/money/affiliates",
  scope: "withdraw",
  run: Effect.fnUntraced(function* ({ field, viewer }) {
    const wanted = yield* readAffiliate(given({
      provider: field("provider"),
      name: field("name"),
      withdrawalAddress: field("withdrawalAddress"),
      account: field("account"),
    }))
    yield* (yield* Affiliates).add(wanted, actorOf(viewer.caller))
    return { to: path`/dashboard/money`, said: "affiliateRegistered" } as const
  }),
  again: again({
    title: "Register an affiliate",
    back: "Treasury",
    backTo: () => path`/dashboard/money`,
    form: ({ field }, entered) => affiliateForm([field("provider")], entered),
  }),
}
