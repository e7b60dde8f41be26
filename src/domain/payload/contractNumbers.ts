import { type AssetId, assetIds } from "../Asset.ts"
import type { Chain } from "../Chain.ts"

/** The numbers that stand for assets and chains in payloads (chainflip/wire.md 1.2). */

const assets: Readonly<Record<AssetId, number>> = {
  "eth.eth": 1,
  "flip.eth": 2,
  "usdc.eth": 3,
  "dot.dot": 4,
  "btc.btc": 5,
  "eth.arb": 6,
  "usdc.arb": 7,
  "usdt.eth": 8,
  "sol.sol": 9,
  "usdc.sol": 10,
  "dot.hub": 11,
  "usdt.hub": 12,
  "usdc.hub": 13,
  "wbtc.eth": 14,
  "usdt.arb": 15,
  "usdt.sol": 16,
  "trx.tron": 17,
  "usdt.tron": 18,
  "bnb.bsc": 19,
  "usdt.bsc": 20,
  "cbbtc.eth": 21,
}

const chains: Readonly<Record<Chain, number>> = {
  Ethereum: 1,
  Polkadot: 2,
  Bitcoin: 3,
  Arbitrum: 4,
  Solana: 5,
  Assethub: 6,
  Tron: 7,
  Bsc: 8,
}

export const assetNumber = (asset: AssetId): number => assets[asset]

/** The asset with this number, if it is known. */
export const assetOfNumber = (number: number): AssetId | undefined =>
  assetIds.find((asset) => assets[asset] === number)

export const chainNumber = (chain: Chain): number => chains[chain]

const lengths: Readonly<Record<Chain, number | undefined>> = {
  Bitcoin: undefined,
  Ethereum: 20,
  Arbitrum: 20,
  Bsc: 20,
  Tron: 20,
  Solana: 32,
  Polkadot: 32,
  Assethub: 32,
}

/** The length of the chain's addresses in payloads, in bytes; undefined where it varies. */
export const addressLength = (chain: Chain): number | undefined => lengths[chain]

/** The order of chains in the state chain's addresses, which is not that of their numbers (chainflip/wire.md 2.8). */
const variants: Readonly<Record<Chain, number>> = {
  Ethereum: 0,
  Polkadot: 1,
  Bitcoin: 2,
  Arbitrum: 3,
  Solana: 4,
  Assethub: 5,
  Tron: 6,
  Bsc: 7,
}

/** The number that tells the chain of an address which follows. */
export const addressVariant = (chain: Chain): number => variants[chain]
