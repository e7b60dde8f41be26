import { Address } from "../../domain/Address.ts"
import type { Chain } from "../../domain/Chain.ts"
import { confirmationMillis as confirmationsTake } from "../upstream/coordinates.ts"

/** The chains of ours that the upstream serves (near-intents/wire.md 1). */
export type ServedChain = Exclude<Chain, "Assethub" | "Polkadot">

/** What the adapter needs to know of a chain. */
interface ServedChainFacts {
  /** The upstream's word for the chain. */
  readonly blockchain: string
  /**
   * Blocks until a deposit counts. The upstream publishes no figures; these are what bridges commonly wait
   * for, and only estimates are made of them.
   */
  readonly confirmations: number
  /**
   * Stands for refund address and recipient in a dry quote, which needs both before the caller has said any.
   * Well formed on mainnet and known for having no owner; no money can ever be sent there by a dry quote.
   */
  readonly placeholder: Address
}

const evmPlaceholder = Address.make("0x000000000000000000000000000000000000dEaD")

const servedChains: Readonly<Record<ServedChain, ServedChainFacts>> = {
  Bitcoin: {
    blockchain: "btc",
    confirmations: 2,
    placeholder: Address.make("1BitcoinEaterAddressDontSendf59kuE"),
  },
  Ethereum: {
    blockchain: "eth",
    confirmations: 12,
    placeholder: evmPlaceholder,
  },
  Arbitrum: { blockchain: "arb", confirmations: 40, placeholder: evmPlaceholder },
  Bsc: { blockchain: "bsc", confirmations: 15, placeholder: evmPlaceholder },
  Solana: {
    blockchain: "sol",
    confirmations: 32,
    placeholder: Address.make("1nc1nerator11111111111111111111111111111111"),
  },
  Tron: {
    blockchain: "tron",
    confirmations: 19,
    placeholder: Address.make("T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb"),
  },
}

/** Every served chain. */
export const servedChainNames: ReadonlyArray<ServedChain> = [
  "Bitcoin",
  "Ethereum",
  "Arbitrum",
  "Bsc",
  "Solana",
  "Tron",
]

/** The facts of a served chain. */
export const servedFactsOf = (chain: ServedChain): ServedChainFacts => servedChains[chain]

/** The chain that the upstream means, if it is one of ours. */
export const findServedChain = (blockchain: string): ServedChain | undefined =>
  servedChainNames.find((chain) => servedChains[chain].blockchain === blockchain)

/** Milliseconds from a deposit's transaction to its last confirmation. */
export const confirmationMillis = (chain: ServedChain): number =>
  confirmationsTake(chain, servedChains[chain].confirmations)
