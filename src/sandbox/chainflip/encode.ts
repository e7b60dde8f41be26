import type { NativeAmount } from "../../domain/Amount.ts"
import { type AssetId, assetIds, factsOf } from "../../domain/Asset.ts"
import { Chain } from "../../domain/Chain.ts"

/** How the network writes things (chainflip/wire.md 1.1). */

/** A U256: always 0x-hex, minimal digits, lower case. */
export const hex = (value: bigint): string => `0x${value.toString(16)}`

/** A NumberOrHex: a JSON number while it is a safe integer, otherwise 0x-hex. */
export const numberOrHex = (value: bigint): number | string =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : hex(value)

/** An asset as the node and the backend name it. */
export interface WireAsset {
  readonly chain: Chain
  readonly asset: string
}

/** `{"chain":"Ethereum","asset":"USDC"}`. */
export const wireAsset = (asset: AssetId): WireAsset => {
  const { chain, ticker } = factsOf(asset)
  return { chain, asset: ticker }
}

/** An amount with its asset, in 0x-hex. */
export const hexAmount = (asset: AssetId, amount: NativeAmount) => ({
  ...wireAsset(asset),
  amount: hex(amount),
})

/** An amount with its asset, in decimal digits, as the backend writes it. */
export const decimalAmount = (asset: AssetId, amount: NativeAmount) => ({
  ...wireAsset(asset),
  amount: `${amount}`,
})

/** Chain → ticker → value, for those of all known assets that `include` lets through. */
export const assetMap = <Value>(
  valueOf: (asset: AssetId) => Value,
  include: (asset: AssetId) => boolean = () => true,
): Record<string, Record<string, Value>> => {
  const map: Record<string, Record<string, Value>> = {}
  for (const asset of assetIds.filter(include)) {
    const { chain, ticker } = factsOf(asset)
    map[chain] = { ...map[chain], [ticker]: valueOf(asset) }
  }
  return map
}

/** Chain → value, for every chain. */
export const chainMap = <Value>(valueOf: (chain: Chain) => Value): Record<string, Value> =>
  Object.fromEntries(Chain.literals.map((chain) => [chain, valueOf(chain)]))

/**
 * An amount in decimal digits. What is not there stays undefined: JSON leaves such members out, as the
 * backend does.
 */
export const digits = (amount: bigint | undefined): string | undefined => amount?.toString()
