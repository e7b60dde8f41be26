import { Schema } from "effect"
import { NativeAmount } from "./Amount.ts"
import { AssetId } from "../chains/Asset.ts"

/**
 * The purpose of a fee: `broker` is what the operator receives with its affiliates, `provider` what the provider keeps of
 * what is charged with it, `refund` the cost of sending a deposit back (chainflip/wire.md 3.7).
 */
export const FeeType = Schema.Literals([
  "boost",
  "ingress",
  "network",
  "broker",
  "provider",
  "egress",
  "liquidity",
  "refund",
])
export type FeeType = typeof FeeType.Type

/** What fees of the contract's type `network` are for, where it is more exactly one of these types (decision 22). */
export const FeePurpose = FeeType.pick(["provider", "refund"])

/** One fee; `amount` is in native units of `asset`. */
export const Fee = Schema.Struct({
  type: FeeType,
  asset: AssetId,
  amount: NativeAmount,
  /** True where the upstream does not tell the amount, so that it is worked out from basis points. */
  isEstimate: Schema.optionalKey(Schema.Literal(true)),
})
export type Fee = typeof Fee.Type

/** The order in which fees are listed (decision 22); a refund's fee comes last. */
export const feeOrder: ReadonlyArray<FeeType> = FeeType.literals
