import { Effect, Option } from "effect"
import { NewWithdrawalBody } from "#api/Treasury.ts"
import { variableOf } from "#infrastructure/config/perChain.ts"
import { AffiliateName } from "#domain/accounts/Affiliate.ts"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import { IdempotencyKey } from "#domain/swaps/Idempotency.ts"
import { noIssues } from "#domain/Issues.ts"
import type { EpochMillis } from "#domain/Time.ts"
import type { Operator } from "#domain/accounts/Viewer.ts"
import type { Withdrawal } from "#domain/operations/Withdrawal.ts"
import { readerOf } from "../../requests/parameterIssues.ts"
import { ago, amount, dollars, fullAmount, minute } from "../../pages/values.tsx"
import { actForm, hidden } from "../../pages/forms.tsx"
import { type Html } from "../../pages/jsx-runtime.ts"
import { button, columns, copyable, known, kv, note, section, table } from "../../pages/parts.tsx"
import { durationText } from "#domain/durationText.ts"
import { withdrawalAddress } from "#application/treasury/destination.ts"
import { AffiliateUnknown } from "#application/treasury/failures.ts"
import { Treasury } from "#application/treasury/Treasury.ts"
import { type WithdrawalOffer, Withdrawals } from "#application/treasury/Withdrawals.ts"
import { providerTitle } from "#providers/Registry.ts"
import { given, readEntered } from "../formAction.tsx"
import { keyField } from "../confirm.ts"
import { keyAct, page, type PageRequest, type SubmittedForm, type Trouble } from "../Page.ts"
import {
  assetsIn,
  atTodaysPrices,
  balancesOf,
  balancesTable,
  isWithdrawable,
  type Valuing,
  valuing,
} from "./balances.tsx"
import { statePill, withdrawalLink, withdrawalPath } from "./states.tsx"
import { treasuryPages } from "./tabs.ts"

/** What is to be withdrawn, as a query or a form names it: an asset of a provider, or the share of an affiliate. */
type Named = (name: string) => string

const readWanted = readEntered(readerOf(NewWithdrawalBody))

const wantedBy = Effect.fnUntraced(function* (named: Named) {
  const affiliate = named("affiliate")
  if (affiliate === "") {
    return { own: yield* readWanted(given({ provider: named("provider"), asset: named("asset") })) }
  }
  const name = AffiliateName.makeOption(affiliate)
  return { share: yield* Effect.mapError(Effect.fromOption(name), () => new AffiliateUnknown()) }
})

/** What an order would withdraw, and to where, now. */
const offerFor = Effect.fnUntraced(function* (named: Named) {
  const withdrawals = yield* Withdrawals
  const wanted = yield* wantedBy(named)
  return yield* "own" in wanted ? withdrawals.offer(wanted.own) : withdrawals.offerShare(wanted.share)
})

const sourceOf = ({ asset, namedBy, platform }: WithdrawalOffer): string => {
  if (namedBy === "binding") {
    return `${providerTitle(platform)} pays this account to no other address; no page can change it`
  }
  return namedBy === "registration"
    ? "the address that the affiliate was registered with; no page can change it"
    : `from the setting ${variableOf(withdrawalAddress, chainOf(asset))}; no page can change it`
}

/** What affiliates have of the same account and asset, which stays there. */
const keptForAffiliates = Effect.fnUntraced(function* ({ asset, namedBy, platform }: WithdrawalOffer) {
  if (namedBy === "registration") return 0n
  const standing = (yield* (yield* Treasury).all).find((one) => one.platform === platform)
  return standing?.assets.find((one) => one.asset === asset)?.ofAffiliates ?? 0n
})

