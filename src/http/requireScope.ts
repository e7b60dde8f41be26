import { Effect } from "effect"
import { CurrentAccount, type Scope } from "../domain/Account.ts"
import { ScopeMissing } from "./HttpFailure.ts"

/** Fails unless the key of the request has this scope. */
export const requireScope = (scope: Scope): Effect.Effect<void, ScopeMissing, CurrentAccount> =>
  Effect.flatMap(
    CurrentAccount,
    ({ scopes }) => scopes.includes(scope) ? Effect.void : Effect.fail(new ScopeMissing({ scope })),
  )
