import { Effect, Option } from "effect"
import { Business } from "#application/business/Business.ts"
import { Accounts } from "#application/accounts/Accounts.ts"
import { Keys } from "#application/accounts/Keys.ts"
import { KeyId } from "#domain/accounts/Key.ts"
import { WebhookId } from "#domain/accounts/Webhook.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { WithdrawalId } from "#domain/operations/Withdrawal.ts"
import { type Html, nothing, path, type Url } from "../../pages/jsx-runtime.ts"
import { Overview } from "#providers/Overview.ts"
import { Withdrawals } from "#application/treasury/Withdrawals.ts"
import { Webhooks } from "#application/webhooks/Webhooks.ts"
import { accountPath, keysPath, webhookPath } from "../accounts/paths.ts"
import { providerPath } from "../providers/providerParts.tsx"

/** Something besides swaps that a search has found. */
interface Find {
  readonly label: string
  readonly to: Url
  /** Whether its whole ID or name was searched for. */
  readonly isExact: boolean
}

/** The most accounts that one search names. */
const mostAccounts = 8

const digits = /^[1-9][0-9]{0,9}$/

const accountsWith = Effect.fnUntraced(function* (text: string) {
  const all = yield* (yield* Accounts).all
  return all.filter(({ name }) => name.includes(text)).slice(0, mostAccounts)
    .map(({ name }): Find => ({ label: `Account ${name}`, to: accountPath(name), isExact: name === text }))
})

const providersWith = Effect.fnUntraced(function* (text: string) {
  return (yield* (yield* Overview).all)
    .filter(({ contact, name }) => name.includes(text) || contact.name.toLowerCase().includes(text))
    .map(({ contact, name }): Find => ({
      label: contact.name,
      to: providerPath(name),
      isExact: name === text,
    }))
})

const exactly = (label: string, to: Url): Find => ({ label, to, isExact: true })

const keyWith = Effect.fnUntraced(function* (text: string) {
  const id = KeyId.makeOption(text)
  if (Option.isNone(id)) return []
  return Option.toArray(yield* (yield* Keys).find(id.value))
    .map(({ account }) => exactly(`Key ${text} of ${account}`, keysPath(account)))
})

const webhookWith = Effect.fnUntraced(function* (text: string) {
  const id = WebhookId.makeOption(text)
  if (Option.isNone(id)) return []
  return Option.toArray(yield* (yield* Webhooks).accountOf(id.value))
    .map((account) => exactly(`Webhook ${text} of ${account}`, webhookPath(account, text)))
})

const numbersWith = Effect.fnUntraced(function* (text: string) {
  if (!digits.test(text)) return []
  const withdrawal = yield* Effect.option((yield* Withdrawals).find(WithdrawalId.make(Number(text))))
  const opening = yield* (yield* Business).unknownOpening(SwapRecordId.make(Number(text)))
  return [
    ...Option.toArray(withdrawal)
      .map(() => exactly(`Withdrawal ${text}`, path`/dashboard/money/withdrawals/${text}`)),
    ...(opening === undefined
      ? []
      : [exactly(`Opening ${text}, unknown outcome`, path`/dashboard/swaps/${text}`)]),
  ]
})

/** What an operator's search finds besides swaps. */
export const otherMatches = Effect.fnUntraced(function* (text: string) {
  const wanted = text.toLowerCase()
  const finds = yield* Effect.all([
    accountsWith(wanted),
    providersWith(wanted),
    keyWith(wanted),
    webhookWith(wanted),
    numbersWith(wanted),
  ])
  return finds.flat()
})

/** Links to what a search has found besides swaps. */
export const matchesLine = (found: ReadonlyArray<Find>): Html =>
  found.length === 0 ? nothing : (
    <p id="found">
      <b>Also found:</b> {found.map(({ label, to }, index) => (
        <>
          {index > 0 && " · "}
          <a href={to}>{label}</a>
        </>
      ))}
    </p>
  )
