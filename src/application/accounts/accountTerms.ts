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

/**
 * The commission that a request is priced with: the account's default, or the requested one where that is higher. A
 * lower request is raised, not refused (decision 7).
 */
export const effectiveCommission = (account: Account, requested: number | undefined): Bps =>
  Bps.make(Math.max(account.commissionBps, requested ?? account.commissionBps))
