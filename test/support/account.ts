import { type Account, AccountId, AccountName, type Caller } from "../../src/domain/Account.ts"
import type { Actor } from "../../src/domain/Audit.ts"
import { noBps } from "../../src/domain/Bps.ts"
import { KeyId, Scope } from "../../src/domain/Key.ts"
import { routeTable } from "../../src/domain/Route.ts"
import { EpochMillis } from "../../src/domain/Time.ts"

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

/** Whoever changes something in a test. */
export const operator: Actor = { type: "cli" }
