import { type AssetId, chainOf, factsOf } from "../Asset.ts"
import { type Chain, chainFacts } from "../Chain.ts"

/** The assets and chains of Chainflip, with the numbers and names that stand for them (chainflip/wire.md 1.2). */

/** The number of an asset in payloads, and the network's own name for it, unique over all chains. */
const assets: ReadonlyMap<AssetId, readonly [number: number, internalId: string]> = new Map([
  ["btc.btc", [5, "Btc"]],
  ["eth.eth", [1, "Eth"]],
  ["flip.eth", [2, "Flip"]],
  ["usdc.eth", [3, "Usdc"]],
  ["usdt.eth", [8, "Usdt"]],
  ["wbtc.eth", [14, "Wbtc"]],
  ["cbbtc.eth", [21, "Cbbtc"]],
  ["eth.arb", [6, "ArbEth"]],
  ["usdc.arb", [7, "ArbUsdc"]],
  ["usdt.arb", [15, "ArbUsdt"]],
  ["sol.sol", [9, "Sol"]],
  ["usdc.sol", [10, "SolUsdc"]],
  ["usdt.sol", [16, "SolUsdt"]],
  ["dot.hub", [11, "HubDot"]],
  ["usdc.hub", [13, "HubUsdc"]],
  ["usdt.hub", [12, "HubUsdt"]],
  ["trx.tron", [17, "Trx"]],
  ["usdt.tron", [18, "TrxUsdt"]],
  ["dot.dot", [4, "Dot"]],
  ["bnb.bsc", [19, "Bnb"]],
  ["usdt.bsc", [20, "BscUsdt"]],
])

/** The number of a chain in payloads, and its place in the state chain's addresses (chainflip/wire.md 2.8). */
const chains: ReadonlyMap<Chain, readonly [number: number, variant: number]> = new Map([
  ["Bitcoin", [3, 2]],
  ["Ethereum", [1, 0]],
  ["Arbitrum", [4, 3]],
  ["Solana", [5, 4]],
  ["Assethub", [6, 5]],
  ["Tron", [7, 6]],
  ["Polkadot", [2, 1]],
  ["Bsc", [8, 7]],
])

/** Every asset of the network, in the order of the catalogue. */
export const networkAssets: ReadonlyArray<AssetId> = [...assets.keys()]

/** Every chain of the network, in the order of the catalogue. */
export const networkChains: ReadonlyArray<Chain> = [...chains.keys()]

/** The number of an asset; 0, which is none's, for an asset that the network does not have. */
export const assetNumber = (asset: AssetId): number => assets.get(asset)?.[0] ?? 0

/** The asset with this number, if it is known. */
export const assetOfNumber = (number: number): AssetId | undefined =>
  networkAssets.find((asset) => assetNumber(asset) === number)

/** The network's own name for an asset, such as `ArbUsdc`; the ticker of an asset that it does not have. */
export const internalIdOf = (asset: AssetId): string => assets.get(asset)?.[1] ?? factsOf(asset).ticker

/** The asset with this network-wide name (`ArbUsdc`), if it is known. */
export const findAssetByInternalId = (internalId: string): AssetId | undefined =>
  networkAssets.find((asset) => internalIdOf(asset) === internalId)

const assetsByName: ReadonlyMap<string, AssetId> = new Map(
  networkAssets.map((asset) => [`${chainOf(asset)}/${factsOf(asset).ticker}`, asset]),
)

/** The asset of the network with this chain and ticker, if it is known. */
export const findNetworkAsset = (chain: string, ticker: string): AssetId | undefined =>
  assetsByName.get(`${chain}/${ticker}`)

/** The number of a chain; 0, which is none's, for a chain that the network does not have. */
export const chainNumber = (chain: Chain): number => chains.get(chain)?.[0] ?? 0

/** The length of the chain's addresses in payloads, in bytes; undefined where it varies. */
export const addressLength = (chain: Chain): number | undefined => {
  const family = chainFacts(chain).family._tag
  if (family === "bitcoin") return undefined
  return family === "solana" || family === "substrate" ? 32 : 20
}

/** The number that tells the chain of an address which follows; that of no chain for one that the network does not have. */
export const addressVariant = (chain: Chain): number => chains.get(chain)?.[1] ?? chains.size
