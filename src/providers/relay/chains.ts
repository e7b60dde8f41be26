import { Address } from "../../domain/Address.ts"
import type { Chain } from "../../domain/Chain.ts"
import { confirmationMillis as confirmationsTake } from "../upstream/coordinates.ts"

/** The chains of ours that the upstream serves (relay/wire.md 1, ids). */
export type ServedChain = Exclude<Chain, "Assethub" | "Polkadot">

/** What the adapter needs to know of a chain. */
interface ServedChainFacts {
  /** The upstream's number for the chain. */
  readonly chainId: number
  /** What stands for the chain's own coin; absent where only `/chains` tells. */
  readonly coin?: string
  /** The most blocks that a deposit may wait for before it is acted on. The upstream tells of Bitcoin's only. */
  readonly confirmations: number
  /**
   * Stands for sender and recipient in a quote that nobody has said any for, as the upstream wants both. The service's
   * own pages ask with these, whose balance is always enough; a quote without a deposit address sends no money anywhere.
   */
  readonly placeholder: Address
}

const evm = {
  coin: "0x0000000000000000000000000000000000000000",
  confirmations: 1,
  placeholder: Address.make("0x000000000000000000000000000000000000dEaD"),
}

const servedChains: Readonly<Record<ServedChain, ServedChainFacts>> = {
  Bitcoin: {
    chainId: 8_253_038,
    coin: "bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8",
    confirmations: 2,
    placeholder: Address.make("34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo"),
  },
  Ethereum: { chainId: 1, ...evm },
  Arbitrum: { chainId: 42_161, ...evm },
  Bsc: { chainId: 56, ...evm },
  Solana: {
    chainId: 792_703_809,
    coin: "11111111111111111111111111111111",
    confirmations: 1,
    placeholder: Address.make("CbKGgVKLJFb8bBrf58DnAkdryX6ubewVytn7X957YwNr"),
  },
  Tron: {
    chainId: 728_126_428,
    confirmations: 1,
    placeholder: Address.make("THa7BwoPfacfiELa63pbmm3g5PGKYmtJyt"),
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
export const findServedChain = (chainId: number): ServedChain | undefined =>
  servedChainNames.find((chain) => servedChains[chain].chainId === chainId)

/** The longest from a deposit's transaction until it is acted on, in milliseconds. */
export const confirmationMillis = (chain: ServedChain): number =>
  confirmationsTake(chain, servedChains[chain].confirmations)
