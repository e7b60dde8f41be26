import { Schema } from "effect"
import { NativeAmount } from "./Amount.ts"
import { AssetId } from "./Asset.ts"

/** The purpose of a fee; `refund` is the cost of sending a deposit back (chainflip/wire.md 3.7). */
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

/** The order in which fees are listed (decision 22); a refund's fee comes last. */
export const feeOrder: ReadonlyArray<FeeType> = FeeType.literals
