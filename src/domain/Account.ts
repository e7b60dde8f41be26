import { Context, Schema } from "effect"
import { Bps } from "./Bps.ts"
import { type KeyId, type Scope } from "./Key.ts"
import { AllowedOrigins } from "./Origin.ts"
import type { RouteTable } from "./Route.ts"
import { EpochMillis } from "./Time.ts"

/** The number of an account in our records. */
export const AccountId = Schema.Int.pipe(Schema.brand("AccountId"))
export type AccountId = typeof AccountId.Type

/** The name of an account, which paths and the audit log have: at most 64 of `a-z 0-9 . _ -`. */
export const AccountName = Schema.String
  .check(Schema.isPattern(/^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/))
  .pipe(Schema.brand("AccountName"))
export type AccountName = typeof AccountName.Type

/** What the operator grants an account, and can change. */
export const AccountTerms = Schema.Struct({
  /** Added to every quote and swap; an override can only raise it (decision 7). */
  commissionBps: Bps,
  /** Whether affiliates may share in the commission (decision 8). */
  affiliates: Schema.Boolean,
  allowedOrigins: AllowedOrigins,
  /** Whether it may only look at what it has: no quotes, nothing new. */
  suspended: Schema.Boolean,
})
export type AccountTerms = typeof AccountTerms.Type

/** An integrator with its own swaps and its own commission. */
export const Account = Schema.Struct({
  id: AccountId,
  name: AccountName,
  ...AccountTerms.fields,
  createdAt: EpochMillis,
})
export type Account = typeof Account.Type

/** Who calls: an account, by one of its keys. */
export interface Caller extends Account {
  readonly keyId: KeyId
  /** What the key may be used for. */
  readonly scopes: ReadonlyArray<Scope>
  /** Which pairs the account may swap. */
  readonly routes: RouteTable
}

/** The account whose credential came with the request. */
export class CurrentAccount
  extends Context.Service<CurrentAccount, Caller>()("swap-broker/domain/Account/CurrentAccount") {}
