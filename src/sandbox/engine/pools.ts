import { Result } from "effect"
import { type AssetId, factsOf } from "#domain/chains/Asset.ts"
import { stateChainHeight } from "./blocks.ts"
import { assetState, intermediateAsset } from "./figures.ts"
import type { AssetState, Network, Reserves } from "./State.ts"

/** A trade against one pool: the base asset for USDC ("sell") or the other way round ("buy"). */
export interface Trade {
  readonly base: AssetId
  readonly side: "sell" | "buy"
  readonly input: bigint
  readonly output: bigint
  /** The pool's reserve of the asset that it paid out, before the trade. */
  readonly available: bigint
  readonly after: Reserves
}

export type ReadReserves = (base: AssetId) => Reserves

export const wholeUnit = (asset: AssetId): bigint => 10n ** BigInt(factsOf(asset).decimals)

/** A pool at its reference price: it has as much of the base asset as its USDC side is worth, rounded down. */
export const reservesAt = (
  base: AssetId,
  { price, depth }: Pick<AssetState, "price" | "depth">,
): Reserves => ({ base: depth * wholeUnit(base) / price, quote: depth })

/** The pools as each block finds them: arbitrage has restored their reference prices. */
export const reservesBetweenBlocks = (network: Network): ReadReserves => (base) =>
  reservesAt(base, assetState(network, base))

/** The pools within the latest block, after the swaps executed in it so far. */
export const reservesWithinBlock = (network: Network): ReadReserves => (base) =>
  (network.tradedBlock === stateChainHeight(network) ? network.traded.get(base) : undefined) ??
    reservesBetweenBlocks(network)(base)

/** Keeps the reserves after a trade until the end of the block. */
export const keepTrade = (network: Network, trade: Trade): void => {
  const height = stateChainHeight(network)
  if (network.tradedBlock !== height) {
    network.tradedBlock = height
    network.traded.clear()
  }
  network.traded.set(trade.base, trade.after)
}

/** Constant product, without a fee: out × input / (in + input), rounded down; at most half of the reserve. */
export const trade = (
  read: ReadReserves,
  base: AssetId,
  side: Trade["side"],
  input: bigint,
): Result.Result<Trade, "InsufficientLiquidity"> => {
  const held = read(base)
  const [taken, given] = side === "sell" ? [held.base, held.quote] : [held.quote, held.base]
  if (input > taken) return Result.fail("InsufficientLiquidity")
  const output = taken === 0n ? 0n : given * input / (taken + input)
  const after = side === "sell"
    ? { base: held.base + input, quote: held.quote - output }
    : { base: held.base - output, quote: held.quote + input }
  return Result.succeed({ base, side, input, output, available: given, after })
}

/** The value of an amount at the reference prices, in native units of usdc.eth, rounded down. */
export const valueOf = (network: Network, asset: AssetId, amount: bigint): bigint =>
  amount * assetState(network, asset).price / wholeUnit(asset)

/** The amount of an asset that a value in native usdc.eth buys at the reference price, rounded down. */
export const amountWorth = (network: Network, asset: AssetId, value: bigint): bigint =>
  value * wholeUnit(asset) / assetState(network, asset).price

/** Whether an asset has a pool: all have but usdc.eth, which pools are priced in. */
export const hasPool = (asset: AssetId): boolean => asset !== intermediateAsset
