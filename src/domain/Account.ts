import { Context, Schema } from "effect"
import { Bps } from "./Bps.ts"
import type { KeyId, Scope } from "./Key.ts"
import type { RouteTable } from "./Route.ts"
import { EpochMillis } from "./Time.ts"

const isOrigin = (text: string): boolean =>
  /^https?:\/\/[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text

/** Where a page comes from, as browsers write it: `https://app.example`, with a port but for the usual one. */
export const Origin = Schema.String.check(Schema.makeFilter(isOrigin)).pipe(Schema.brand("Origin"))
export type Origin = typeof Origin.Type

/** As many origins as an account can be given. */
export const mostOrigins = 100

/** The pages that may call in a browser: any (`*`), or those of a list. */
export const AllowedOrigins = Schema.Union([
  Schema.Literal("*"),
  Schema.Array(Origin).check(Schema.isMaxLength(mostOrigins)),
])
export type AllowedOrigins = typeof AllowedOrigins.Type

/** Whether a request may come from a page of this origin; one without an origin does not come from a page. */
export const originAllowed = (allowed: AllowedOrigins, origin: string | undefined): boolean =>
  allowed === "*" || origin === undefined || allowed.some((one) => one === origin)

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
