import { Address } from "../../domain/Address.ts"
import type { Chain } from "../../domain/Chain.ts"
import { confirmationMillis as confirmationsTake } from "../upstream/coordinates.ts"

/** The chains of ours that the upstream serves (near-intents/wire.md 1). */
export type ServedChain = Exclude<Chain, "Assethub" | "Polkadot">

/** The facts about a chain that the adapter needs. */
interface ServedChainFacts {
  /** The upstream's word for the chain. */
  readonly blockchain: string
  /**
   * Blocks until a deposit counts. The upstream publishes no figures, so these are the usual ones of bridges. They
   * are used for estimates only.
   */
  readonly confirmations: number
  /**
   * The refund address and recipient of dry quotes, which need both before the caller has given any. The upstream
   * refuses what can be no wallet's, so it is one; a dry quote can never send money there.
   */
  readonly placeholder: Address
  /** An id that the upstream had for the chain's own coin; it may answer with one that it does not list any more. */
  readonly coinId: string
}

const evmPlaceholder = Address.make("0x000000000000000000000000000000000000dEaD")

const servedChains: Readonly<Record<ServedChain, ServedChainFacts>> = {
  Bitcoin: {
    blockchain: "btc",
    confirmations: 2,
    placeholder: Address.make("34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo"),
    coinId: "nep141:btc.omft.near",
  },
  Ethereum: {
    blockchain: "eth",
    confirmations: 12,
    placeholder: evmPlaceholder,
    coinId: "nep141:eth.omft.near",
  },
  Arbitrum: {
    blockchain: "arb",
    confirmations: 40,
    placeholder: evmPlaceholder,
    coinId: "nep141:arb.omft.near",
  },
  Bsc: {
    blockchain: "bsc",
    confirmations: 15,
    placeholder: evmPlaceholder,
    coinId: "nep245:v2_1.omni.hot.tg:56_11111111111111111111",
  },
  Solana: {
    blockchain: "sol",
    confirmations: 32,
    placeholder: Address.make("CbKGgVKLJFb8bBrf58DnAkdryX6ubewVytn7X957YwNr"),
    coinId: "nep141:sol.omft.near",
  },
  Tron: {
    blockchain: "tron",
    confirmations: 19,
    placeholder: Address.make("THa7BwoPfacfiELa63pbmm3g5PGKYmtJyt"),
    coinId: "nep141:tron.omft.near",
  },
}

/** All served chains. */
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

/** The chain by the upstream's word for it, if it is one of ours. */
export const findServedChain = (blockchain: string): ServedChain | undefined =>
  servedChainNames.find((chain) => servedChains[chain].blockchain === blockchain)

/** Milliseconds from a deposit's transaction to its last confirmation. */
export const confirmationMillis = (chain: ServedChain): number =>
  confirmationsTake(chain, servedChains[chain].confirmations)
