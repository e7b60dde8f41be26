import { Schema } from "effect"
import type { AccountName } from "../accounts/Account.ts"
import type { KeyId } from "../accounts/Key.ts"
import type { Address } from "../chains/Address.ts"
import type { AssetId } from "../chains/Asset.ts"
import type { Commission, UtcDay } from "../money/Commission.ts"
import type { PageQuery } from "../Page.ts"
import type { ProviderName } from "../ProviderName.ts"
import type { SwapAmount } from "../quotes/ExactOutput.ts"
import type { IdempotencyKey } from "../swaps/Idempotency.ts"
import type { SwapResult, SwapState } from "../swaps/Swap.ts"
import type { SortOrder, Stalls, StandingSwap, SwapRecordId } from "../swaps/SwapRecord.ts"
import type { CreatedRange } from "../Period.ts"
import type { EpochMillis } from "../Time.ts"
import type { UsdValue } from "../money/UsdValue.ts"

export interface AccountSwap {
  readonly account: AccountName
  readonly record: StandingSwap
  readonly createdAt: EpochMillis
  /** Since when the swap has been longer in its state than it may; absent unless it is stalled. */
  readonly stalledSince?: EpochMillis
  /** The deposit's worth at the swap's end, else now; before a deposit, the expected one's. If known. */
  readonly value?: UsdValue
  /** What the commission was worth when it was earned; absent while nothing is earned, or without a price. */
  readonly commissionValue?: UsdValue
  /** When its upstream is asked again; absent where that is not done by itself any more. */
  readonly nextLookupAt?: EpochMillis
}

/** The swaps of all accounts to list. Each filter that is given narrows the list. */
export interface AccountSwapsQuery extends PageQuery<SwapRecordId>, CreatedRange {
  readonly sort: SortOrder
  readonly account?: AccountName
  readonly platform?: ProviderName
  /** Absent or empty: every state. */
  readonly states?: ReadonlyArray<SwapState>
  /** The source or the destination asset. */
  readonly asset?: AssetId
  readonly sourceAsset?: AssetId
  readonly destinationAsset?: AssetId
  readonly stalled?: boolean
  /** Those whose channels are open and wait for a deposit. */
  readonly waits?: true
  /** Those of which the latest answer contradicts what is known, so that it is not believed. */
  readonly disputed?: true
  /** Those that wait on a channel that has expired, or only others. */
  readonly expired?: boolean
  /** Absent or empty: with any result, or none so far. */
  readonly results?: ReadonlyArray<SwapResult>
  /** When a swap ended, of those with a result. */
  readonly ended?: Period
  /** Our ID or the upstream's, an address, a transaction, or a channel as `<issued block>-<network>-<id>`, however spelled. */
  readonly find?: string
}

/** An opening of any account with an unknown outcome: there may be a channel that no record has. */
export interface UnknownOpening {
  readonly id: SwapRecordId
  readonly account: AccountName
  readonly platform: ProviderName
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
  readonly destinationAddress: Address
  readonly refundAddress: Address
  /** What the request fixes: the deposit or the payout. Absent where it fixes neither. */
  readonly amount?: SwapAmount
  /** The `Idempotency-Key` that the opening was sent under, as long as it is kept. */
  readonly idempotencyKey?: IdempotencyKey
  /** The API key that asked, with its label, and the ID of the request; absent of openings of earlier versions. */
  readonly keyId?: KeyId
  readonly keyLabel?: string
  readonly requestId?: string
  /** When the provider's channels were last checked for it; absent before the first check, and where none can be made. */
  readonly checkedAt?: EpochMillis
  /** Why its outcome is unknown: the failure of the call, or that the process ended. */
  readonly reason: string
  /** When it was recorded, before the provider was asked. */
  readonly createdAt: EpochMillis
}

/** The openings of unknown outcome to list: the filters of swaps that an opening can fit. */
export type UnknownOpeningsQuery = Omit<
  AccountSwapsQuery,
  "states" | "stalled" | "waits" | "disputed" | "expired" | "results" | "ended" | "find"
>

