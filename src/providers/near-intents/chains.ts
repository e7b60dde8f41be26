import { Struct } from "effect"
import { confirmationMillis as confirmationsTake } from "../upstream/openedOrder.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { type BuiltInChain, chainFacts } from "#domain/chains/Chain.ts"

interface ServedChainFacts {
  readonly blockchain: string
  /** The name in the ids of the Omni bridge (`.omdep.near`), where it is another. */
  readonly omniName?: string
  /** The least deposit and the least payout in native units, where the chain's own rules need them. */
  readonly least?: { readonly deposit: NativeAmount; readonly payout: NativeAmount }
}

/** The chains of ours that the service has (near-intents/wire.md 1). */
export type ServedChain = Exclude<BuiltInChain, "Assethub" | "Polkadot">

export const servedChains: Readonly<Record<ServedChain, ServedChainFacts>> = {
  Bitcoin: { blockchain: "btc" },
  Ethereum: { blockchain: "eth" },
  Arbitrum: { blockchain: "arb" },
  Bsc: { blockchain: "bsc", omniName: "bnb" },
  Solana: { blockchain: "sol" },
  Tron: { blockchain: "tron" },
  Base: { blockchain: "base" },
  Polygon: { blockchain: "pol" },
  Avalanche: { blockchain: "avax" },
  Optimism: { blockchain: "op" },
  Litecoin: { blockchain: "ltc" },
  Dogecoin: { blockchain: "doge" },
  BitcoinCash: { blockchain: "bch" },
  Zcash: { blockchain: "zec" },
  Dash: { blockchain: "dash" },
  // A deposit makes its own account, and a payout may make the recipient's (near-intents/wire.md 1, XRP).
  XrpLedger: {
    blockchain: "xrp",
    least: { deposit: NativeAmount.make(2_000_000n), payout: NativeAmount.make(1_000_000n) },
  },
}

/** The chain by the upstream's word for it, if it is one of ours. */
export const findServedChain = (blockchain: string): ServedChain | undefined =>
  Struct.keys(servedChains).find((chain) => servedChains[chain].blockchain === blockchain)

export const servedChainOf = (asset: AssetId): ServedChain | undefined =>
  Struct.keys(servedChains).find((chain) => chain === chainOf(asset))

const isBitcoinLike = (chain: ServedChain): boolean => chainFacts(chain).family._tag === "bitcoin"

/** Confirmations after which a deposit counts: two on Bitcoin and its family, unpublished on others (near-intents/wire.md 1). */
export const confirmationsOf = (chain: ServedChain): number =>
  isBitcoinLike(chain) ? 2 : chainFacts(chain).confirmations

/** Milliseconds from a deposit's transaction to its last confirmation, for estimates. */
export const confirmationMillis = (chain: ServedChain): number =>
  confirmationsTake(chain, confirmationsOf(chain))

/** Milliseconds from a deposit's block to its last confirmation in the worst case: blocks of Bitcoin's family vary a lot. */
export const confirmationReserve = (chain: ServedChain): number =>
  isBitcoinLike(chain) ? 4 * 60 * 60 * 1_000 : 0
