import { NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, factsOf } from "#domain/chains/Asset.ts"
import type { Price } from "#domain/money/Price.ts"
import { type Assets, ceilDivide, minimumOutput, power } from "../upstream/prices.ts"

/** Amounts of the network count 1e-8 of a whole unit, whatever the asset (thorchain/wire.md 2). */
const wireDecimals = 8

/** What the network counts of a native amount; a remainder below its unit is ignored there. */
export const toWire = (asset: AssetId, native: bigint): bigint => {
  const { decimals } = factsOf(asset)
  return decimals <= wireDecimals
    ? native * power(wireDecimals - decimals)
    : native / power(decimals - wireDecimals)
}

/** The native units that an amount of the network pays: what the asset has no digits for is not paid. */
export const fromWire = (asset: AssetId, wire: bigint): bigint => {
  const { decimals } = factsOf(asset)
  return decimals <= wireDecimals
    ? wire / power(wireDecimals - decimals)
    : wire * power(decimals - wireDecimals)
}

/** As `fromWire`, rounded up: native units that are enough for a least amount of the network. */
export const coverWire = (asset: AssetId, wire: bigint): bigint => {
  const { decimals } = factsOf(asset)
  return decimals <= wireDecimals ? ceilDivide(wire, power(wireDecimals - decimals)) : fromWire(asset, wire)
}

/** The least native amount that is not dust: less is neither swapped nor sent back (thorchain/wire.md 4). */
export const leastOver = (asset: AssetId, dust: bigint): bigint =>
  dust === 0n ? 0n : coverWire(asset, dust + 1n)

/** The native amount, where the network's is one that an asset can have. */
export const nativeOf = (asset: AssetId, wire: bigint): NativeAmount | undefined => {
  const native = NativeAmount.makeOption(fromWire(asset, wire))
  return native._tag === "Some" ? native.value : undefined
}

/** The memo's price limit in the network's units, rounded up twice: nobody gets less than asked for. */
export const limitOf = (pair: Assets, amount: bigint, minimumPrice: Price): bigint => {
  const { decimals } = factsOf(pair.destinationAsset)
  const least = minimumOutput(pair, amount, minimumPrice)
  return decimals <= wireDecimals
    ? least * power(wireDecimals - decimals)
    : ceilDivide(least, power(decimals - wireDecimals))
}
