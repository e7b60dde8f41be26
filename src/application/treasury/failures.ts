import { Schema } from "effect"
import { AssetId } from "#domain/chains/Asset.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { StoreUnavailable } from "#domain/StoreError.ts"
import { WithdrawalId } from "#domain/operations/Withdrawal.ts"

/** Why an order of the operator's is refused before anything is recorded or asked. */

/** The order cannot be carried out as things are. */
export class CannotOrder extends Schema.TaggedError<CannotOrder>()("CannotOrder", { detail: Schema.String }) {
  override get message(): string {
    return this.detail
  }
}

/** The account could not be looked at, and nothing is ordered from one that nobody has seen. */
export class BalanceUnavailable extends Schema.TaggedError<BalanceUnavailable>()("BalanceUnavailable", {
  provider: ProviderName,
}) {
  override get message(): string {
    return `The account at ${this.provider} is unavailable. Retry with the same Idempotency-Key`
  }
}

/** An order of the same has no answer yet. */
export class WithdrawalOpen extends Schema.TaggedError<WithdrawalOpen>()("WithdrawalOpen", {
  id: WithdrawalId,
  provider: ProviderName,
  asset: AssetId,
}) {
  override get message(): string {
    return `Withdrawal ${this.id} of ${this.asset} from ${this.provider} is still open. See ` +
      `/operator/treasury/withdrawals/${this.id}`
  }
}

/** There is no withdrawal of this number. */
export class WithdrawalUnknown extends Schema.TaggedError<WithdrawalUnknown>()("WithdrawalUnknown", {}) {
  override get message(): string {
    return "No such withdrawal"
  }
}

/** The key stands for another order. */
export class OrderKeyReused extends Schema.TaggedError<OrderKeyReused>()("OrderKeyReused", {
  id: WithdrawalId,
}) {
  override get message(): string {
    return `This Idempotency-Key belongs to withdrawal ${this.id} of another account or asset`
  }
}

/** There is no affiliate of this name. */
export class AffiliateUnknown extends Schema.TaggedError<AffiliateUnknown>()("AffiliateUnknown", {}) {
  override get message(): string {
    return "No affiliate has this name"
  }
}

/** No provider of the given name is enabled that has a treasury. The name is left out: it may be a misplaced key. */
export class TreasuryUnknown extends Schema.TaggedError<TreasuryUnknown>()("TreasuryUnknown", {}) {
  override get message(): string {
    return "No enabled provider of this name has a treasury"
  }
}

/** Why a withdrawal is not ordered. */
export type OrderFailed =
  | BalanceUnavailable
  | CannotOrder
  | OrderKeyReused
  | StoreUnavailable
  | TreasuryUnknown
  | WithdrawalOpen
