import { Effect, Option } from "effect"
import { NewWithdrawalBody } from "../../api/TreasuryBodies.ts"
import { AffiliateName } from "../../domain/Affiliate.ts"
import { actorOf } from "../../domain/Audit.ts"
import { IdempotencyKey } from "../../domain/Idempotency.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { type Withdrawal, WithdrawalId } from "../../domain/Withdrawal.ts"
import { readerOf } from "../../requests/parameterIssues.ts"
import { actForm, hidden } from "../../pages/forms.ts"
import { type Html, html } from "../../pages/html.ts"
import { amount, badge, code, facts, foreign, section, table, time } from "../../pages/parts.ts"
import { path } from "../../pages/Url.ts"
import { AffiliateUnknown, WithdrawalUnknown } from "../../treasury/failures.ts"
import { Withdrawals } from "../../treasury/Withdrawals.ts"
import { given, readEntered } from "../entered.ts"
import type { Act, Page, Sent } from "../Page.ts"

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
        { label: "No." },
        { label: "From" },
        { label: "Earned", kind: "number" },
        { label: "To" },
        { label: "State" },
        { label: "Ordered" },
      ],
      rows: all.map((one) => [
        link(one),
        one.affiliate === undefined
          ? one.platform
          : html`${one.platform} <small>an affiliate's share</small>`,
        amount(one.asset, one.earned),
        code(one.destination),
        badge(one.state, tones[one.state]),
        time(one.requestedAt, now),
      ]),
      empty: "Nothing was withdrawn yet: an account above with earnings has a link to order it.",
    }),
  )

const digits = /^[1-9][0-9]{0,15}$/

/** A withdrawal with everything that happened to it. */
export const withdrawalPage: Page<Withdrawals> = {
  path: "/dashboard/money/withdrawals/:id",
  operator: Effect.fnUntraced(function* ({ now, param }) {
    const id = digits.test(param("id")) ? WithdrawalId.makeOption(Number(param("id"))) : Option.none()
    if (Option.isNone(id)) return yield* new WithdrawalUnknown()
    const { steps, withdrawal } = yield* (yield* Withdrawals).find(id.value)
    const { asset, destination, earned, paymentTransaction, platform, state, taken } = withdrawal
    return {
      title: `Withdrawal ${withdrawal.id}`,
      above: html`<a href="${path`/dashboard/money`}">Treasury</a>`,
      body: [
        section({ title: "Order", id: "order", live: true, aside: badge(state, tones[state]) }, [
          facts([
            ["Provider", platform],
            ["Had", amount(asset, earned)],
            ["Pays", taken === undefined ? undefined : amount(asset, taken.amount)],
            ["Fee", taken === undefined ? undefined : amount(asset, taken.fee)],
            ["To", code(destination)],
            ["Payment", paymentTransaction === undefined ? undefined : code(paymentTransaction)],
            ["Why", withdrawal.detail === undefined ? undefined : foreign(withdrawal.detail)],
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
            columns: [{ label: "State" }, { label: "When" }, { label: "Why" }],
            rows: steps.map((step) => [
              badge(step.state, tones[step.state]),
              time(step.at, now),
              step.detail === undefined ? "–" : foreign(step.detail),
            ]),
            empty: "",
          }),
        ),
      ],
    }
  }),
}

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

/** The last look before an order: how much, and where to. */
export const withdrawPage: Page<Withdrawals> = {
  path: "/dashboard/money/withdraw",
  operator: Effect.fnUntraced(function* ({ query }) {
    const named: Named = (name) => query(name) ?? ""
    const { offer } = yield* offerFor(named)
    return {
      title: "Order a withdrawal",
      above: html`<a href="${path`/dashboard/money`}">Treasury</a>`,
      body: section({ title: "Is this right?", id: "confirm" }, [
        facts([
          ["Everything earned", amount(offer.asset, offer.earned)],
          ["From", offer.platform],
          ["Affiliate", named("affiliate") === "" ? undefined : named("affiliate")],
          ["To", code(offer.destination)],
        ]),
        html`
          <p
            class="empty">The upstream takes its fee off. The address is that of the settings, or the one that the account is bound to: no page can change it.</p>
        `,
        actForm({ to: path`/dashboard/money/withdrawals`, button: "Order the withdrawal", tone: "bad" }, [
          hidden("provider", named("provider")),
          hidden("asset", named("asset")),
          hidden("affiliate", named("affiliate")),
          hidden("destination", offer.destination),
          hidden("key", crypto.randomUUID()),
        ]),
      ]),
    }
  }),
}

const keyIn = ({ field }: Sent) => IdempotencyKey.makeOption(field("key"))

/** Orders what was looked at. The same form sent again leads to the same withdrawal. */
export const orderWithdrawal: Act<Withdrawals> = {
  path: "/dashboard/money/withdrawals",
  scope: "withdraw",
  run: Effect.fnUntraced(function* (sent) {
    const withdrawals = yield* Withdrawals
    const by = actorOf(sent.viewer.caller)
    const wanted = yield* wantedBy(sent.field)
    const key = keyIn(sent)
    const { withdrawal } = yield* "own" in wanted
      ? withdrawals.order(wanted.own, key, by, sent.field("destination"))
      : withdrawals.orderShare(wanted.share, key, by, sent.field("destination"))
    return { to: path`/dashboard/money/withdrawals/${withdrawal.id}`, said: "ordered" } as const
  }),
}
