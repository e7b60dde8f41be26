import { type AssetId, assetIds, chainOf, factsOf } from "#domain/chains/Asset.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import { costOfAdded } from "../../engine/figures.ts"

export interface RelayChain {
  readonly chain: Chain
  readonly id: number
  readonly vmType: "bvm" | "evm" | "svm" | "tvm"
  /** What stands for the chain's own coin. */
  readonly coin: string
  readonly protocolId: string
}

const evm = { vmType: "evm", coin: "0x0000000000000000000000000000000000000000" } as const

/** The chains that are served: there is no Polkadot and no Assethub. */
export const relayChains: ReadonlyArray<RelayChain> = ([
  { chain: "Ethereum", id: 1, ...evm },
  { chain: "Arbitrum", id: 42_161, ...evm },
  { chain: "Bsc", id: 56, ...evm },
  { chain: "Base", id: 8_453, ...evm },
  { chain: "Polygon", id: 137, ...evm },
  { chain: "Avalanche", id: 43_114, ...evm },
  { chain: "Optimism", id: 10, ...evm },
  { chain: "Bitcoin", id: 8_253_038, vmType: "bvm", coin: "bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8" },
  { chain: "Solana", id: 792_703_809, vmType: "svm", coin: "11111111111111111111111111111111" },
  { chain: "Tron", id: 728_126_428, vmType: "tvm", coin: "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb" },
] as const).map((facts) => ({ ...facts, protocolId: facts.chain.toLowerCase() }))

export interface Currency {
  readonly asset: AssetId
  readonly chain: RelayChain
  readonly address: string
  /** Deposit addresses take it. */
  readonly isSolverCurrency: boolean
  /** Smallest units: what a transaction that pays it costs, a fill as well as a refund. */
  readonly gas: bigint
}

const gwei = 1_000_000_000n

/** The gas of each asset, of the order of the real one; assets of this build without any are not traded. */
const gasOf: Partial<Readonly<Record<AssetId, bigint>>> = {
  "btc.btc": 1_400n,
  "eth.eth": 30_000n * gwei,
  "usdc.eth": 260_000n,
  "usdt.eth": 260_000n,
  "wbtc.eth": 410n,
  "cbbtc.eth": 410n,
  "eth.arb": 2_000n * gwei,
  "usdc.arb": 9_000n,
  "usdt.arb": 9_000n,
  "sol.sol": 50_000n,
  "usdc.sol": 15_000n,
  "usdt.sol": 15_000n,
  "trx.tron": 1_100_000n,
  "usdt.tron": 1_700_000n,
  "bnb.bsc": 9_000n * gwei,
  "usdt.bsc": 12_000_000n * gwei,
  "eth.base": 1_500n * gwei,
  "usdc.base": 7_000n,
  "cbbtc.base": 15n,
  "pol.pol": 50_000_000n * gwei,
  "usdc.pol": 9_000n,
  "usdt.pol": 9_000n,
  "avax.avax": 400_000n * gwei,
  "usdc.avax": 9_000n,
  "usdt.avax": 9_000n,
  "eth.op": 1_500n * gwei,
  "usdc.op": 7_000n,
  "usdt.op": 7_000n,
}

/** Tokens that are bought on a chain, and that no deposit address takes. */
const boughtOnly: ReadonlySet<AssetId> = new Set<AssetId>(["wbtc.eth", "cbbtc.eth", "cbbtc.base"])

const toCurrency = (asset: AssetId): ReadonlyArray<Currency> => {
  const chain = relayChains.find(({ chain }) => chain === chainOf(asset))
  const gas = gasOf[asset] ?? costOfAdded(asset)
  if (chain === undefined || gas === undefined) return []
  // EVM addresses go over the wire in lower case.
  const address = factsOf(asset).contractAddress ?? chain.coin
  return [{
    asset,
    chain,
    address: chain.vmType === "evm" ? address.toLowerCase() : address,
    isSolverCurrency: !boughtOnly.has(asset),
    gas,
  }]
}

export const currencies: ReadonlyArray<Currency> = assetIds().flatMap(toCurrency)

export const findChain = (chainId: number): RelayChain | undefined =>
  relayChains.find(({ id }) => id === chainId)

/** The currency with this address; case says nothing on EVM chains. */
export const findCurrency = ({ chain, vmType }: RelayChain, address: string): Currency | undefined =>
  currencies.find((currency) =>
    currency.chain.chain === chain &&
    currency.address === (vmType === "evm" ? address.toLowerCase() : address)
  )
