import { Effect, Option } from "effect"
import { AccountUnknown } from "../accounts/failures.ts"
import { AccountName } from "../domain/Account.ts"
import { SwapNotFound, SwapRecordId } from "../domain/SwapRecord.ts"

/** The account name in a path. Text that cannot be an account's name fails as an unknown account. */
export const namedAccount = (path: string): Effect.Effect<AccountName, AccountUnknown> =>
  Option.match(AccountName.makeOption(path), {
    onNone: () => Effect.fail(new AccountUnknown({ name: path })),
    onSome: Effect.succeed,
  })

const digits = /^[1-9][0-9]*$/

/** The swap id in a path. Text that cannot be a swap's id fails as an unknown swap. */
export const swapId = (path: string): Effect.Effect<SwapRecordId, SwapNotFound> =>
  Option.match(digits.test(path) ? SwapRecordId.makeOption(Number(path)) : Option.none(), {
    onNone: () => Effect.fail(new SwapNotFound()),
    onSome: Effect.succeed,
  })
