import type { Effect, Option } from "effect"
import type { Address } from "#domain/chains/Address.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { ProviderError } from "#domain/ProviderError.ts"
import type { EpochMillis } from "#domain/Time.ts"
import type {
  AffiliateAccount,
  Comparison,
  Holding,
  OperatorAccount,
  PaymentStanding,
  TakenWithdrawal,
  WithdrawalOrder,
  WithdrawalTrace,
} from "#domain/operations/Treasury.ts"

/** Withdrawals of what the operator or an affiliate has earned. */
export interface Withdrawals {
  /** Orders a withdrawal, in one call. A failure that may have ordered it says `reached: true`. */
  readonly withdraw: (order: WithdrawalOrder) => Effect.Effect<TakenWithdrawal, ProviderError>
  /** Finds an order by what was `earned` before. Absent: its outcome stays unknown, and it is never repeated. */
  readonly find?: (
    order: WithdrawalOrder,
    earned: Holding,
    requestedAt: EpochMillis,
  ) => Effect.Effect<WithdrawalTrace, ProviderError>
  /** Where the payment stands; nothing while the upstream does not know it (yet). */
  readonly standing: (taken: TakenWithdrawal) => Effect.Effect<Option.Option<PaymentStanding>, ProviderError>
}

/** Accounts that share in the operator's commission. */
export interface Affiliates {
  /** What shares are paid out in: a registered address is one of its chain. */
  readonly asset: AssetId
  /** Registers an account whose share is paid to this address only. A failure that may have done it says `reached`. */
  readonly register: (withdrawalAddress: Address) => Effect.Effect<AffiliateAccount, ProviderError>
}

/** The operator's own account at the upstream. */
export interface Treasury {
  /** The account now, never kept from before. */
  readonly account: Effect.Effect<OperatorAccount, ProviderError>
  readonly comparison: Comparison
  /** Absent where the operator withdraws by the upstream's own means only. */
  readonly withdrawals?: Withdrawals
  /** Absent where the upstream registers no affiliates. */
  readonly affiliates?: Affiliates
}
