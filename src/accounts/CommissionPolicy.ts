import { Option } from "effect"
import type { Account } from "../domain/Account.ts"
import { Bps } from "../domain/Bps.ts"

/**
 * The commission that a request is priced with: the account's default, or what was asked for where that is
 * more. A lower wish is raised, not refused (decision 7).
 */
export const effectiveCommission = (account: Account, requested: Option.Option<Bps>): Bps =>
  Bps.make(Math.max(account.commissionBps, Option.getOrElse(requested, () => account.commissionBps)))
