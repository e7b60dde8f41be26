import { type Caller, originAllowed } from "../domain/Account.ts"
import type { Scope } from "../domain/Key.ts"
import { AccountSuspended, OriginDenied, ScopeMissing } from "./HttpFailure.ts"

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