/** How many of a list there are, as far as they were counted. */
export interface Counted {
  readonly swaps: number
  /** Whether there may be more. */
  readonly isLeast: boolean
}

/** How a swap counts in sums: output paid (perhaps partly), the deposit refunded, or neither. */
export const SwapOutcome = Schema.Literals(["completed", "refunded", "failed"])
export type SwapOutcome = typeof SwapOutcome.Type

/** What sums of commission are told apart by, besides their asset: amounts of two assets do not add up. */
export const CommissionKey = Schema.Literals(["account", "platform", "asset", "day"])
export type CommissionKey = typeof CommissionKey.Type

/** The commission of all accounts to sum; both days are included. */
export interface CommissionSumsQuery {
  readonly from: UtcDay
  readonly to: UtcDay
  readonly by: ReadonlyArray<CommissionKey>
  readonly account?: AccountName
  readonly platform?: ProviderName
  readonly asset?: AssetId
}

/** A sum of commission, with the keys that were asked for. */
export interface CommissionSum extends Commission, ValuedSwaps {
  readonly account?: AccountName
  readonly platform?: ProviderName
  readonly day?: UtcDay
}

export interface OpenChannelsQuery extends PageQuery<SwapRecordId> {
  readonly account?: AccountName
  readonly platform?: ProviderName
}

/** The open deposit channels of an account at a provider: each takes one of the places that the account may have. */
export interface ChannelCount {
  readonly account: AccountName
  readonly platform: ProviderName
  readonly channels: number
  /** Openings whose outcome is unknown: they take no place, and each may have opened a channel. */
  readonly unknown: number
}

/** A time from which, and a time before which. */
export interface Period {
  readonly from: EpochMillis
  readonly before: EpochMillis
}

/** The length of a part of an overview. */
export const OverviewStep = Schema.Literals(["hour", "day"])
export type OverviewStep = typeof OverviewStep.Type

/** What the overview is of: a period, of all accounts or of one, in hours or in days (UTC). */
export interface OverviewQuery extends Period {
  readonly step: OverviewStep
  readonly account?: AccountName
}

export interface EndedSwaps {
  /** The beginning of the hour or day (UTC). */
  readonly at: EpochMillis
  readonly platform: ProviderName
  readonly outcome: SwapOutcome
  readonly swaps: number
}

/** A sum over swaps in one asset, in native units; it can exceed any single amount. */
export interface AssetSum {
  readonly asset: AssetId
  readonly amount: bigint
  readonly swaps: number
}

/** What can be summed: the ends of swaps, each with its deposit, and the commission of those that paid out. */
export const BusinessMeasure = Schema.Literals([...SwapOutcome.literals, "commission"])
export type BusinessMeasure = typeof BusinessMeasure.Type

export interface ValuedSwaps {
  readonly swaps: number
  /** The sum of the values that are known. */
  readonly value: UsdValue
  /** How many of the swaps have no value: no price was known at their time. */
  readonly unvalued: number
}

/** A sum over the swaps of one hour or day at one provider. */
export interface BusinessFigure extends ValuedSwaps {
  /** The beginning of the hour or day (UTC). */
  readonly at: EpochMillis
  readonly platform: ProviderName
  readonly measure: BusinessMeasure
}

export interface AccountFigure extends ValuedSwaps {
  /** The beginning of the hour or day (UTC). */
  readonly at: EpochMillis
  readonly account: AccountName
  readonly measure: BusinessMeasure
}

/** The swaps of a provider that are in a state now. */
export interface StateCount {
  readonly platform: ProviderName
  readonly state: SwapState
  readonly swaps: number
}

/** The business of a period, and what is under way now. Hours that lie partly within the period count as a whole. */
export interface BusinessOverview {
  readonly ended: ReadonlyArray<EndedSwaps>
  /** What was deposited to swaps that completed, by source asset. */
  readonly volume: ReadonlyArray<AssetSum>
  /** What was earned, by the time of the payments. */
  readonly commission: ReadonlyArray<AssetSum>
  /** The swaps under way now: those with a deposit, and open channels that wait for one. */
  readonly underWay: ReadonlyArray<StateCount>
  readonly stalled: ReadonlyArray<Stalls>
}
