import { Effect, Option } from "effect"
import { Accounts } from "#application/accounts/Accounts.ts"
import { Keys } from "#application/accounts/Keys.ts"
import { KeyId } from "#domain/accounts/Key.ts"
import { WebhookId } from "#domain/accounts/Webhook.ts"
import { WithdrawalId } from "#domain/operations/Withdrawal.ts"
import { type Html, nothing } from "../../pages/jsx-runtime.ts"
import { path, type Url } from "../../pages/Url.ts"
import { Overview } from "#providers/Overview.ts"
import { Withdrawals } from "#application/treasury/Withdrawals.ts"
import { Webhooks } from "#application/webhooks/Webhooks.ts"
import { accountPath, keysPath, webhookPath } from "../accounts/paths.ts"
import { providerPath } from "../providers/providerParts.tsx"

/** Something besides swaps that a search has found: a link to its page. */
interface Find {
  readonly label: string
  readonly to: Url
}

/** The most accounts that one search names. */
const mostAccounts = 8

const digits = /^[1-9][0-9]{0,9}$/

const accountsWith = Effect.fnUntraced(function* (text: string) {
  const all = yield* (yield* Accounts).all
  return all.filter(({ name }) => name.includes(text)).slice(0, mostAccounts)
    .map(({ name }): Find => ({ label: `Account ${name}`, to: accountPath(name) }))
})

const providersWith = Effect.fnUntraced(function* (text: string) {
  return (yield* (yield* Overview).all)
    .filter(({ contact, name }) => name.includes(text) || contact.name.toLowerCase().includes(text))
    .map(({ contact, name }): Find => ({ label: contact.name, to: providerPath(name) }))
})

const keyWith = Effect.fnUntraced(function* (text: string) {
  const id = KeyId.makeOption(text)
  if (Option.isNone(id)) return []
  return Option.toArray(yield* (yield* Keys).find(id.value))
    .map(({ account }): Find => ({ label: `Key ${text} of ${account}`, to: keysPath(account) }))
})

const webhookWith = Effect.fnUntraced(function* (text: string) {
  const id = WebhookId.makeOption(text)
  if (Option.isNone(id)) return []
  return Option.toArray(yield* (yield* Webhooks).accountOf(id.value)).map((account): Find => ({
    label: `Webhook ${text} of ${account}`,
    to: webhookPath(account, text),
  }))
})

const withdrawalWith = Effect.fnUntraced(function* (text: string) {
  if (!digits.test(text)) return []
  const found = yield* Effect.option((yield* Withdrawals).find(WithdrawalId.make(Number(text))))
  return Option.isNone(found)
    ? []
    : [{ label: `Withdrawal ${text}`, to: path`/dashboard/money/withdrawals/${text}` }]
})

/** What an operator's search finds besides swaps; nothing where it finds nothing. */
export const otherMatches = Effect.fnUntraced(function* (text: string) {
  const wanted = text.toLowerCase()
  const finds = yield* Effect.all([
    accountsWith(wanted),
    providersWith(wanted),
    keyWith(wanted),
    webhookWith(wanted),
    withdrawalWith(wanted),
  ])
  const found = finds.flat()
  const shown: Html = found.length === 0 ? nothing : (
    <p id="found">
      <b>Also found:</b> {found.map(({ label, to }, index) => (
        <>
          {index > 0 && " · "}
          <a href={to}>{label}</a>
        </>
      ))}
    </p>
  )
  return shown
})
