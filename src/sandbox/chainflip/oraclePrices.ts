import { type AssetId, factsOf } from "../../domain/Asset.ts"
import { intermediateAsset } from "../engine/constants.ts"
import * as Network from "../engine/Network.ts"
import { hex } from "./encode.ts"

/** The assets that the oracle prices in US dollars; tokens on other chains follow them. */
const pricedAssets: ReadonlyArray<AssetId> = ["btc.btc", "eth.eth", "sol.sol", "usdc.eth", "usdt.eth"]

const q128 = 2n ** 128n

/**
 * `cf_oracle_prices` (chainflip/wire.md 1.6): Q128 fixed point of millionths of a dollar for each smallest unit,
 * at the latest state-chain block.
 */
export const oraclePrices = (network: Network.Network) => {
  const { stateChainHeight, stateChainTime } = Network.time(network)
  const pools = Network.pools(network)
  return pricedAssets.flatMap((asset) => {
    const { decimals, internalId } = factsOf(asset)
    const price = asset === intermediateAsset
      ? 10n ** BigInt(decimals)
      : pools.find(({ baseAsset }) => baseAsset === asset)?.price
    return price === undefined ? [] : [{
      price: hex(price * q128 / 10n ** BigInt(decimals)),
      updated_at_oracle_timestamp: Math.floor(stateChainTime / 1_000),
      updated_at_statechain_block: stateChainHeight,
      base_asset: internalId,
      quote_asset: "Usd",
    }]
  })
}
