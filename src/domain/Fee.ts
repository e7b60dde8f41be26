import { Schema } from "effect"
import { NativeAmount } from "./Amount.ts"
import { AssetId } from "./Asset.ts"

/**
 * What a fee is for; `refund` is what sending a deposit back costs (chainflip/wire.md 3.7).
 */
export const FeeType = Schema.Literals([
  "boost",
  "ingress",
  "network",
  "broker",
  "egress",
  "liquidity",
  "refund",
])
export type FeeType = typeof FeeType.Type

/** One fee; `amount` is in native units of `asset`. */
export const Fee = Schema.Struct({ type: FeeType, asset: AssetId, amount: NativeAmount })
export type Fee = typeof Fee.Type

/** The order in which fees are listed (decision 22); a refund's comes after all of them. */
export const feeOrder: ReadonlyArray<FeeType> = FeeType.literals