/** The subtraction down to what arrives. The fee is that of the last withdrawal, where there was any. */
const amounts = (
  { asset, earned, platform }: WithdrawalOffer,
  ofAffiliates: bigint,
  last: Withdrawal | undefined,
  valueOf: Valuing,
): Html => {
  const fee = last?.taken?.fee
  const lines: ReadonlyArray<{ readonly name: string; readonly native: bigint }> = [
    { name: `Held by ${providerTitle(platform)}`, native: earned + ofAffiliates },
    ...(ofAffiliates === 0n ? [] : [{ name: "Affiliates’ share, stays there", native: ofAffiliates }]),
    ...(fee === undefined || last === undefined
      ? []
      : [{ name: `Fee, estimated from withdrawal ${last.id}`, native: fee }]),
  ]
  const worth = (native: bigint, sign: string) =>
    known(valueOf(asset, native), (value) => <>{sign}{dollars(value, "cents", atTodaysPrices)}</>)
  const arrives = earned - (fee ?? 0n)
  return (
    <>
      {table({
        caption: "The amounts of this withdrawal",
        columns: [
          ["Step", ({ name }) => name, "a"],
          ["Amount", ({ native }, index) => <>{index > 0 && "−"}{amount(asset, native)}</>, "number"],
          ["≈ USD", ({ native }, index) => worth(native, index > 0 ? "−" : "") ?? "no price", "number b"],
        ],
        rows: lines,
        totals: [
          fee === undefined ? "Withdrawn, before the fee" : "Arrives, about",
          amount(asset, arrives > 0n ? arrives : 0n),
          worth(arrives > 0n ? arrives : 0n, "") ?? "no price",
        ],
        empty: "",
      })}
      <p>
        <small>
          {fee === undefined
            ? `${providerTitle(platform)} reports its fee after the request, and deducts it. `
            : ""}The whole balance is withdrawn, including what is earned until then.
        </small>
      </p>
      {arrives <= 0n &&
        note("warn", { text: "A fee like the last one would use up the balance. Wait until it grows." })}
    </>
  )
}

const before = (all: ReadonlyArray<Withdrawal>): Html =>
  table({
    caption: "Earlier withdrawals of this balance",
    columns: [
      ["Withdrawal", withdrawalLink, "a"],
      ["Arrives", ({ asset, taken }) =>
        known(taken, (taken) => amount(asset, taken.amount, "list")), "number b"],
      ["Fee", ({ asset, taken }) =>
        known(taken, ({ fee }) =>
          amount(asset, fee, "list")), "number"],
      [
        "Took",
        ({ changedAt, requestedAt, state }) =>
          state === "paid" ? durationText(changedAt - requestedAt) : undefined,
        "number",
      ],
      ["State", ({ state }) => statePill(state)],
      ["Requested (UTC)", ({ requestedAt }) => minute(requestedAt), "number"],
    ],
    rows: all,
    empty: "No earlier withdrawals.",
  })

/** So many earlier ones are shown. */
const mostBefore = 3

/** What an order without an answer keeps from being ordered. */
const openNote = ({ id, state }: Withdrawal): Html =>
  note("warn", {
    title: `Withdrawal ${id} of this balance has no result yet`,
    text: state === "unknown"
      ? "Its outcome is unknown. Decide it first, then withdraw again."
      : "You can withdraw again after its result.",
    acts: button("Open it", withdrawalPath(id)),
  })

const confirmBox = (
  { asset, destination, earned, platform }: WithdrawalOffer,
  named: Named,
  order: string,
  trouble: Trouble | undefined,
): Html =>
  section({ title: "Confirm", id: "confirm", isBox: true }, [
    trouble === undefined
      ? <p class="soft">Money leaves {providerTitle(platform)}. You cannot undo this.</p>
      : note("bad", { text: trouble.detail }),
    actForm({
      to: treasuryPages.withdrawals,
      button: `Withdraw ${fullAmount(asset, earned)} ${factsOf(asset).ticker}`,
      tone: "go",
    }, [
      ...["provider", "asset", "affiliate"].map((name) => hidden(name, named(name))),
      hidden("destination", destination),
      hidden("order", order),
      keyField(trouble ?? { errors: noIssues }, "withdraw"),
    ]),
    button("Cancel", treasuryPages.balances),
  ])

/** The withdrawals of the same asset and of the same affiliate, or of the operator. */
const earlier = Effect.fnUntraced(function* ({ asset, destination, namedBy, platform }: WithdrawalOffer) {
  const isShare = namedBy === "registration"
  const { items } = yield* (yield* Withdrawals).page({ limit: 50, platform, ofAffiliates: isShare })
  return items.filter((one) => one.asset === asset && (!isShare || one.destination === destination))
})

