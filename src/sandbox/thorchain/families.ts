import { Struct } from "effect"
import { VaultNetwork } from "#api/SandboxVaults.ts"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
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
  /** The worth of each side of a pool, in millions of dollars. */
  readonly depths: Depths
  /** Pools that the network has announced. It lists those of a chain once `setTrading` opens the chain. */
  readonly announced: Pools
}

type Depths = Readonly<Partial<Record<AssetId, bigint>>>

/** Pools, by the network's word for their chain. */
type Pools = Readonly<Record<string, Depths>>

const listOf = (pools: Pools): Pick<Family, "chains" | "depths"> => ({
  chains: Object.fromEntries(
    Object.entries(pools).flatMap(([code, depths]) =>
      Struct.keys(depths).map((asset) => [chainOf(asset), code] as const)
    ),
  ),
  depths: Object.values(pools).reduce((all, depths) => ({ ...all, ...depths }), {}),
})

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
    ...listOf({
      BTC: { "btc.btc": 40n },
      ETH: { "eth.eth": 25n, "usdc.eth": 12n, "usdt.eth": 12n, "wbtc.eth": 2n },
      BSC: { "bnb.bsc": 5n, "usdt.bsc": 4n },
      TRON: { "trx.tron": 3n, "usdt.tron": 5n },
      SOL: { "sol.sol": 4n },
      BASE: { "eth.base": 8n, "usdc.base": 6n, "cbbtc.base": 3n },
      AVAX: { "avax.avax": 5n, "usdc.avax": 5n, "usdt.avax": 4n },
      LTC: { "ltc.ltc": 6n },
      DOGE: { "doge.doge": 7n },
      BCH: { "bch.bch": 5n },
      XRP: { "xrp.xrp": 8n },
      ZEC: { "zec.zec": 3n },
    }),
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
    announced: {},
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
    ...listOf({
      BTC: { "btc.btc": 6n },
      ETH: { "eth.eth": 4n, "usdc.eth": 2n, "usdt.eth": 2n },
      ARB: { "eth.arb": 3n, "usdc.arb": 3n },
      ZEC: { "zec.zec": 3n },
      DASH: { "dash.dash": 3n },
    }),
    resting: ["Zcash"],
    shortCodes: { "dash.dash": "d" },
    announced: {
      BSC: { "bnb.bsc": 3n, "usdt.bsc": 2n },
      BCH: { "bch.bch": 3n },
      TRON: { "trx.tron": 3n, "usdt.tron": 2n },
      SOL: { "sol.sol": 3n },
    },
  },
}

/** The network with the pools that it has announced on a chain. */
export const withAnnounced = (family: Family, chain: Chain): Family => {
  const isOn = (depths: Depths) => Struct.keys(depths).some((asset) => chainOf(asset) === chain)
  const { chains, depths } = listOf(
    Object.fromEntries(Object.entries(family.announced).filter(([, depths]) => isOn(depths))),
  )
  return { ...family, chains: { ...family.chains, ...chains }, depths: { ...family.depths, ...depths } }
}

export const routerOf = ({ name }: Family, chain: Chain): Address => vaultAddress(chain, `${name} router`)

export const hasRouter = (chain: Chain): boolean => chainFacts(chain).family._tag === "evm"

/** The contracts of a network, as the setting of a service names them. */
export const routersOf = (family: Family): string =>
  chains().filter(hasRouter).map((chain) => `${chain}:${routerOf(family, chain)}`).join(",")

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
