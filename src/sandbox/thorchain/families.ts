import { Struct } from "effect"
import { VaultNetwork } from "#api/SandboxVaults.ts"
import { type AssetId, factsOf } from "#domain/chains/Asset.ts"
import type { Address } from "#domain/chains/Address.ts"
import { type Chain, chainFacts, chains } from "#domain/chains/Chain.ts"
import { vaultAddress } from "../engine/identifiers.ts"

/** The simulated networks of the family, by the neutral names of their providers. */
export type FamilyName = VaultNetwork
export const familyNames = VaultNetwork.literals

export interface Family {
  readonly name: FamilyName
  /** The first part of every path, and the member of a height in `lastblock`. */
  readonly root: string
  /** The member of the native coin's balance in `pools`. */
  readonly balance: string
  readonly firstHeight: number
  readonly nativeChain: string
  readonly nativeAsset: string
  /** Digits of the native coin; every other asset counts 1e-8. */
  readonly nativeDigits: number
  /** Native usdc.eth for one whole unit of the native coin. */
  readonly nativePrice: bigint
  /** Whether `inbound_addresses` has flags of pauses, and `pools` prices in dollars and short codes. */
  readonly isDetailed: boolean
  readonly chains: Readonly<Partial<Record<Chain, string>>>
  /** Chains that are at rest from the beginning. */
  readonly resting: ReadonlyArray<Chain>
  readonly shortCodes: Readonly<Partial<Record<AssetId, string>>>
  /** The worth of each side of a pool, in native usdc.eth. */
  readonly depths: Readonly<Partial<Record<AssetId, bigint>>>
}

const million = 1_000_000_000_000n

export const families: Readonly<Record<FamilyName, Family>> = {
  thorchain: {
    name: "thorchain",
    root: "thorchain",
    balance: "balance_rune",
    firstHeight: 23_000_000,
    nativeChain: "THOR",
    nativeAsset: "THOR.RUNE",
    nativeDigits: 8,
    nativePrice: 1_250_000n,
    isDetailed: true,
    chains: {
      Bitcoin: "BTC",
      Ethereum: "ETH",
      Bsc: "BSC",
      Tron: "TRON",
      Solana: "SOL",
      Base: "BASE",
      Avalanche: "AVAX",
      Litecoin: "LTC",
      Dogecoin: "DOGE",
      BitcoinCash: "BCH",
      XrpLedger: "XRP",
      Zcash: "ZEC",
    },
    resting: [],
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
    depths: {
      "btc.btc": 40n * million,
      "eth.eth": 25n * million,
      "usdc.eth": 12n * million,
      "usdt.eth": 12n * million,
      "wbtc.eth": 2n * million,
      "sol.sol": 4n * million,
      "trx.tron": 3n * million,
      "usdt.tron": 5n * million,
      "bnb.bsc": 5n * million,
      "usdt.bsc": 4n * million,
      "eth.base": 8n * million,
      "usdc.base": 6n * million,
      "cbbtc.base": 3n * million,
      "avax.avax": 5n * million,
      "usdc.avax": 5n * million,
      "usdt.avax": 4n * million,
      "ltc.ltc": 6n * million,
      "doge.doge": 7n * million,
      "bch.bch": 5n * million,
      "xrp.xrp": 8n * million,
      "zec.zec": 3n * million,
    },
  },
  maya: {
    name: "maya",
    root: "mayachain",
    balance: "balance_cacao",
    firstHeight: 14_000_000,
    nativeChain: "MAYA",
    nativeAsset: "MAYA.CACAO",
    nativeDigits: 10,
    nativePrice: 300_000n,
    isDetailed: false,
    chains: { Bitcoin: "BTC", Ethereum: "ETH", Arbitrum: "ARB", Zcash: "ZEC", Dash: "DASH" },
    resting: ["Zcash"],
    shortCodes: { "dash.dash": "d" },
    depths: {
      "btc.btc": 6n * million,
      "eth.eth": 4n * million,
      "usdc.eth": 2n * million,
      "usdt.eth": 2n * million,
      "eth.arb": 3n * million,
      "usdc.arb": 3n * million,
      "zec.zec": 3n * million,
      "dash.dash": 3n * million,
    },
  },
}

export const routerOf = ({ name }: Family, chain: Chain): Address => vaultAddress(chain, `${name} router`)

export const hasRouter = (chain: Chain): boolean => chainFacts(chain).family._tag === "evm"

/** The contracts of a network, as the setting of a service names them. */
export const routersOf = (family: Family): string =>
  chains().filter((chain) => hasRouter(chain) && family.chains[chain] !== undefined)
    .map((chain) => `${chain}:${routerOf(family, chain)}`).join(",")

export const pooledAssets = ({ depths }: Family): ReadonlyArray<AssetId> => Struct.keys(depths)

/** `ETH.USDC-0XA0B8…`, as pools and coins are named. */
export const nameOf = ({ chains }: Family, asset: AssetId): string => {
  const { chain, contractAddress, ticker } = factsOf(asset)
  const coin = `${chains[chain] ?? chain}.${ticker}`
  return contractAddress === undefined ? coin : `${coin}-${contractAddress.toUpperCase()}`
}

/** The asset that a memo or a query names: in full, by the end of its contract, by its ticker, or by a short code. */
export const findPooled = (family: Family, text: string): AssetId | undefined => {
  const [wanted = "", end = ""] = text.toUpperCase().split("-")
  return pooledAssets(family).find((asset) => {
    const [coin, contract = ""] = nameOf(family, asset).split("-")
    return family.shortCodes[asset] === text.toLowerCase() || (coin === wanted && contract.endsWith(end))
  })
}

export const codesOf = ({ chains }: Family): ReadonlyArray<readonly [Chain, string]> =>
  Struct.keys(chains).map((chain) => [chain, chains[chain] ?? chain])

export const chainOfCode = (family: Family, code: string): Chain | undefined =>
  codesOf(family).find(([, one]) => one === code)?.[0]

/** An address as nodes write it: one of Bitcoin Cash without its prefix. */
export const unprefixed = (address: string): string => address.slice(address.indexOf(":") + 1)
