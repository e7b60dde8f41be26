import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { type Chain, stateChainBlockMillis } from "#domain/chains/Chain.ts"
import { amountWorth, valueOf } from "../../engine/pools.ts"
import { recordedVault } from "../answers.ts"
import { nameOf, pooledAssets } from "../families.ts"
import type { Vaults } from "./State.ts"
import { assetState } from "../../engine/assetState.ts"

/** Amounts count 1e-8 of a whole unit (thorchain/wire.md 2). */
const wireDecimals = 8

const power = (exponent: number): bigint => 10n ** BigInt(exponent)

/** What the network counts of native units. */
export const toWire = (asset: AssetId, native: bigint): bigint => {
  const { decimals } = factsOf(asset)
  return decimals <= wireDecimals
    ? native * power(wireDecimals - decimals)
    : native / power(decimals - wireDecimals)
}

/** Native units of what the network counts, rounded down. */
export const fromWire = (asset: AssetId, wire: bigint): bigint => {
  const { decimals } = factsOf(asset)
  return decimals <= wireDecimals
    ? wire / power(wireDecimals - decimals)
    : wire * power(decimals - wireDecimals)
}

/** A pool at the reference price of its asset: arbitrage brings it there before each block. */
export const reservesOf = ({ family, network }: Vaults, asset: AssetId) => {
  const depth = family.depths[asset] ?? 0n
  return {
    asset: toWire(asset, amountWorth(network, asset, depth)),
    native: depth * power(family.nativeDigits) / family.nativePrice,
  }
}

/** The output of one side of a pool: the swap itself pays its slip. */
const swapOne = (input: bigint, from: bigint, to: bigint): bigint =>
  from === 0n ? 0n : input * from * to / ((input + from) * (input + from))

/** A swap through both pools, in so many equal chunks of which each finds the pools as the first did, and its slip. */
export const simulate = (vaults: Vaults, from: AssetId, to: AssetId, amount: bigint, quantity: number) => {
  const source = reservesOf(vaults, from)
  const destination = reservesOf(vaults, to)
  const chunk = amount / BigInt(quantity)
  const one = swapOne(swapOne(chunk, source.asset, source.native), destination.native, destination.asset)
  const output = one * BigInt(quantity)
  const even = source.asset * destination.native === 0n
    ? 0n
    : amount * source.native * destination.asset / (source.asset * destination.native)
  return { output, liquidityFee: even > output ? even - output : 0n }
}

/** What the network charges for sending an asset, which the recipient pays. */
export const outboundFee = ({ network }: Vaults, asset: AssetId): bigint =>
  toWire(asset, assetState(network, asset).egressFee) + 1n

/** The coin of a chain, in which its payments cost what they cost: each chain of a network has a pool of it. */
const coinOfChain = ({ family }: Vaults, chain: Chain): AssetId => {
  const found = pooledAssets(family).find((asset) =>
    factsOf(asset).chain === chain && factsOf(asset).contractAddress === undefined
  )
  if (found === undefined) throw new Error(`${family.name} has no pool of the coin of ${chain}`)
  return found
}

/** The worth of an amount of one asset in another, at the reference prices. */
const converted = ({ network }: Vaults, amount: bigint, from: AssetId, to: AssetId): bigint =>
  toWire(to, amountWorth(network, to, valueOf(network, from, fromWire(from, amount))))

/** Four times what sending costs on either side, so that a refund can be paid (thorchain/wire.md 5). */
export const recommendedMinimum = (vaults: Vaults, from: AssetId, to: AssetId): bigint => {
  const back = outboundFee(vaults, from)
  const out = converted(vaults, outboundFee(vaults, to), to, from)
  return 4n * (back > out ? back : out)
}

/** The largest payment on a chain that the network does not see: it is neither swapped nor sent back. */
export const dustOf = ({ family }: Vaults, asset: AssetId): bigint =>
  recordedVault(family, chainOf(asset)).dust_threshold

/** The worth of a chunk below which more of them would gain nothing, in native usdc.eth. */
const leastChunkValue = 2_000_000_000n

const mostSwapBlocks = 14_400

/** How many chunks the network makes of an amount at most. */
export const mostChunks = (vaults: Vaults, from: AssetId, amount: bigint, interval: number): number => {
  const value = valueOf(vaults.network, from, fromWire(from, amount))
  const byValue = Number(value / leastChunkValue)
  const byTime = Math.floor(mostSwapBlocks / Math.max(1, interval))
  return Math.max(1, Math.min(byValue, byTime))
}

/** The operator's share of an output, in the native coin. */
export const shareInNative = (vaults: Vaults, asset: AssetId, amount: bigint): bigint => {
  const { asset: held, native } = reservesOf(vaults, asset)
  return held === 0n ? 0n : amount * native / held
}

export const blockMillis = stateChainBlockMillis

/** What a payment on a chain costs its sender, about as much as the network pays. */
export const gasCoin = (vaults: Vaults, chain: Chain) => {
  const coin = coinOfChain(vaults, chain)
  return { ...coinOf(vaults, coin), amount: outboundFee(vaults, coin) }
}

/** The name of an asset, and how many digits it has where they are fewer than the network's. */
export const coinOf = ({ family }: Vaults, asset: AssetId) => {
  const { decimals } = factsOf(asset)
  return { asset: nameOf(family, asset), ...(decimals < wireDecimals ? { decimals } : {}) }
}
