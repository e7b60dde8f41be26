import { confirmationMillis as confirmationsTake } from "../upstream/coordinates.ts"
import { type ServedChain, servedChainNames } from "../upstream/servedChains.ts"

/** The facts about a chain that the adapter needs. */
interface ServedChainFacts {
  /** The upstream's word for the chain. */
  readonly blockchain: string
  /**
   * Blocks until a deposit counts. The upstream publishes no figures, so these are the usual ones of bridges. They
   * are used for estimates only.
   */
  readonly confirmations: number
  /** An id that the upstream had for the chain's own coin; it may answer with one that it does not list any more. */
  readonly coinId: string
}

/** The facts of each served chain (near-intents/wire.md 1). */
export const servedChains: Readonly<Record<ServedChain, ServedChainFacts>> = {
  Bitcoin: { blockchain: "btc", confirmations: 2, coinId: "nep141:btc.omft.near" },
  Ethereum: { blockchain: "eth", confirmations: 12, coinId: "nep141:eth.omft.near" },
  Arbitrum: { blockchain: "arb", confirmations: 40, coinId: "nep141:arb.omft.near" },
  Bsc: {
    blockchain: "bsc",
    confirmations: 15,
    coinId: "nep245:v2_1.omni.hot.tg:56_11111111111111111111",
  },
  Solana: { blockchain: "sol", confirmations: 32, coinId: "nep141:sol.omft.near" },
  Tron: { blockchain: "tron", confirmations: 19, coinId: "nep141:tron.omft.near" },
}

/** The chain by the upstream's word for it, if it is one of ours. */
export const findServedChain = (blockchain: string): ServedChain | undefined =>
  servedChainNames.find((chain) => servedChains[chain].blockchain === blockchain)

/** Milliseconds from a deposit's transaction to its last confirmation. */
export const confirmationMillis = (chain: ServedChain): number =>
  confirmationsTake(chain, servedChains[chain].confirmations)
