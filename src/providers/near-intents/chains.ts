import { Struct } from "effect"
import { confirmationMillis as confirmationsTake } from "../upstream/coordinates.ts"
import { NativeAmount } from "../../domain/Amount.ts"
import { type AssetId, chainOf } from "../../domain/Asset.ts"
import type { BuiltInChain } from "../../domain/Chain.ts"

/** The facts about a chain that the adapter needs. */
interface ServedChainFacts {
  /** The upstream's word for the chain. */
  readonly blockchain: string
  /**
   * Blocks until a deposit counts. The upstream publishes no figures, so these are the usual ones of bridges. They
   * are used for estimates only.
   */
  readonly confirmations: number
  /** The least deposit and the least payout in native units, where the chain's own rules need them. */
  readonly least?: { readonly deposit: NativeAmount; readonly payout: NativeAmount }
}

/** The chains of ours that the service has (near-intents/wire.md 1). */
export type ServedChain = Exclude<BuiltInChain, "Assethub" | "Polkadot">

/** The facts of each served chain (near-intents/wire.md 1). */
export const servedChains: Readonly<Record<ServedChain, ServedChainFacts>> = {
  Bitcoin: { blockchain: "btc", confirmations: 2 },
  Ethereum: { blockchain: "eth", confirmations: 12 },
  Arbitrum: { blockchain: "arb", confirmations: 40 },
  Bsc: { blockchain: "bsc", confirmations: 15 },
  Solana: { blockchain: "sol", confirmations: 32 },
  Tron: { blockchain: "tron", confirmations: 19 },
  Base: { blockchain: "base", confirmations: 12 },
  Polygon: { blockchain: "pol", confirmations: 32 },
  Avalanche: { blockchain: "avax", confirmations: 3 },
  Optimism: { blockchain: "op", confirmations: 12 },
  Litecoin: { blockchain: "ltc", confirmations: 6 },
  Dogecoin: { blockchain: "doge", confirmations: 20 },
  BitcoinCash: { blockchain: "bch", confirmations: 6 },
  Zcash: { blockchain: "zec", confirmations: 10 },
  Dash: { blockchain: "dash", confirmations: 6 },
  // A deposit makes its own account, and a payout may make the recipient's (near-intents/wire.md 1, XRP).
  XrpLedger: {
    blockchain: "xrp",
    confirmations: 1,
    least: { deposit: NativeAmount.make(2_000_000n), payout: NativeAmount.make(1_000_000n) },
  },
}

/** The chain by the upstream's word for it, if it is one of ours. */
export const findServedChain = (blockchain: string): ServedChain | undefined =>
  Struct.keys(servedChains).find((chain) => servedChains[chain].blockchain === blockchain)

/** The chain of an asset, if the service has it. */
export const servedChainOf = (asset: AssetId): ServedChain | undefined =>
  Struct.keys(servedChains).find((chain) => chain === chainOf(asset))

/** Milliseconds from a deposit's transaction to its last confirmation. */
export const confirmationMillis = (chain: ServedChain): number =>
  confirmationsTake(chain, servedChains[chain].confirmations)
