import { Data, Schema } from "effect"
import { Address } from "../chains/Address.ts"
import { NativeAmount } from "../money/Amount.ts"
import { AssetId } from "../chains/Asset.ts"
import { Chain } from "../chains/Chain.ts"
import { optional } from "../optional.ts"

/** An amount that an account holds; native units. */
export const Holding = Schema.Struct({ asset: AssetId, amount: NativeAmount })
export type Holding = typeof Holding.Type

/** An account that shares in the operator's commission, and is registered with the upstream by the operator. */
export const AffiliateAccount = Schema.Struct({
  /** The account as the upstream writes it. */
  account: Schema.NonEmptyString,
  /** The upstream's short number for the account, where it has any. */
  shortId: optional(Schema.Int),
  /** The only address that the upstream pays the account's share to. */
  withdrawalAddress: Address,
  /** What the account has earned and not withdrawn; assets of which it has nothing are left out. */
  earned: Schema.Array(Holding),
})
export type AffiliateAccount = typeof AffiliateAccount.Type

/** What opening channels costs the operator's account, and what is left for it. All amounts in native units. */
export const Funding = Schema.Struct({
  /** The asset that openings are paid in. */
  asset: AssetId,
  /** What can be spent. */
  free: NativeAmount,
  bond: NativeAmount,
  /** What the operator can take back out of the upstream. */
  redeemable: NativeAmount,
  /** The price of a deposit channel from each chain that has one, by the chain's name, without the transaction's cost. */
  openingFees: Schema.Record(Schema.String, NativeAmount),
})
export type Funding = typeof Funding.Type

/** The operator's own account at an upstream, as the upstream tells of it now. */
export const OperatorAccount = Schema.Struct({
  /** The account as the upstream writes it. */
  account: Schema.NonEmptyString,
  /** What was earned and can be withdrawn; assets of which there is nothing are left out. */
  earned: Schema.Array(Holding),
  /** Empty where the upstream shares commission by other means, or with nobody. */
  affiliates: Schema.Array(AffiliateAccount),
  /** Absent where openings cost the account nothing. */
  funding: optional(Funding),
  /** Whether the upstream pays withdrawals out for now; absent where it does not tell. */
  withdrawalsEnabled: optional(Schema.Boolean),
  /** Whether the node that was asked has the latest blocks; absent where it does not tell. */
  inSync: optional(Schema.Boolean),
  /** Whether it can prepare transactions from Bitcoin; absent where that takes nothing of the account. */
  preparesBitcoin: optional(Schema.Boolean),
  /** The address that is bound upstream: assets of its chain are paid to no other. */
  boundAddress: optional(Schema.Struct({ chain: Chain, address: Address })),
})
export type OperatorAccount = typeof OperatorAccount.Type

/**
 * What the account's earnings say about the records of swaps. `Exact`: what the account and its affiliates have earned
 * together is the sum of the swaps' broker fees, to the unit. `Untold`: the two cannot be compared, for this reason.
 */
export type Comparison = Data.TaggedEnum<{
  Exact: object
  Untold: { readonly reason: string }
}>
export const Comparison = Data.taggedEnum<Comparison>()

/** A withdrawal to order: always of the whole that was earned in the asset. */
export interface WithdrawalOrder {
  readonly asset: AssetId
  readonly destination: Address
  /** The affiliate whose share is withdrawn, to its registered address; absent: the operator's own earnings. */
  readonly affiliate?: AffiliateAccount["account"]
}

/** A withdrawal that the upstream has taken on. Native units. */
export const TakenWithdrawal = Schema.Struct({
  /** The upstream's name of the payment, by which it is followed. */
  reference: Schema.NonEmptyString,
  /** The transaction that ordered the payment, on the upstream's own chain. */
  transaction: optional(Schema.NonEmptyString),
  /** The amount that arrives. */
  amount: NativeAmount,
  /** The price of the payment, taken off what was earned. */
  fee: NativeAmount,
  destination: Address,
})
export type TakenWithdrawal = typeof TakenWithdrawal.Type

/** An upstream's knowledge of a withdrawal whose answer was lost. */
export type WithdrawalTrace = Data.TaggedEnum<{
  Taken: { readonly taken: TakenWithdrawal }
  /** Nothing was ordered, provably, and the lost order can have no effect any more. */
  NothingOrdered: object
  /** The upstream cannot tell (yet). */
  NotKnown: object
}>
export const WithdrawalTrace = Data.taggedEnum<WithdrawalTrace>()

export type PaymentStanding = Data.TaggedEnum<{
  /** The upstream has yet to send it. */
  Scheduled: object
  /** It was sent, and is not known to have arrived; of some upstreams it never will be. */
  Sent: { readonly transaction?: string }
  Paid: { readonly transaction?: string }
  /** It will not arrive by itself. */
  Failed: { readonly detail: string }
}>
export const PaymentStanding = Data.taggedEnum<PaymentStanding>()
