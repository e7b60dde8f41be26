import { Effect, Option, Redacted } from "effect"
import { Accounts } from "#application/accounts/Accounts.ts"
import { type Account, AccountId, AccountName, type Caller } from "#domain/accounts/Account.ts"
import type { Actor } from "#domain/operations/Audit.ts"
import { noBps } from "#domain/money/Bps.ts"
import { KeyId, Scope } from "#domain/accounts/Key.ts"
import { routeTable } from "#domain/accounts/Route.ts"
import { EpochMillis } from "#domain/Time.ts"

/** Makes the first account, as a start does, with this key. */
export const makeFirstAccount = (key: string) =>
  Effect.flatMap(
    Accounts,
    (accounts) =>
      accounts.bootstrap({ key: Option.some(Redacted.make(key)), commissionBps: noBps, generate: false }),
  )

/** An account with everything by default, but for what `changes` say. */
export const accountWith = (changes: Partial<Account> = {}): Account => ({
  id: AccountId.make(1),
  name: AccountName.make("default"),
  commissionBps: noBps,
  affiliates: true,
  allowedOrigins: "*",
  mcp: true,
  suspended: false,
  createdAt: EpochMillis.make(0),
  ...changes,
})

/** Somebody who calls with a key of every scope, but for what `changes` say. */
export const callerWith = (changes: Partial<Caller> = {}): Caller => ({
  ...accountWith(),
  keyId: KeyId.make("aaaaaaaaaaaaaaaa"),
  scopes: Scope.literals,
  routes: routeTable([]),
  ...changes,
})

/** The API key that asks for a channel, and the ID of its request. */
export const openingAsked = {
  keyId: KeyId.make("aaaaaaaaaaaaaaaa"),
  requestId: "0af7651916cd43dd8448eb211c80319c",
}

/** Whoever changes something in a test. */
export const operator: Actor = { type: "cli" }
