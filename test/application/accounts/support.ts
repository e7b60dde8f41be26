import { Effect, Layer, Option, type Redacted } from "effect"
import { Accounts } from "#application/accounts/Accounts.ts"
import { Audit } from "#application/accounts/Audit.ts"
import { Keys } from "#application/accounts/Keys.ts"
import { accountsLayer } from "#application/accounts/mod.ts"
import { AccountName, type AccountTerms } from "#domain/accounts/Account.ts"
import type { KeyTerms } from "#domain/accounts/Key.ts"
import { operator } from "#test/support/account.ts"

let count = 0

/** A name that no other test uses. */
export const newName = (): AccountName => AccountName.make(`account-${++count}`)

/** A new account with a key. */
export const accountWithKey = Effect.fnUntraced(
  function* (terms: Partial<AccountTerms> = {}, keyTerms: Partial<KeyTerms> = {}) {
    const name = newName()
    yield* (yield* Accounts).create(name, terms, operator)
    const { key, record } = yield* (yield* Keys).issue(name, keyTerms, operator)
    return { name, key, id: record.id }
  },
)

/** Who calls with a key. */
export const callerOf = (key: Redacted.Redacted<string>) =>
  Effect.flatMap(Accounts, ({ authenticate }) => Effect.map(authenticate(key), Option.getOrThrow))

/** Whether a key is taken. */
export const taken = (key: Redacted.Redacted<string>) =>
  Effect.flatMap(Accounts, ({ authenticate }) => Effect.map(authenticate(key), Option.isSome))

/** The services of one replica more over the same database, each with a memory of its own. */
export const replica = Layer.build(Layer.fresh(accountsLayer))

/** What the log has of the latest changes, the latest first. */
export const latestChanges = (limit: number) =>
  Effect.flatMap(
    Audit,
    ({ page }) => Effect.map(page({ limit }), ({ items }) => items.map(({ change }) => change)),
  )
