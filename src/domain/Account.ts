import { Context, Schema } from "effect"
import { Bps } from "./Bps.ts"

/** The number of an account in our records. */
export const AccountId = Schema.Int.pipe(Schema.brand("AccountId"))
export type AccountId = typeof AccountId.Type

/** What a key may be used for. */
export const Scope = Schema.Literals(["quote", "swap", "status", "history", "operate"])
export type Scope = typeof Scope.Type

/** Who calls: an integrator with its own swaps and its own commission. */
export const Account = Schema.Struct({
  id: AccountId,
  name: Schema.NonEmptyString,
  /** Added to every quote and swap; an override can only raise it (decision 7). */
  commissionBps: Bps,
  /** What the key that the request came with may be used for. */
  scopes: Schema.Array(Scope),
})
export type Account = typeof Account.Type

/** The account whose credential came with the request. */
export class CurrentAccount
  extends Context.Service<CurrentAccount, Account>()("swap-broker/domain/Account/CurrentAccount") {}
