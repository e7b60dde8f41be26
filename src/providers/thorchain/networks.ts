import { type AssetId, factsOf } from "#domain/chains/Asset.ts"
import type { Chain } from "#domain/chains/Chain.ts"
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

export const thorchain: Family = {
  name: ProviderName.make("thorchain"),
  span: "Thorchain",
  endpoint: "THORNode",
  path: "/thorchain",
  height: "thorchain",
  chains: new Map<string, Chain>([
    ["BTC", "Bitcoin"],
    ["ETH", "Ethereum"],
    ["BSC", "Bsc"],
    ["TRON", "Tron"],
    ["SOL", "Solana"],
    ["BASE", "Base"],
    ["AVAX", "Avalanche"],
    ["LTC", "Litecoin"],
    ["DOGE", "Dogecoin"],
    ["BCH", "BitcoinCash"],
    ["XRP", "XrpLedger"],
    ["ZEC", "Zcash"],
  ]),
  tellsPauses: true,
  assets: [
    "btc.btc",
    "eth.eth",
    "usdc.eth",
    "usdt.eth",
    "wbtc.eth",
    "sol.sol",
    "trx.tron",
    "usdt.tron",
    "bnb.bsc",
    "usdt.bsc",
    "eth.base",
    "usdc.base",
    "cbbtc.base",
    "avax.avax",
    "usdc.avax",
    "usdt.avax",
    "ltc.ltc",
    "doge.doge",
    "bch.bch",
    "xrp.xrp",
    "zec.zec",
  ],
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
  // Solana and Zcash are paid out to only (thorchain/wire.md 3): a memo on Solana is an instruction of its own, of which
  // nothing is published, and the vault of Zcash has an address that many wallets do not pay.
  sources: [
    "Bitcoin",
    "Ethereum",
    "Bsc",
    "Tron",
    "Base",
    "Avalanche",
    "Litecoin",
    "Dogecoin",
    "BitcoinCash",
    "XrpLedger",
  ],
  coinByContract: ["Base", "Avalanche"],
}

export const maya: Family = {
  name: ProviderName.make("maya"),
  span: "Maya",
  endpoint: "MAYANode",
  path: "/mayachain",
  height: "mayachain",
  chains: new Map<string, Chain>([
    ["BTC", "Bitcoin"],
    ["ETH", "Ethereum"],
    ["ARB", "Arbitrum"],
    ["ZEC", "Zcash"],
    ["DASH", "Dash"],
    // Announced for version 1.136: paid out to once the network lists their vaults and pools (thorchain/wire.md 4).
    ["BSC", "Bsc"],
    ["BCH", "BitcoinCash"],
    ["TRON", "Tron"],
    ["SOL", "Solana"],
  ]),
  tellsPauses: false,
  assets: [
    ...["btc.btc", "eth.eth", "usdc.eth", "usdt.eth", "eth.arb", "usdc.arb", "zec.zec", "dash.dash"] as const,
    ...["bnb.bsc", "usdt.bsc", "bch.bch", "trx.tron", "usdt.tron", "sol.sol"] as const,
  ],
  // A letter can mean another coin than at THORChain: `d` is Dash here (thorchain/wire.md 3).
  shortCodes: {},
  // Zcash has a way of its own to carry memos, which changes with its network: it is paid out to only. Of the announced
  // chains no payment is recorded yet.
  sources: ["Bitcoin", "Ethereum", "Arbitrum", "Dash"],
  coinByContract: ["Arbitrum"],
}

/** The network's word for a chain; undefined where it does not serve the chain. */
export const chainCode = ({ chains }: Family, chain: Chain): string | undefined =>
  [...chains].find(([, one]) => one === chain)?.[0]

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