/** The last look before an order: how much, and where to; with what was wrong with the form that was sent before. */
const shown = Effect.fnUntraced(function* (
  { named, now, order, trouble }: {
    readonly named: Named
    readonly now: EpochMillis
    readonly order: string
    readonly trouble?: Trouble
  },
) {
  const offer = yield* offerFor(named)
  const { asset, destination, platform } = offer
  const ofAffiliates = yield* keptForAffiliates(offer)
  const valueOf = yield* valuing([asset] satisfies ReadonlyArray<AssetId>, now)
  const others = yield* earlier(offer)
  const last = others.find(({ taken }) => taken !== undefined)
  const open = others.find(({ state }) => state === "unknown" || state === "requested")
  const here = others.filter((one) => one.destination === destination)
  const paidHere = here.find(({ state }) => state === "paid")
  const onTheWay = here.filter(({ state }) => state === "taken" || state === "sent")
  const affiliate = named("affiliate")
  return {
    title: affiliate === "" ? `Withdraw from ${providerTitle(platform)}` : `Pay the share of ${affiliate}`,
    crumb: <a href={affiliate === "" ? treasuryPages.balances : treasuryPages.affiliates}>Treasury</a>,
    body: [
      columns("wide", [
        section({ title: "What will happen", id: "amounts" }, amounts(offer, ofAffiliates, last, valueOf)),
        section(
          { title: "Where to", id: "where" },
          kv([
            [
              "To",
              <>
                {copyable(destination, "address")}
                <br />
                <small>
                  {sourceOf(offer)}.{" "}
                  {onTheWay.map((one) => <>{withdrawalLink(one)} is on its way there.{" "}</>)}
                  {paidHere === undefined
                    ? onTheWay.length === 0 && "No payment to it yet."
                    : <>Last payment to it: {ago(paidHere.requestedAt, now)}, withdrawal {paidHere.id}.</>}
                </small>
              </>,
            ],
            ["Chain", chainFacts(chainOf(asset)).title],
          ]),
        ),
      ], open === undefined ? confirmBox(offer, named, order, trouble) : openNote(open)),
      section(
        { title: `Earlier withdrawals from ${providerTitle(platform)}`, id: "before" },
        before(others.slice(0, mostBefore)),
      ),
    ],
  }
})

/** Where the address names no balance: those that there are, or the only one that can be withdrawn. */
const choiceOfBalance = Effect.fnUntraced(function* (now: EpochMillis) {
  const standings = yield* (yield* Treasury).all
  const valueOf = yield* valuing(assetsIn(standings), now)
  const [only, ...others] = balancesOf(standings, valueOf).filter(isWithdrawable)
  if (only !== undefined && others.length === 0) {
    const wanted: Readonly<Record<string, string>> = { provider: only.standing.platform, asset: only.asset }
    return yield* shown({ named: (name) => wanted[name] ?? "", now, order: crypto.randomUUID() })
  }
  return {
    title: "Withdraw",
    crumb: <a href={treasuryPages.balances}>Treasury</a>,
    body: section({ title: "Choose a balance", id: "balances" }, balancesTable(standings, valueOf, now)),
  }
})

/** The last look before an order. */
export const withdrawPage = page({
  path: "/dashboard/money/withdraw",
  within: "treasury",
  operator: Effect.fnUntraced(function* ({ now, query }: PageRequest<Operator>) {
    return yield* ["provider", "asset", "affiliate"].some((name) => (query(name) ?? "") !== "")
      ? shown({ named: (name) => query(name) ?? "", now, order: crypto.randomUUID() })
      : choiceOfBalance(now)
  }),
})

const keyOf = ({ field }: SubmittedForm) => IdempotencyKey.makeOption(field("order"))

/** Orders what was looked at. The same form sent again leads to the same withdrawal. */
export const orderWithdrawal = keyAct({
  path: "/dashboard/money/withdrawals",
  scope: "withdraw",
  done: { ordered: "Requested. This page follows it until it is paid." },
  run: Effect.fnUntraced(function* (sent: SubmittedForm) {
    const withdrawals = yield* Withdrawals
    const wanted = yield* wantedBy(sent.field)
    const { withdrawal } = yield* "own" in wanted
      ? withdrawals.order(wanted.own, keyOf(sent), sent.by, sent.field("destination"))
      : withdrawals.orderShare(wanted.share, keyOf(sent), sent.by, sent.field("destination"))
    return { to: withdrawalPath(withdrawal.id), said: "ordered" } as const
  }),
  again: (sent, trouble) => {
    const order = Option.getOrElse(keyOf(sent), () => crypto.randomUUID())
    return shown({ named: sent.field, now: sent.now, order, trouble })
  },
})
