import { Data, Schema } from "effect"
import { Address } from "../chains/Address.ts"
import { NativeAmount } from "../money/Amount.ts"
import { AssetId } from "../chains/Asset.ts"
import type { Period } from "./Business.ts"
import type { PageQuery } from "../Page.ts"
import { ProviderName } from "../ProviderName.ts"
import { EpochMillis } from "../Time.ts"
import { type AffiliateAccount, TakenWithdrawal } from "./Treasury.ts"
import { UsdValue } from "../money/UsdValue.ts"
import { optional } from "../optional.ts"

/** The number of a withdrawal; later ones have greater numbers. */
export const WithdrawalId = Schema.Int.check(Schema.isGreaterThan(0)).pipe(Schema.brand("WithdrawalId"))
export type WithdrawalId = typeof WithdrawalId.Type

/**
 * How far a withdrawal has come. `requested`: recorded, and perhaps just being ordered. `unknown`: the answer to the
 * order was lost or cannot be true, and nothing is ordered again. `taken`: the upstream has it. `sent`: the payment is
 * on its way. `paid` and `failed` are its ends.
 */
export const WithdrawalState = Schema.Literals(["requested", "unknown", "taken", "sent", "paid", "failed"])
export type WithdrawalState = typeof WithdrawalState.Type

/** Which withdrawals are meant. Each filter that is given narrows them; the period is that of their orders. */
export interface WithdrawalFilters extends Partial<Period> {
  readonly state?: WithdrawalState
  readonly platform?: ProviderName
  /** Whether they are of affiliates' shares, or of the operator's own earnings. */
  readonly ofAffiliates?: boolean
}

export interface WithdrawalsQuery extends WithdrawalFilters, PageQuery<WithdrawalId> {}

/** The withdrawals in a state together, with their value and that of the fees that are known. */
export interface WithdrawalSum {
  readonly state: WithdrawalState
  readonly withdrawals: number
  readonly value: UsdValue
  readonly feeValue: UsdValue
  /** How many have no value. */
  readonly unvalued: number
}

/** What is withdrawn: the operator's own earnings in an asset, or an affiliate's share. */
export interface WithdrawalSubject {
  readonly platform: ProviderName
  readonly asset: AssetId
  readonly affiliate?: AffiliateAccount["account"]
}

/** A withdrawal of earnings, as it is recorded. Native units. */
export const Withdrawal = Schema.Struct({
  id: WithdrawalId,
  platform: ProviderName,
  asset: AssetId,
  affiliate: optional(Schema.NonEmptyString),
  destination: Address,
  state: WithdrawalState,
  /** What the account had of the asset just before the order. */
  earned: NativeAmount,
  /** What that was worth when it was ordered; absent where no price was known. */
  value: optional(UsdValue),
  /** What the upstream answered to the order, once it is accepted. */
  taken: optional(TakenWithdrawal),
  /** The transaction that pays, on the chain of the asset. */
  paymentTransaction: optional(Schema.NonEmptyString),
  /** Why the withdrawal is where it is, for people. */
  detail: optional(Schema.String),
  /** Whether the upstream's answer cannot be true of the order: only the operator decides then. */
  isContradicted: Schema.Boolean,
  requestedAt: EpochMillis,
  changedAt: EpochMillis,
})
export type Withdrawal = typeof Withdrawal.Type

/** An entry of a withdrawal's journal. */
export const WithdrawalStep = Schema.Struct({
  state: WithdrawalState,
  detail: optional(Schema.String),
  at: EpochMillis,
})
export type WithdrawalStep = typeof WithdrawalStep.Type

export type WithdrawalChange = Data.TaggedEnum<{
  /** The outcome of the order is not known. */
  Lost: { readonly detail: string }
  /** The upstream's answer cannot be true. */
  Contradicted: { readonly detail: string }
  Taken: { readonly taken: TakenWithdrawal }
  Sent: { readonly transaction?: string }
  Paid: { readonly transaction?: string; readonly detail?: string }
  Failed: { readonly detail: string }
}>
export const WithdrawalChange = Data.taggedEnum<WithdrawalChange>()

/** The state after each change. */
export const stateAfter = {
  Lost: "unknown",
  Contradicted: "unknown",
  Taken: "taken",
  Sent: "sent",
  Paid: "paid",
  Failed: "failed",
} as const satisfies Readonly<Record<WithdrawalChange["_tag"], WithdrawalState>>

/** What the operator found out about a withdrawal that is unknown: it was ordered and paid, or never ordered. */
export const WithdrawalVerdict = Schema.Literals(["paid", "failed"])
export type WithdrawalVerdict = typeof WithdrawalVerdict.Type
