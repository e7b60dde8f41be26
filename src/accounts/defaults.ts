import type { AccountTerms } from "../domain/Account.ts"
import { noBps } from "../domain/Bps.ts"
import type { Scope } from "../domain/Key.ts"

/** What an account is granted where nothing else is said. */
export const accountDefaults: AccountTerms = {
  commissionBps: noBps,
  affiliates: true,
  allowedOrigins: "*",
  suspended: false,
}

/** What a key may be used for where nothing else is said: all that an integrator does, nothing of the operator's. */
export const defaultScopes: ReadonlyArray<Scope> = ["quote", "swap", "status", "history"]
