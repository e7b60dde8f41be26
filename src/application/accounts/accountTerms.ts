import type { Account, AccountTerms } from "#domain/accounts/Account.ts"
import { Bps, noBps } from "#domain/money/Bps.ts"
import type { Scope } from "#domain/accounts/Key.ts"

/** The terms of an account where nothing else is given. */
export const accountDefaults: AccountTerms = {
  commissionBps: noBps,
  affiliates: true,
  allowedOrigins: "*",
  mcp: true,
  suspended: false,
}

/** The scopes of a key where none are given: everything an integrator does, nothing of the operator's. */
export const defaultScopes: ReadonlyArray<Scope> = ["quote", "swap", "status", "history"]

/** A request's commission: the account's default, or its own where that is higher (decision 7). */
export const effectiveCommission = (account: Account, requested: number | undefined): Bps =>
  Bps.make(Math.max(account.commissionBps, requested ?? account.commissionBps))
