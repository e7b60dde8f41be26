import { Effect, Option } from "effect"
import { AccountUnknown } from "../accounts/failures.ts"
import { AccountName } from "../domain/Account.ts"

/** The name of an account in a path. What no account can be called is the name of none. */
export const namedAccount = (path: string): Effect.Effect<AccountName, AccountUnknown> =>
  Option.match(AccountName.makeOption(path), {
    onNone: () => Effect.fail(new AccountUnknown({ name: path })),
    onSome: Effect.succeed,
  })
