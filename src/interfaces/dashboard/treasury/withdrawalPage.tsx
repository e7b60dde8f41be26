import { Effect, Option, Redacted } from "effect"
import { chainOf } from "#domain/chains/Asset.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import type { EpochMillis } from "#domain/Time.ts"
import type { Operator } from "#domain/accounts/Viewer.ts"
import { type Withdrawal, WithdrawalId } from "#domain/operations/Withdrawal.ts"
import { ago, amount, coin, dollars, moment } from "../../pages/values.tsx"
import { code, columns, copyable, known, kv, note, section, timeline, untrusted } from "../../pages/parts.tsx"
import { explorerUrl, type Html, path } from "../../pages/jsx-runtime.ts"
import { Withdrawals } from "#application/treasury/Withdrawals.ts"
import { providerTitle } from "#providers/Registry.ts"
import { keyAct, page, type PageRequest, type SubmittedForm, type Trouble } from "../Page.ts"
import { statePill, stateWord, withdrawalPath } from "./states.tsx"
import { treasuryPages } from "./tabs.ts"
import { OpeningRules } from "#application/swapping/opening/OpeningRules.ts"
import { heldKeyIssues } from "#application/accounts/ApiKey.ts"
import { DecisionBody } from "#api/Treasury.ts"
import { noIssues } from "#domain/Issues.ts"
import { readerOf } from "../../requests/parameterIssues.ts"
import { field } from "../../pages/forms.tsx"
import { Decisions } from "#application/treasury/Decisions.ts"
import { WithdrawalUnknown } from "#application/treasury/failures.ts"
import { given, readEntered } from "../formAction.tsx"
import { keyField, keyName } from "../confirm.ts"

const marks = {
  requested: "now",
  unknown: "no",
  taken: "now",
  sent: "now",
  paid: "ok",
  failed: "no",
} as const

const digits = /^[1-9][0-9]{0,15}$/

/** The withdrawal that a path names. */
const withdrawalIn = (param: (name: string) => string) => {
  const text = param("id")
  const id = digits.test(text) ? WithdrawalId.makeOption(Number(text)) : Option.none()
  return Effect.mapError(Effect.fromOption(id), () => new WithdrawalUnknown())
}

/** What was entered before, with what was wrong with it. */
interface Before {
  readonly sent: SubmittedForm
  readonly trouble: Trouble
}

const faultOf = ({ errors }: Pick<Trouble, "errors">, name: string): string | undefined =>
  Object.hasOwn(errors, name) ? errors[name]?.[0]?.replace(`${name} `, "") : undefined

const decisionForm = ({ id }: Withdrawal, before: Before | undefined): Html => {
  const trouble = before?.trouble ?? { errors: noIssues }
  return (
    <form class="form" method="post" action={path`/dashboard/money/withdrawals/${id}/decision`}>
      {field({
        label: "How you found out",
        name: "reason",
        required: true,
        value: before?.sent.field("reason") ?? "",
        fault: faultOf(trouble, "reason"),
        hint: "Stays in the audit log.",
      })}
      {keyField(trouble, "withdraw")}
      <div class="acts">
        <button type="submit" name="outcome" value="paid">It arrived</button>
        <button type="submit" name="outcome" value="failed" class="stop">It did not</button>
      </div>
    </form>
  )
}

/** The question of what became of a withdrawal of which no upstream tells, with the answer's form. */
export const decisionNote = (withdrawal: Withdrawal, now: EpochMillis, before?: Before): Html => {
  const { asset, destination, detail, earned, id, platform, requestedAt, value } = withdrawal
  return note("bad", {
    title: `Did withdrawal ${id} arrive?`,
    text: (
      <>
        {amount(asset, earned)} from {providerTitle(platform)}
        {value !== undefined && <>, ≈ {dollars(value, "cents", "at the time of the request")}</>}. Requested
        {" "}
        {ago(requestedAt, now)}.{" "}
        <b>Withdrawals are never retried</b>, so it cannot be paid twice. Check the address in an explorer of
        {" "}
        {chainFacts(chainOf(asset)).title}. If about this amount came after the request, it arrived.
      </>
    ),
    more: (
      <>
        <p>{copyable(destination, "address")}</p>
        {detail !== undefined && (
          <p>
            <small>Why it is unknown: {untrusted(detail)}</small>
          </p>
        )}
        {before !== undefined && (
          <p>
            <b>{before.trouble.detail}</b>
          </p>
        )}
      </>
    ),
  }, { more: decisionForm(withdrawal, before) })
}

const readDecision = (sent: SubmittedForm) =>
  readEntered(
    readerOf(DecisionBody),
    ({ reason }: { readonly reason?: string }) => [
      heldKeyIssues("reason", reason, [Redacted.make(sent.field(keyName))]),
    ],
  )(given({ outcome: sent.field("outcome"), reason: sent.field("reason") }))

/** Writes down what the operator found out. */
const decide = Effect.fnUntraced(function* (sent: SubmittedForm) {
  const id = yield* withdrawalIn(sent.param)
  const { outcome, reason } = yield* readDecision(sent)
  yield* (yield* Decisions).decide(id, outcome, reason, sent.by)
  return { to: withdrawalPath(id), said: outcome === "paid" ? "decidedPaid" : "decidedFailed" } as const
})

/** One withdrawal; with what was entered before, where its outcome was being decided. */
const shown = Effect.fnUntraced(function* (id: WithdrawalId, now: EpochMillis, before?: Before) {
  const { steps, withdrawal } = yield* (yield* Withdrawals).find(id)
  const { affiliate, asset, destination, earned, paymentTransaction, platform, state, taken, value } =
    withdrawal
  const { networkOf } = yield* OpeningRules
  const payment = explorerUrl(asset, networkOf(platform), paymentTransaction)
  return {
    title: `Withdrawal ${id}`,
    crumb: <a href={treasuryPages.withdrawals}>Withdrawals</a>,
    state: statePill(state),
    line: (
      <>
        {taken !== undefined && <>{amount(asset, taken.amount)} after the fee,{" "}</>}
        from {providerTitle(platform)}, requested {ago(withdrawal.requestedAt, now)}
      </>
    ),
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
              ) ?? (state === "failed" ? "none" : `not named by ${providerTitle(platform)} yet`),
            ],
            ["Request transaction", known(taken?.transaction, (text) => copyable(text, "transaction"))],
            [`${providerTitle(platform)} reference`, known(taken?.reference, code)],
            ["Why", known(withdrawal.detail, untrusted)],
          ]),
        ),
        section(
          { title: "Timeline", id: "steps", live: true },
          timeline([
            ...(state === "paid" || state === "failed" ? [] : [{
              title: `Not confirmed on ${chainFacts(chainOf(asset)).title} yet`,
              state: "next" as const,
            }]),
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
