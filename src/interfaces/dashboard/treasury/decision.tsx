import { Effect, Option, Redacted } from "effect"
import { heldKeyIssues } from "#application/accounts/ApiKey.ts"
import { DecisionBody } from "#api/TreasuryBodies.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import { noIssues } from "#domain/Issues.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { type Withdrawal, WithdrawalId } from "#domain/operations/Withdrawal.ts"
import { readerOf } from "../../requests/parameterIssues.ts"
import { ago, amount, dollars } from "../../pages/values.tsx"
import { field } from "../../pages/forms.tsx"
import { type Html, path } from "../../pages/jsx-runtime.ts"
import { copyable, note, untrusted } from "../../pages/parts.tsx"
import { Decisions } from "#application/treasury/Decisions.ts"
import { WithdrawalUnknown } from "#application/treasury/failures.ts"
import { providerTitle } from "#providers/Contacts.ts"
import { given, readEntered } from "../formAction.tsx"
import { keyField, keyName } from "../confirm.ts"
import type { SubmittedForm, Trouble } from "../Page.ts"
import { withdrawalPath } from "./states.tsx"

const digits = /^[1-9][0-9]{0,15}$/

/** The withdrawal that a path names. */
export const withdrawalIn = (param: (name: string) => string) => {
  const text = param("id")
  const id = digits.test(text) ? WithdrawalId.makeOption(Number(text)) : Option.none()
  return Effect.mapError(Effect.fromOption(id), () => new WithdrawalUnknown())
}

/** What was entered before, with what was wrong with it. */
export interface Before {
  readonly sent: SubmittedForm
  readonly trouble: Trouble
}

const faultOf = ({ errors }: Pick<Trouble, "errors">, name: string): string | undefined =>
  Object.hasOwn(errors, name) ? errors[name]?.[0]?.replace(`${name} `, "") : undefined

/** The form that says what became of a withdrawal. */
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
export const decide = Effect.fnUntraced(function* (sent: SubmittedForm) {
  const id = yield* withdrawalIn(sent.param)
  const { outcome, reason } = yield* readDecision(sent)
  yield* (yield* Decisions).decide(id, outcome, reason, sent.by)
  return { to: withdrawalPath(id), said: outcome === "paid" ? "decidedPaid" : "decidedFailed" } as const
})
