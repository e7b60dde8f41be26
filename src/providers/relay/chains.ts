import { confirmationMillis as confirmationsTake } from "../upstream/openedOrder.ts"
import { Struct } from "effect"
import type { BuiltInChain } from "#domain/chains/Chain.ts"

interface ServedChainFacts {
  readonly chainId: number
  /** What stands for the chain's own coin; undefined where only `/chains` tells. */
  readonly coin: string | undefined
  /** The most blocks that a deposit may wait for before it is acted on. The upstream tells of Bitcoin's only. */
  readonly confirmations: number
}

const evm = { coin: "0x0000000000000000000000000000000000000000", confirmations: 1 }

export const servedChains = {
  Bitcoin: { chainId: 8_253_038, coin: "bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8", confirmations: 2 },
  Ethereum: { chainId: 1, ...evm },
  Arbitrum: { chainId: 42_161, ...evm },
  Bsc: { chainId: 56, ...evm },
  Solana: { chainId: 792_703_809, coin: "11111111111111111111111111111111", confirmations: 1 },
  Tron: { chainId: 728_126_428, coin: undefined, confirmations: 1 },
  Base: { chainId: 8_453, ...evm },
  Polygon: { chainId: 137, ...evm },
  Avalanche: { chainId: 43_114, ...evm },
  Optimism: { chainId: 10, ...evm },
} as const satisfies Readonly<Partial<Record<BuiltInChain, ServedChainFacts>>>

export type ServedChain = keyof typeof servedChains

export const servedChainNames: ReadonlyArray<ServedChain> = Struct.keys(servedChains)

export const findServedChain = (chainId: number): ServedChain | undefined =>
  servedChainNames.find((chain) => servedChains[chain].chainId === chainId)

/** The longest from a deposit's transaction until it is acted on, in milliseconds. */
export const confirmationMillis = (chain: ServedChain): number =>
  confirmationsTake(chain, servedChains[chain].confirmations)
