import { Effect, Option } from "effect"
import { AccountUnknown } from "../accounts/failures.ts"
import { AccountName } from "../domain/Account.ts"
import { SwapNotFound, SwapRecordId } from "../domain/SwapRecord.ts"

/** The name of an account in a path. What no account can be called is the name of none. */
export const namedAccount = (path: string): Effect.Effect<AccountName, AccountUnknown> =>
  Option.match(AccountName.makeOption(path), {
    onNone: () => Effect.fail(new AccountUnknown({ name: path })),
    onSome: Effect.succeed,
  })

const digits = /^[1-9][0-9]*$/

/** The swap that a path names; what no swap can be called is the name of none. */
export const swapId = (path: string): Effect.Effect<SwapRecordId, SwapNotFound> =>
  Option.match(digits.test(path) ? SwapRecordId.makeOption(Number(path)) : Option.none(), {
    onNone: () => Effect.fail(new SwapNotFound()),
    onSome: Effect.succeed,
  })
