import { Schema } from "effect"
import { type Caller, originAllowed } from "../domain/Account.ts"
import { Scope } from "../domain/Key.ts"

/** No API key, or one that is unknown, revoked or expired: one answer for all of them (decision 1). */
export class Unauthenticated extends Schema.TaggedError<Unauthenticated>()("Unauthenticated", {}) {}

/** The key is known, but not for this: it lacks a scope. */
export class ScopeMissing extends Schema.TaggedError<ScopeMissing>()("ScopeMissing", { scope: Scope }) {}

/** The account is suspended, and this would do more than look at what it has. */
export class AccountSuspended extends Schema.TaggedError<AccountSuspended>()("AccountSuspended", {}) {}

/** The account allows no calls from pages of this origin. */
export class OriginDenied extends Schema.TaggedError<OriginDenied>()("OriginDenied", {}) {}

/** What a suspended account may still do: whoever has funds under way must be able to follow them. */
const lookingScopes: ReadonlyArray<Scope> = ["status", "history"]

/** What is asked for: the scopes that it needs, if any, and the origin of the page that asks, if it is one. */
export interface Asked {
  readonly scopes: ReadonlyArray<Scope>
  readonly origin: string | undefined
}

/** Why a caller may not do what is asked for, if so. */
export const refusalOf = (
  caller: Caller,
  { scopes, origin }: Asked,
): AccountSuspended | OriginDenied | ScopeMissing | undefined => {
  const missing = scopes.find((scope) => !caller.scopes.includes(scope))
  if (missing !== undefined) return new ScopeMissing({ scope: missing })
  const looks = scopes.length > 0 && scopes.every((scope) => lookingScopes.includes(scope))
  if (caller.suspended && !looks) return new AccountSuspended()
  return originAllowed(caller.allowedOrigins, origin) ? undefined : new OriginDenied()
}
