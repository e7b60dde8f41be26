import { Effect, Option } from "effect"
import { NewWithdrawalBody } from "../../api/TreasuryBodies.ts"
import { AffiliateName } from "../../domain/Affiliate.ts"
import { IdempotencyKey } from "../../domain/Idempotency.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { type Withdrawal, WithdrawalId } from "../../domain/Withdrawal.ts"
import type { Operator } from "../../domain/Viewer.ts"
import { readerOf } from "../../requests/parameterIssues.ts"
import { type Html, html } from "../../pages/html.ts"
import { amount } from "../../pages/amounts.ts"
import { code, foreign, kv, pill, section } from "../../pages/parts.ts"
import { known, table } from "../../pages/table.ts"
import { time } from "../../pages/times.ts"
import { path } from "../../pages/Url.ts"
import { AffiliateUnknown, WithdrawalUnknown } from "../../treasury/failures.ts"
import { Withdrawals } from "../../treasury/Withdrawals.ts"
import { act, filled, fixed, given, readEntered, type Submitted } from "../act.ts"
import { type Asked, page, type Sent } from "../Page.ts"

const tones = {
  requested: "info",
  unknown: "bad",
  taken: "info",
  sent: "info",
  paid: "good",
  failed: "bad",
} as const

const link = ({ id }: Withdrawal): Html =>
  html`<a href="${path`/dashboard/money/withdrawals/${id}`}">${id}</a>`

/** Withdrawals, those of unknown outcome before the latest. */
export const withdrawalsSection = (all: ReadonlyArray<Withdrawal>, now: EpochMillis): Html =>
  section(
    { title: "Withdrawals", id: "withdrawals", live: true },
    table({
      caption: "Withdrawals, the latest first, but for those whose outcome is unknown",
      columns: [
        ["No.", link],
        [
          "From",
          ({ affiliate, platform }) =>
            affiliate === undefined ? platform : html`${platform} <small>an affiliate's share</small>`,
        ],
        ["Earned", ({ asset, earned }) => amount(asset, earned), "number"],
        ["To", ({ destination }) => code(destination)],
        ["State", ({ state }) => pill(state, tones[state])],
        ["Ordered", ({ requestedAt }) => time(requestedAt, now)],
      ],
      rows: all,
      empty: "Nothing was withdrawn yet: an account above with earnings has a link to order it.",
    }),
  )

const digits = /^[1-9][0-9]{0,15}$/

/** A withdrawal with everything that happened to it. */
export const withdrawalPage = page({
  path: "/dashboard/money/withdrawals/:id",
  operator: Effect.fnUntraced(function* ({ now, param }: Asked<Operator>) {
    const id = digits.test(param("id")) ? WithdrawalId.makeOption(Number(param("id"))) : Option.none()
    if (Option.isNone(id)) return yield* new WithdrawalUnknown()
    const { steps, withdrawal } = yield* (yield* Withdrawals).find(id.value)
    const { asset, destination, earned, paymentTransaction, platform, state, taken } = withdrawal
    return {
      title: `Withdrawal ${withdrawal.id}`,
      crumb: html`<a href="${path`/dashboard/money`}">Treasury</a>`,
      body: [
        section({ title: "Order", id: "order", live: true, aside: pill(state, tones[state]) }, [
          kv([
            ["Provider", platform],
            ["Had", amount(asset, earned)],
            ["Pays", known(taken, (taken) => amount(asset, taken.amount))],
            ["Fee", known(taken, ({ fee }) => amount(asset, fee))],
            ["To", code(destination)],
            ["Payment", known(paymentTransaction, code)],
            ["Why", known(withdrawal.detail, foreign)],
            [
              "Decide",
              state === "unknown" ? html`<code>cli withdrawals decide</code>, once you found out` : undefined,
            ],
          ]),
        ]),
        section(
          { title: "What happened", id: "steps" },
          table({
            caption: "What happened, in order",
            columns: [
              ["State", ({ state }) => pill(state, tones[state])],
              ["When", ({ at }) => time(at, now)],
              ["Why", ({ detail }) => known(detail, foreign)],
            ],
            rows: steps,
            empty: "",
          }),
        ),
      ],
    }
  }),
})

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
  const offer = yield* "own" in wanted ? withdrawals.offer(wanted.own) : withdrawals.offerShare(wanted.share)
  return { wanted, offer }
})

const keyIn = ({ field }: Sent) => IdempotencyKey.makeOption(field("key"))

/** Orders what was looked at. The same form sent again leads to the same withdrawal. */
export const orderWithdrawal = act({
  path: "/dashboard/money/withdrawals",
  scope: "withdraw",
  button: "Order the withdrawal",
  tone: "stop",
  fields: { provider: fixed(), asset: fixed(), affiliate: fixed(), destination: fixed(), key: fixed() },
  done: { ordered: "Ordered. The page below follows it to its payment." },
  run: Effect.fnUntraced(function* (sent: Submitted) {
    const withdrawals = yield* Withdrawals
    const { by } = sent
    const wanted = yield* wantedBy(sent.field)
    const key = keyIn(sent)
    const { withdrawal } = yield* "own" in wanted
      ? withdrawals.order(wanted.own, key, by, sent.field("destination"))
      : withdrawals.orderShare(wanted.share, key, by, sent.field("destination"))
    return { to: path`/dashboard/money/withdrawals/${withdrawal.id}`, said: "ordered" } as const
  }),
})

/** The last look before an order: how much, and where to. */
export const withdrawPage = page({
  path: "/dashboard/money/withdraw",
  operator: Effect.fnUntraced(function* ({ query }: Asked<Operator>) {
    const named: Named = (name) => query(name) ?? ""
    const { offer } = yield* offerFor(named)
    return {
      title: "Order a withdrawal",
      crumb: html`<a href="${path`/dashboard/money`}">Treasury</a>`,
      body: section({ title: "Is this right?", id: "confirm" }, [
        kv([
          ["Everything earned", amount(offer.asset, offer.earned)],
          ["From", offer.platform],
          ["Affiliate", named("affiliate") === "" ? undefined : named("affiliate")],
          ["To", code(offer.destination)],
        ]),
        html`
          <p
            class="soft">The upstream takes its fee off. The address is that of the settings, or the one that the account is bound to: no page can change it.</p>
        `,
        orderWithdrawal.form({}, {
          entered: filled({
            provider: named("provider"),
            asset: named("asset"),
            affiliate: named("affiliate"),
            destination: offer.destination,
            key: crypto.randomUUID(),
          }),
        }),
      ]),
    }
  }),
})
