import { Schema } from "effect"
import type { Chain } from "./Chain.ts"

/** The fixed facts of an asset (chainflip/wire.md 1.2). */
export interface AssetFacts {
  readonly chain: Chain
  /** The ticker, which several chains may share. Ticker and chain together name the asset on the upstream's wire. */
  readonly ticker: string
  /** The network's own name for the asset, unique over all chains, such as `ArbUsdc`. */
  readonly internalId: string
  readonly name: string
  /** The number of decimals between the native unit and the human amount. */
  readonly decimals: number
  /** Token contract, mint or asset number on mainnet; absent for a chain's own coin. */
  readonly contractAddress?: string
}

/**
 * Every known asset: the rows of chainflip/wire.md 1.2, and assets that only a newer or an older runtime has. The
 * upstream decides which of them are served, not this table (decision 10).
 */
export const assetFacts = {
  "btc.btc": { chain: "Bitcoin", ticker: "BTC", internalId: "Btc", name: "Bitcoin", decimals: 8 },
  "eth.eth": { chain: "Ethereum", ticker: "ETH", internalId: "Eth", name: "Ether", decimals: 18 },
  "flip.eth": {
    chain: "Ethereum",
    ticker: "FLIP",
    internalId: "Flip",
    name: "Chainflip",
    decimals: 18,
    contractAddress: "0x826180541412D574cf1336d22c0C0a287822678A",
  },
  "usdc.eth": {
    chain: "Ethereum",
    ticker: "USDC",
    internalId: "Usdc",
    name: "USD Coin",
    decimals: 6,
    contractAddress: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
  },
  "usdt.eth": {
    chain: "Ethereum",
    ticker: "USDT",
    internalId: "Usdt",
    name: "Tether USD",
    decimals: 6,
    contractAddress: "0xdAC17F958D2ee523a2206206994597C13D831ec7",
  },
  "wbtc.eth": {
    chain: "Ethereum",
    ticker: "WBTC",
    internalId: "Wbtc",
    name: "Wrapped Bitcoin",
    decimals: 8,
    contractAddress: "0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599",
  },
  "cbbtc.eth": {
    chain: "Ethereum",
    ticker: "CBBTC",
    internalId: "Cbbtc",
    name: "Coinbase Wrapped BTC",
    decimals: 8,
    contractAddress: "0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf",
  },
  "eth.arb": { chain: "Arbitrum", ticker: "ETH", internalId: "ArbEth", name: "Ether", decimals: 18 },
  "usdc.arb": {
    chain: "Arbitrum",
    ticker: "USDC",
    internalId: "ArbUsdc",
    name: "USD Coin",
    decimals: 6,
    contractAddress: "0xaf88d065e77c8cC2239327C5EDb3A432268e5831",
  },
  "usdt.arb": {
    chain: "Arbitrum",
    ticker: "USDT",
    internalId: "ArbUsdt",
    name: "Tether USD",
    decimals: 6,
    contractAddress: "0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9",
  },
  "sol.sol": { chain: "Solana", ticker: "SOL", internalId: "Sol", name: "Solana", decimals: 9 },
  "usdc.sol": {
    chain: "Solana",
    ticker: "USDC",
    internalId: "SolUsdc",
    name: "USD Coin",
    decimals: 6,
    contractAddress: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
  },
  "usdt.sol": {
    chain: "Solana",
    ticker: "USDT",
    internalId: "SolUsdt",
    name: "Tether USD",
    decimals: 6,
    contractAddress: "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB",
  },
  "dot.hub": { chain: "Assethub", ticker: "DOT", internalId: "HubDot", name: "Polkadot", decimals: 10 },
  "usdc.hub": {
    chain: "Assethub",
    ticker: "USDC",
    internalId: "HubUsdc",
    name: "USD Coin",
    decimals: 6,
    contractAddress: "1337",
  },
  "usdt.hub": {
    chain: "Assethub",
    ticker: "USDT",
    internalId: "HubUsdt",
    name: "Tether USD",
    decimals: 6,
    contractAddress: "1984",
  },
  "trx.tron": { chain: "Tron", ticker: "TRX", internalId: "Trx", name: "Tronix", decimals: 6 },
  "usdt.tron": {
    chain: "Tron",
    ticker: "USDT",
    internalId: "TrxUsdt",
    name: "Tether USD",
    decimals: 6,
    contractAddress: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
  },
  "dot.dot": { chain: "Polkadot", ticker: "DOT", internalId: "Dot", name: "Polkadot", decimals: 10 },
  "bnb.bsc": { chain: "Bsc", ticker: "BNB", internalId: "Bnb", name: "BNB", decimals: 18 },
  "usdt.bsc": {
    chain: "Bsc",
    ticker: "USDT",
    internalId: "BscUsdt",
    name: "Tether USD",
    decimals: 18,
    contractAddress: "0x55d398326f99059fF775485246999027B3197955",
  },
} as const satisfies Readonly<Record<string, AssetFacts>>

/** An asset identifier of the form `<asset>.<chain>` (decision 32). */
export const AssetId = Schema.Literals([
  "btc.btc",
  "eth.eth",
  "flip.eth",
  "usdc.eth",
  "usdt.eth",
  "wbtc.eth",
  "cbbtc.eth",
  "eth.arb",
  "usdc.arb",
  "usdt.arb",
  "sol.sol",
  "usdc.sol",
  "usdt.sol",
  "dot.hub",
  "usdc.hub",
  "usdt.hub",
  "trx.tron",
  "usdt.tron",
  "dot.dot",
  "bnb.bsc",
  "usdt.bsc",
])
export type AssetId = typeof AssetId.Type

/** Every known asset identifier, in the order of the table. */
export const assetIds: ReadonlyArray<AssetId> = AssetId.literals

export const factsOf = (asset: AssetId): AssetFacts => assetFacts[asset]

export const chainOf = (asset: AssetId): Chain => assetFacts[asset].chain

const assetsByName = new Map(
  assetIds.map((asset) => [`${assetFacts[asset].chain}/${assetFacts[asset].ticker}`, asset]),
)

/** The asset with this chain and ticker, if it is known. */
export const findAsset = (chain: string, ticker: string): AssetId | undefined =>
  assetsByName.get(`${chain}/${ticker}`)

/**
 * The asset that a ticker alone stands for: the asset on Ethereum, or on the only chain that has the ticker
 * (chainflip/wire.md 1.1).
 */
export const findAssetByTicker = (ticker: string): AssetId | undefined => {
  const found = assetIds.filter((asset) => assetFacts[asset].ticker === ticker)
  return found.find((asset) => assetFacts[asset].chain === "Ethereum") ??
    (found.length === 1 ? found[0] : undefined)
}

/** The asset with this network-wide name (`ArbUsdc`), if it is known. */
export const findAssetByInternalId = (internalId: string): AssetId | undefined =>
  assetIds.find((asset) => assetFacts[asset].internalId === internalId)
