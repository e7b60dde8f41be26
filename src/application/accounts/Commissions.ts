import { Effect } from "effect"
import type { Account } from "#domain/accounts/Account.ts"
import type { CommissionQuery } from "#domain/money/Commission.ts"
import { service } from "#infrastructure/platform/service.ts"
import { CommissionsRepo } from "#infrastructure/store/accounts/CommissionsRepo.ts"

export class Commissions extends service<Commissions>()(
  "swap-broker/accounts/Commissions",
  Effect.map(CommissionsRepo, (repo) => ({
    /** The commission of the account's swaps, by the day of payout and then by asset. */
    earned: Effect.fn("Commissions.earned")(function* (account: Account, query: CommissionQuery) {
      return yield* repo.earned(account.id, query)
    }),
  })),
) {}
