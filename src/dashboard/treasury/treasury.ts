import { Effect } from "effect"
import { NewAffiliateBody } from "../../api/TreasuryBodies.ts"
import type { AffiliateName } from "../../domain/Affiliate.ts"
import { formatUnits } from "../../domain/Amount.ts"
import type { AssetId } from "../../domain/Asset.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { readerOf } from "../../requests/parameterIssues.ts"
import { type Html, html } from "../../pages/html.ts"
import { amount } from "../../pages/amounts.ts"
import { code, folded, foreign, kv, pill, section } from "../../pages/parts.ts"
import { known, table } from "../../pages/table.ts"
import { time } from "../../pages/times.ts"
import { path, withQuery } from "../../pages/Url.ts"
import { Affiliates, type AffiliateStanding } from "../../treasury/Affiliates.ts"
import type { Taker } from "../../providers/Funds.ts"
import type { AssetStanding, OpeningFunds, TreasuryStanding } from "../../treasury/Treasury.ts"
import { accountPath } from "../accounts/accounts.ts"
import { act, choice, readEntered, type Submitted, text } from "../act.ts"

/** So few channels that somebody has to look after the account. */
const fewChannels = 10n

const differenceCell = ({ asset, compared }: AssetStanding, now: EpochMillis): Html => {
  if (compared === undefined) return html`<small>not compared</small>`
  const difference = compared.earned - compared.ledger
  if (compared.mismatchSince !== undefined) {
    return html`${pill("mismatch", "bad")} ${formatUnits(asset, difference)} since ${
      time(compared.mismatchSince, now)
    }`
  }
  return difference === 0n
    ? pill("equal", "good")
    : html`${pill("to be explained", "warn")} ${formatUnits(asset, difference)}`
}

const withdrawLink = ({ platform, takesOrders }: TreasuryStanding, { asset, earned }: AssetStanding) =>
  takesOrders && earned !== undefined && earned > 0n
    ? html`<a href="${
      withQuery(path`/dashboard/money/withdraw`, { provider: platform, asset })
    }">Withdraw</a>`
    : undefined

const assetsTable = (standing: TreasuryStanding, now: EpochMillis): Html =>
  table({
    caption: `What was earned at ${standing.platform}`,
    columns: [
      ["Earned there", ({ asset, earned }) => known(earned, (native) => amount(asset, native)), "number"],
      [
        "Of affiliates",
        ({ asset, ofAffiliates }) => known(ofAffiliates, (native) => amount(asset, native)),
        "number",
      ],
      ["By our records", ({ asset, ledger }) => amount(asset, ledger), "number"],
      ["The two are", (one) => differenceCell(one, now)],
      ["Withdrawn", ({ asset, withdrawn }) => amount(asset, withdrawn), "number"],
      ["Order", (one) => withdrawLink(standing, one)],
    ],
    rows: standing.assets,
    empty: "Nothing was earned here yet.",
  })

const said = (value: boolean | undefined, yes: string, no: string): Html | undefined =>
  value === undefined ? undefined : value ? pill(yes, "good") : pill(no, "bad")

/** The fewest channels that can still be opened from a chain, with all chains behind them. */
const channelsLeft = (openings: ReadonlyArray<OpeningFunds>, asset: AssetId): Html => {
  const counts = openings.flatMap(({ channels }) => channels === undefined ? [] : [channels])
  const [fewest] = counts.toSorted((one, other) => one < other ? -1 : 1)
  if (fewest === undefined) return html`as many as are wanted: they cost nothing`
  return html`${fewest < fewChannels ? pill(`${fewest} left`, "bad") : `${fewest} left`} ${
    folded(
      "By chain",
      kv(openings.map(({ chain, channels, fee }) => [
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
    kv([
      ["Account", seen === undefined ? "not seen yet" : code(seen.account.account)],
      ["Looked at", known(seen, ({ at }) => time(at, now))],
      ["Last failure", known(failed, ({ at, reason }) => html`${foreign(reason)} ${time(at, now)}`)],
      ["Withdrawals", said(seen?.account.withdrawalsEnabled, "paid out", "not paid out for now")],
      ["Node", said(seen?.account.inSync, "in step", "behind")],
      ["Bound to", known(seen?.account.boundAddress, ({ address }) => code(address))],
      ["Not compared", comparison._tag === "Untold" ? comparison.reason : undefined],
      ...fundsFacts(standing),
    ]),
    assetsTable(standing, now),
  ])
}

const shareLink = (name: AffiliateName): Html =>
  html`<a href="${withQuery(path`/dashboard/money/withdraw`, { affiliate: name })}">Withdraw</a>`

const earnedCell = ({ seen }: AffiliateStanding): Html | undefined =>
  seen === undefined || seen.earned.length === 0
    ? undefined
    : html`${seen.earned.map((held) => html`<div>${amount(held.asset, held.amount)}</div>`)}`

const readRegisterAffiliate = readEntered(readerOf(NewAffiliateBody))

/** Names an affiliate, registering it first where no account is given. */
export const registerAffiliate = act({
  path: "/dashboard/money/affiliates",
  scope: "withdraw",
  button: "Register the affiliate",
  tone: "go",
  fields: {
    provider: choice({ label: "Provider", choices: [] }),
    name: text({
      label: "Name",
      required: true,
      hint: "Stands for the account in affiliateN; it never changes.",
    }),
    withdrawalAddress: text({
      label: "Pays to",
      hint: "Its share is paid to this address only, for ever.",
    }),
    account: text({ label: "Or its account", hint: "Of one that is registered already." }),
  },
  done: { affiliateRegistered: "The affiliate is registered. Its name can be used in affiliateN." },
  again: {
    title: "Register an affiliate",
    back: "Treasury",
    backTo: () => path`/dashboard/money`,
    offers: ({ field }) => ({ provider: [field("provider")] }),
  },
  run: Effect.fnUntraced(function* ({ by, entered }: Submitted) {
    yield* (yield* Affiliates).add(yield* readRegisterAffiliate(entered), by)
    return { to: path`/dashboard/money`, said: "affiliateRegistered" } as const
  }),
})

/** Affiliates, and a form for another. */
export const affiliatesSection = (
  all: ReadonlyArray<AffiliateStanding>,
  providers: ReadonlyArray<string>,
): Html =>
  section({ title: "Affiliates", id: "affiliates" }, [
    table({
      caption: "Affiliates",
      columns: [
        ["Name", ({ named }) => named?.name],
        ["Provider", ({ platform }) => platform],
        ["Account", ({ named, seen }) => code(named?.account ?? seen?.account ?? "not known")],
        ["Pays to", ({ named, seen }) => code(named?.withdrawalAddress ?? seen?.withdrawalAddress ?? "–")],
        ["Earned", earnedCell, "number"],
        ["Order", ({ named }) => known(named, ({ name }) => shareLink(name))],
      ],
      rows: all,
      empty: "Nobody shares in the commission by a registered account.",
    }),
    ...(providers.length === 0
      ? []
      : [html`<details><summary>Register another</summary>${
        registerAffiliate.form({}, {
          offers: { provider: providers },
        })
      }</details>`]),
  ])
