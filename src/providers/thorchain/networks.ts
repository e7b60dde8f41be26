import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { type Chain, chainFacts } from "#domain/chains/Chain.ts"
import { ProviderName } from "#domain/ProviderName.ts"

/** The two networks of the family, and what differs between them (thorchain/wire.md 1). */
export interface Family {
  readonly name: ProviderName
  readonly span: string
  readonly endpoint: string
  readonly path: string
  /** The member of `lastblock` that holds the network's own height. */
  readonly height: string
  readonly chains: ReadonlyMap<string, Chain>
  /** Whether its nodes tell the pause of each chain; a node that leaves it out then counts as at rest. */
  readonly tellsPauses: boolean
  readonly assets: ReadonlyArray<AssetId>
  /** What stands for an asset where a memo has little room. */
  readonly shortCodes: Readonly<Partial<Record<AssetId, string>>>
  /** Chains of ours from which transactions begin swaps. */
  readonly sources: ReadonlyArray<Chain>
  /** Chains on which the network's contract takes the chain's own coin, too; elsewhere a plain payment does. */
  readonly coinByContract: ReadonlyArray<Chain>
}

/** The pools of a network, by its word for their chain. No swap begins on a chain that is paid out to only. */
const serving = (
  pools: Readonly<Record<string, ReadonlyArray<AssetId>>>,
  paidOutOnly: ReadonlyArray<Chain>,
): Pick<Family, "chains" | "assets" | "sources"> => {
  const chains = new Map(
    Object.entries(pools).flatMap(([code, assets]) => assets.map((asset) => [code, chainOf(asset)] as const)),
  )
  return {
    chains,
    assets: Object.values(pools).flat(),
    sources: [...chains.values()].filter((chain) => !paidOutOnly.includes(chain)),
  }
}

export const thorchain: Family = {
  name: ProviderName.make("thorchain"),
  span: "Thorchain",
  endpoint: "THORNode",
  path: "/thorchain",
  height: "thorchain",
  ...serving({
    BTC: ["btc.btc"],
    ETH: ["eth.eth", "usdc.eth", "usdt.eth", "wbtc.eth"],
    BSC: ["bnb.bsc", "usdt.bsc"],
    TRON: ["trx.tron", "usdt.tron"],
    SOL: ["sol.sol"],
    BASE: ["eth.base", "usdc.base", "cbbtc.base"],
    AVAX: ["avax.avax", "usdc.avax", "usdt.avax"],
    LTC: ["ltc.ltc"],
    DOGE: ["doge.doge"],
    BCH: ["bch.bch"],
    XRP: ["xrp.xrp"],
    ZEC: ["zec.zec"],
    // A memo on Solana is an instruction of its own, of which nothing is published, and the vault of Zcash has an address
    // that many wallets do not pay (thorchain/wire.md 3).
  }, ["Solana", "Zcash"]),
  tellsPauses: true,
  shortCodes: {
    "btc.btc": "b",
    "eth.eth": "e",
    "bnb.bsc": "s",
    "trx.tron": "tr",
    "eth.base": "f",
    "avax.avax": "a",
    "ltc.ltc": "l",
    "doge.doge": "d",
    "bch.bch": "c",
    "xrp.xrp": "x",
    "zec.zec": "z",
  },
  coinByContract: ["Base", "Avalanche"],
}

export const maya: Family = {
  name: ProviderName.make("maya"),
  span: "Maya",
  endpoint: "MAYANode",
  path: "/mayachain",
  height: "mayachain",
  ...serving({
    BTC: ["btc.btc"],
    ETH: ["eth.eth", "usdc.eth", "usdt.eth"],
    ARB: ["eth.arb", "usdc.arb"],
    ZEC: ["zec.zec"],
    DASH: ["dash.dash"],
    // Announced for version 1.136: swapped once the network lists their vaults and pools (thorchain/wire.md 4).
    BSC: ["bnb.bsc", "usdt.bsc"],
    BCH: ["bch.bch"],
    TRON: ["trx.tron", "usdt.tron"],
    SOL: ["sol.sol"],
    // Zcash has a way of its own to carry memos, which changes with its network (thorchain/wire.md 3).
  }, ["Zcash", "Solana"]),
  tellsPauses: false,
  // A letter can mean another coin than at THORChain: `d` is Dash here (thorchain/wire.md 3).
  shortCodes: {},
  coinByContract: ["Arbitrum"],
}

/** The network's word for a chain; undefined where it does not serve the chain. */
export const chainCode = ({ chains }: Family, chain: Chain): string | undefined =>
  [...chains].find(([, one]) => one === chain)?.[0]

/** Whether only the contract takes an asset: each token of EVM chains, and the coin of some (thorchain/wire.md 3). */
export const isByContract = ({ coinByContract }: Family, asset: AssetId): boolean => {
  const { chain, contractAddress } = factsOf(asset)
  return chainFacts(chain).family._tag === "evm" &&
    (contractAddress !== undefined || coinByContract.includes(chain))
}

/** `ETH.USDC-0XA0B8…`: contracts and mints stand in capitals, also those of base58. */
export const assetName = (family: Family, asset: AssetId): string => {
  const { chain, contractAddress, ticker } = factsOf(asset)
  const coin = `${chainCode(family, chain) ?? chain}.${ticker}`
  return contractAddress === undefined ? coin : `${coin}-${contractAddress.toUpperCase()}`
}

export const findAsset = (family: Family, name: string): AssetId | undefined =>
  family.assets.find((asset) => assetName(family, asset) === name.toUpperCase())

/** Letters of a contract that tell it from others, at the end of a shortened name. */
const suffixLength = 5

/** The ways in which a memo may name an asset, the longest and clearest first (thorchain/wire.md 3). */
export const memoNames = (family: Family, asset: AssetId): ReadonlyArray<string> => {
  const { contractAddress, ticker } = factsOf(asset)
  const full = assetName(family, asset)
  const short = family.shortCodes[asset]
  const codes = short === undefined ? [] : [short]
  if (contractAddress === undefined) return [full, ...codes]
  const coin = `${full.slice(0, full.indexOf("."))}.${ticker}`
  return [full, `${coin}-${full.slice(-suffixLength)}`, coin, ...codes]
}

export const assetInMemo = (family: Family, name: string): AssetId | undefined =>
  family.assets.find((asset) => memoNames(family, asset).includes(name))
