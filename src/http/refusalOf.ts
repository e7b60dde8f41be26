import { Option } from "effect"
import type { Caller } from "../domain/Account.ts"
import type { Scope } from "../domain/Key.ts"
import { originAllowed } from "../domain/Origin.ts"
import { AccountSuspended, OriginDenied, ScopeMissing } from "./HttpFailure.ts"

/** What a suspended account may still do: whoever has funds under way must be able to follow them. */
const lookingScopes: ReadonlyArray<Scope> = ["status", "history"]

/** What is asked for: the scope that it needs, if any, and the origin of the page that asks, if it is one. */
export interface Asked {
  readonly scope: Option.Option<Scope>
  readonly origin: string | undefined
}

/** Why a caller may not do what is asked for, if so. */
export const refusalOf = (
  caller: Caller,
  { scope, origin }: Asked,
): AccountSuspended | OriginDenied | ScopeMissing | undefined => {
  if (Option.isSome(scope) && !caller.scopes.includes(scope.value)) {
    return new ScopeMissing({ scope: scope.value })
  }
  if (caller.suspended && !Option.exists(scope, (one) => lookingScopes.includes(one))) {
    return new AccountSuspended()
  }
  return originAllowed(caller.allowedOrigins, origin) ? undefined : new OriginDenied()
}
