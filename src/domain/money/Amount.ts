import { BigDecimal, Option, Schema } from "effect"
import { type AssetId, factsOf } from "../chains/Asset.ts"
import { formatScaled } from "./Decimal.ts"

/** The largest amount that any upstream can carry, 2^128 − 1 native units (decision 2). */
export const maximumNativeAmount = 2n ** 128n - 1n

/** An amount in the smallest unit of its asset. The asset stands beside the amount, never inside it. */
export const NativeAmount = Schema.BigInt
  .check(Schema.isBetweenBigInt({ minimum: 0n, maximum: maximumNativeAmount }))
  .pipe(Schema.brand("NativeAmount"))
export type NativeAmount = typeof NativeAmount.Type

/** Zero of any asset. */
export const noAmount: NativeAmount = NativeAmount.make(0n)

export const wholeUnit = (asset: AssetId): NativeAmount =>
  NativeAmount.make(10n ** BigInt(factsOf(asset).decimals))

/** The amount in human units: exact, with the asset's decimals. */
export const toHuman = (asset: AssetId, native: NativeAmount): BigDecimal.BigDecimal =>
  BigDecimal.make(native, factsOf(asset).decimals)

/** The amount in human units, as text: exact, without an exponent or trailing zeros (decision 19). */
export const formatUnits = (asset: AssetId, native: bigint): string =>
  formatScaled(native, factsOf(asset).decimals)

/** Why a human amount has no native units. */
export type HumanAmountFault = "too-many-decimals" | "too-large"

/** The native units of a human amount, or why there are none; nothing is rounded (decision 2). */
export const fromHuman = (asset: AssetId, human: BigDecimal.BigDecimal): NativeAmount | HumanAmountFault => {
  const { decimals } = factsOf(asset)
  if (human.scale > decimals) return "too-many-decimals"
  const native = BigDecimal.scale(human, decimals).value
  return Option.getOrElse(NativeAmount.makeOption(native), () => "too-large" as const)
}
