import type { AccountTerms } from "#domain/accounts/Account.ts"
import { noBps } from "#domain/money/Bps.ts"
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
