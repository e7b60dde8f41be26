import { Context, Effect, Layer } from "effect"
import type { Account } from "#domain/accounts/Account.ts"
import type { CommissionQuery, EarnedCommission } from "#domain/money/Commission.ts"
import type { StoreEffect } from "#domain/StoreError.ts"
import { CommissionsRepo } from "#infrastructure/store/accounts/CommissionsRepo.ts"

export class Commissions extends Context.Service<Commissions, {
  /** The commission of the account's swaps, by the day of payout and then by asset. */
  readonly earned: (account: Account, query: CommissionQuery) => StoreEffect<ReadonlyArray<EarnedCommission>>
}>()("swap-broker/accounts/Commissions") {
  static readonly layer = Layer.effect(Commissions)(Effect.map(CommissionsRepo, (repo) =>
    Commissions.of({
      earned: Effect.fn("Commissions.earned")(function* (account: Account, query: CommissionQuery) {
        return yield* repo.earned(account.id, query)
      }),
    })))
}
