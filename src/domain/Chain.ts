import { Schema } from "effect"

/** The chains of the network, by the names that answers have as `network` (chainflip/wire.md 1.2). */
export const Chain = Schema.Literals([
  "Bitcoin",
  "Ethereum",
  "Arbitrum",
  "Solana",
  "Assethub",
  "Tron",
  "Polkadot",
  "Bsc",
])
export type Chain = typeof Chain.Type

/** The fixed facts of a chain. */
export interface ChainFacts {
  /** The part of an asset identifier after the dot. */
  readonly suffix: string
  /** The chain's name in sentences. */
  readonly title: string
  /** The number of an EVM chain on mainnet (EIP-155). */
  readonly evmChainId?: number
  /** Average time between blocks, in milliseconds (chainflip/wire.md 1.2). */
  readonly blockMillis: number
  /** The least time that is certain to pass between blocks, in milliseconds; 0 where chance decides. */
  readonly leastBlockMillis: number
}

/** The facts of every chain. Estimates are made with these figures. */
export const chainFacts: Readonly<Record<Chain, ChainFacts>> = {
  Bitcoin: { suffix: "btc", title: "Bitcoin", blockMillis: 600_000, leastBlockMillis: 0 },
  Ethereum: {
    suffix: "eth",
    title: "Ethereum",
    evmChainId: 1,
    blockMillis: 12_000,
    leastBlockMillis: 12_000,
  },
  Arbitrum: { suffix: "arb", title: "Arbitrum", evmChainId: 42_161, blockMillis: 260, leastBlockMillis: 200 },
  Solana: { suffix: "sol", title: "Solana", blockMillis: 800, leastBlockMillis: 350 },
  Assethub: { suffix: "hub", title: "Asset Hub", blockMillis: 3_000, leastBlockMillis: 2_000 },
  Tron: { suffix: "tron", title: "Tron", blockMillis: 3_000, leastBlockMillis: 3_000 },
  Polkadot: { suffix: "dot", title: "Polkadot", blockMillis: 6_000, leastBlockMillis: 6_000 },
  Bsc: { suffix: "bsc", title: "BNB Smart Chain", evmChainId: 56, blockMillis: 450, leastBlockMillis: 250 },
}

/** One block of the state chain, the unit of every block count of the contract (decision 32). */
export const stateChainBlockMillis = 6_000

/** The network of a chain that an address belongs to; the sandbox has its own. */
export const Network = Schema.Literals(["mainnet", "testnet", "sandbox"])
export type Network = typeof Network.Type
