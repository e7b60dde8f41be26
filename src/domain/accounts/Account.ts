import { Schema } from "effect"
import { Bps } from "../money/Bps.ts"
import type { KeyId, Scope } from "./Key.ts"
import type { RouteTable } from "./Route.ts"
import { EpochMillis } from "../Time.ts"
import { type OwnTermChanges, OwnTerms, theDefault } from "./OwnTerms.ts"

const isOrigin = (text: string): boolean =>
  /^https?:\/\/[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text

/** The origin of a page as browsers write it: `https://app.example`, with the port unless it is the default. */
export const Origin = Schema.String.check(Schema.makeFilter(isOrigin)).pipe(Schema.brand("Origin"))
export type Origin = typeof Origin.Type

/** The most origins that an account can be given. */
export const mostOrigins = 100

/** The pages that may call from a browser: any (`*`), or those on a list. */
export const AllowedOrigins = Schema.Union([
  Schema.Literal("*"),
  Schema.Array(Origin).check(Schema.isMaxLength(mostOrigins)),
])
export type AllowedOrigins = typeof AllowedOrigins.Type

/** Whether a request may come from this origin. A request without an origin does not come from a page. */
export const originAllowed = (allowed: AllowedOrigins, origin: string | undefined): boolean =>
  allowed === "*" || origin === undefined || allowed.some((one) => one === origin)

/** What a browser says of where a request comes from and goes to. Nothing but a browser has to say so. */
export interface RequestOrigin {
  readonly origin: string | undefined
  /** `Sec-Fetch-Site`, which no page can write. */
  readonly site: string | undefined
  readonly host: string | undefined
}

/**
 * Whether a request may begin a swap, by where it comes from (decision 46). Browsers leave the origin out of what a page
 * of another site has them load, such as an image. Where pages are listed, one of them has to be named, or the request
 * has to come from a page of its own host, which is listed; where none may call, no browser may.
 */
export const mayBeginFrom = (allowed: AllowedOrigins, { host, origin, site }: RequestOrigin): boolean => {
  if (allowed === "*") return true
  if (origin !== undefined) return originAllowed(allowed, origin)
  if (site === "same-origin") return allowed.some((one) => new URL(one).host === host)
  return allowed.length === 0 && site === undefined
}

/** The number of an account in our records. */
export const AccountId = Schema.Int.pipe(Schema.brand("AccountId"))
export type AccountId = typeof AccountId.Type

/** The name of an account, used in paths and in the audit log: at most 64 of `a-z 0-9 . _ -`. */
export const AccountName = Schema.String
  .check(Schema.isPattern(/^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/))
  .pipe(Schema.brand("AccountName"))
export type AccountName = typeof AccountName.Type

/** The terms that every account has a value of. */
export const GivenTerms = Schema.Struct({
  /** Added to every quote and swap; an override can only raise it (decision 7). */
  commissionBps: Bps,
  /** Whether affiliates may share in the commission (decision 8). */
  affiliates: Schema.Boolean,
  allowedOrigins: AllowedOrigins,
  /** Whether agents may call `/mcp` with its keys. */
  mcp: Schema.Boolean,
  /** Whether the account may only read what it has: no quotes, no new swaps. */
  suspended: Schema.Boolean,
})

/** The terms that the operator grants to an account and can change. */
export const AccountTerms = Schema.Struct({ ...GivenTerms.fields, ...OwnTerms.fields })
export type AccountTerms = typeof AccountTerms.Type

/** Changes of the terms of an account; absent ones stay as they are. */
export interface TermChanges extends Partial<typeof GivenTerms.Type>, OwnTermChanges {}

/** Nothing but the terms: own ones that return to the setting are left out. */
const onlyTerms = Schema.decodeUnknownSync(AccountTerms)

/** The terms of an account, or those before with changes. */
export const termsWith = (before: AccountTerms, changes: TermChanges = {}): AccountTerms =>
  onlyTerms(
    Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== theDefault)),
  )

/** An integrator with its own swaps and its own commission. */
export const Account = Schema.Struct({
  id: AccountId,
  name: AccountName,
  ...AccountTerms.fields,
  createdAt: EpochMillis,
})
export type Account = typeof Account.Type

/** The caller of a request: an account, through one of its keys. */
export interface Caller extends Account {
  readonly keyId: KeyId
  readonly scopes: ReadonlyArray<Scope>
  /** The pairs that the account may swap. */
  readonly routes: RouteTable
}
