import type { Chain } from "../Chain.ts"

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

/** How many bytes an address of the chain has in payloads; undefined where that differs. */
export const addressLength = (chain: Chain): number | undefined => lengths[chain]
