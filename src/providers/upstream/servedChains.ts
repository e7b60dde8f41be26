import { Address } from "#domain/chains/Address.ts"
import { type Chain, chainFacts } from "#domain/chains/Chain.ts"

/** Wallets that upstreams take for somebody's: they refuse a quote for what can be no wallet's, and look at balances. */
const wallets: ReadonlyMap<Chain, string> = new Map<Chain, string>([
  ["Bitcoin", "34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo"],
  ["Tron", "THa7BwoPfacfiELa63pbmm3g5PGKYmtJyt"],
])

/** Stands for sender and recipient of a quote. A quote can never send money there. */
export const placeholderOn = (chain: Chain): Address =>
  Address.make(wallets.get(chain) ?? chainFacts(chain).nobody)
