import { Schema } from "effect"
import { AssetId } from "../chains/Asset.ts"
import { ProviderName } from "../ProviderName.ts"
import { EpochMillis } from "../Time.ts"
import { optional } from "../optional.ts"

/** Ledger and earnings in an asset; native units. Unexplained differences are mismatches (`application/treasury/README.md`). */
export const LedgerStanding = Schema.Struct({
  asset: AssetId,
  /** What the account and its affiliates have, as the upstream says. */
  earned: Schema.BigInt,
  /** What they must have by our records; less than nothing where more was withdrawn than these tell of. */
  ledger: Schema.BigInt,
  comparedAt: EpochMillis,
  /** A surplus that the records have yet to explain, and since when. */
  surplus: optional(Schema.Struct({ earned: Schema.BigInt, since: EpochMillis })),
  /** Since when there is less than the ledger says. */
  shortSince: optional(EpochMillis),
  /** Since when the two do not agree, and nothing explains it. */
  mismatchSince: optional(EpochMillis),
})
export type LedgerStanding = typeof LedgerStanding.Type

/** Amounts by asset, in native units; as sums they can exceed any single amount, and be less than nothing. */
export type Sums = ReadonlyMap<AssetId, bigint>

export interface Compared {
  readonly earned: bigint
  /** The ledger before the upstream was asked: all of it had happened upstream by then. */
  readonly before: bigint
  /** The ledger after the answer. */
  readonly after: bigint
  readonly at: EpochMillis
  /** Whether every swap that could have earned has been looked up since the surplus was first seen. */
  readonly isSettled: boolean
}

/** An entry of the operator's in the ledger: what it had not known of. */
export const LedgerEntry = Schema.Struct({
  platform: ProviderName,
  asset: AssetId,
  /** Native units; negative where there is less than the ledger said. */
  amount: Schema.BigInt,
  reason: Schema.String,
})
export type LedgerEntry = typeof LedgerEntry.Type
