import { Address } from "../../domain/Address.ts"
import type { Chain } from "../../domain/Chain.ts"

/** The chains of ours that networks of solvers serve. */
export type ServedChain = Exclude<Chain, "Assethub" | "Polkadot">

/** All served chains. */
export const servedChainNames: ReadonlyArray<ServedChain> = [
  "Bitcoin",
  "Ethereum",
  "Arbitrum",
  "Bsc",
  "Solana",
  "Tron",
]

const onEvm = Address.make("0x000000000000000000000000000000000000dEaD")

/**
 * Stand for sender and recipient of quotes, which upstreams want before the caller has given any. They refuse what can be
 * no wallet's, and look at balances: so each is a wallet with enough in it. A quote can never send money there.
 */
export const placeholders: Readonly<Record<ServedChain, Address>> = {
  Bitcoin: Address.make("34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo"),
  Ethereum: onEvm,
  Arbitrum: onEvm,
  Bsc: onEvm,
  Solana: Address.make("CbKGgVKLJFb8bBrf58DnAkdryX6ubewVytn7X957YwNr"),
  Tron: Address.make("THa7BwoPfacfiELa63pbmm3g5PGKYmtJyt"),
}
