import { type Chain, chainFacts, stateChainBlockMillis } from "../../domain/Chain.ts"
import { BlockIndex, EpochMillis } from "../../domain/Time.ts"
import { chainFigures, firstStateChainHeight } from "./figures.ts"
import type { Network } from "./State.ts"

/** Blocks follow each other evenly from the moment at which the sandbox began. */
const heightOf = (network: Network, first: number, blockMillis: number, time: number): number =>
  first + Math.floor((time - network.genesis) / blockMillis)

/** The latest block of a chain at a time. */
export const chainHeight = (network: Network, chain: Chain, time: number = network.time): number =>
  heightOf(network, chainFigures[chain].firstHeight, chainFacts[chain].blockMillis, time)

/** When a block of a chain comes or came. */
export const chainBlockTime = (network: Network, chain: Chain, height: number): EpochMillis =>
  EpochMillis.make(
    network.genesis + (height - chainFigures[chain].firstHeight) * chainFacts[chain].blockMillis,
  )

/** The latest block of the state chain at a time. */
export const stateChainHeight = (network: Network, time: number = network.time): number =>
  heightOf(network, firstStateChainHeight, stateChainBlockMillis, time)

/** When a block of the state chain comes or came. */
export const stateChainBlockTime = (network: Network, height: number): EpochMillis =>
  EpochMillis.make(network.genesis + (height - firstStateChainHeight) * stateChainBlockMillis)

/** Where and when something happens on the state chain. */
export interface Moment {
  readonly at: EpochMillis
  readonly blockIndex: BlockIndex
}

/** The next index of the latest state-chain block; every call is another thing that happened in it. */
export const happen = (network: Network): Moment => {
  const height = stateChainHeight(network)
  if (height !== network.indexedBlock) {
    network.indexedBlock = height
    network.indexesUsed = 0
  }
  network.indexesUsed++
  return {
    at: stateChainBlockTime(network, height),
    blockIndex: BlockIndex.make(`${height}-${network.indexesUsed}`),
  }
}
