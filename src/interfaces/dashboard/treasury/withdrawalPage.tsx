import { Effect } from "effect"
import { chainOf } from "#domain/chains/Asset.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import type { EpochMillis } from "#domain/Time.ts"
import type { Operator } from "#domain/accounts/Viewer.ts"
import type { WithdrawalId } from "#domain/operations/Withdrawal.ts"
import { ago, amount, coin, dollars, moment } from "../../pages/values.tsx"
import { code, columns, copyable, known, kv, section, timeline, untrusted } from "../../pages/parts.tsx"
import { explorerUrl } from "../../pages/jsx-runtime.ts"
import { Withdrawals } from "#application/treasury/Withdrawals.ts"
import { providerTitle } from "#providers/Contacts.ts"
import { keyAct, page, type PageRequest } from "../Page.ts"
import { type Before, decide, decisionNote, withdrawalIn } from "./decision.tsx"
import { statePill, stateWord } from "./states.tsx"
import { treasuryPages } from "./tabs.ts"
import { OpeningRules } from "#application/swapping/opening/OpeningRules.ts"

const marks = {
  requested: "now",
  unknown: "no",
  taken: "now",
  sent: "now",
  paid: "ok",
  failed: "no",
} as const

/** One withdrawal; with what was entered before, where its outcome was being decided. */
const shown = Effect.fnUntraced(function* (id: WithdrawalId, now: EpochMillis, before?: Before) {
  const { steps, withdrawal } = yield* (yield* Withdrawals).find(id)
  const { affiliate, asset, destination, earned, paymentTransaction, platform, state, taken, value } =
    withdrawal
  const { networkOf } = yield* OpeningRules
  const payment = networkOf(platform) === "mainnet" && paymentTransaction !== undefined
    ? explorerUrl(chainOf(asset), paymentTransaction)
    : undefined
  return {
    title: `Withdrawal ${id}`,
    crumb: <a href={treasuryPages.withdrawals}>Withdrawals</a>,
    state: statePill(state),
    line: <>from {providerTitle(platform)}, requested {ago(withdrawal.requestedAt, now)}</>,
    body: [
      ...(state === "unknown" ? [decisionNote(withdrawal, now, before)] : []),
      columns(
        "even",
        section(
          { title: "Withdrawal", id: "order", live: true },
          kv([
            [
              "Amount",
              <>
                {coin(asset)}
                {amount(asset, earned)} {value !== undefined &&
                  <small>≈ {dollars(value, "cents", "at the time of the request")}</small>}
              </>,
            ],
            ["Fee", known(taken, ({ fee }) => amount(asset, fee))],
            ["Arrives", known(taken, (taken) => amount(asset, taken.amount))],
            ["To", copyable(destination, "address")],
            ["Affiliate", known(affiliate, code)],
            [
              "Payout transaction",
              known(
                paymentTransaction,
                (text) =>
                  payment === undefined
                    ? copyable(text, "transaction")
                    : <a href={payment} rel="noreferrer noopener">{code(text)} ↗</a>,
              ) ?? (state === "failed" ? "none" : `none yet, waiting for ${providerTitle(platform)}`),
            ],
            ["Request transaction", known(taken?.transaction, (text) => copyable(text, "transaction"))],
            [`${providerTitle(platform)} reference`, known(taken?.reference, code)],
            ["Why", known(withdrawal.detail, untrusted)],
          ]),
        ),
        section(
          { title: "Timeline", id: "steps", live: true },
          timeline([
            ...(state === "paid" || state === "failed"
              ? []
              : [{ title: <span class="soft">Confirmed on {chainFacts(chainOf(asset)).title}</span> }]),
            ...steps.toReversed().map(({ at, detail, state }, index) => ({
              title: state === "taken" ? `Accepted by ${providerTitle(platform)}` : stateWord(state),
              state: index === 0 || marks[state] === "no" ? marks[state] : "ok",
              at: moment(at),
              texts: detail === undefined ? [] : [untrusted(detail)],
            })),
          ]),
        ),
      ),
    ],
  }
})

/** A withdrawal with everything that happened to it. */
export const withdrawalPage = page({
  path: "/dashboard/money/withdrawals/:id",
  operator: Effect.fnUntraced(function* ({ now, param }: PageRequest<Operator>) {
    return yield* shown(yield* withdrawalIn(param), now)
  }),
})

/** The operator says what became of a withdrawal that nobody else can tell of. */
export const decideWithdrawal = keyAct({
  path: "/dashboard/money/withdrawals/:id/decision",
  scope: "withdraw",
  done: {
    decidedPaid: "Recorded: it arrived.",
    decidedFailed: "Recorded: it did not arrive. You can withdraw the balance again.",
  },
  run: decide,
  again: Effect.fnUntraced(function* (sent, trouble) {
    return yield* shown(yield* withdrawalIn(sent.param), sent.now, { sent, trouble })
  }),
})
