import { type Chain, chainFacts, stateChainBlockMillis } from "#domain/chains/Chain.ts"
import { BlockIndex, EpochMillis } from "#domain/Time.ts"
import { chainFigures, firstStateChainHeight } from "./figures.ts"
import { scheduleAt } from "./EventQueue.ts"
import type { Network } from "./State.ts"

/** The height at a time: blocks follow each other evenly from the start of the sandbox. */
const heightOf = (network: Network, first: number, blockMillis: number, time: number): number =>
  first + Math.floor((time - network.genesis) / blockMillis)

export const chainHeight = (network: Network, chain: Chain, time: number = network.time): number =>
  heightOf(network, chainFigures(chain).firstHeight, chainFacts(chain).blockMillis, time)

export const chainBlockTime = (network: Network, chain: Chain, height: number): EpochMillis =>
  EpochMillis.make(
    network.genesis + (height - chainFigures(chain).firstHeight) * chainFacts(chain).blockMillis,
  )

export const stateChainHeight = (network: Network, time: number = network.time): number =>
  heightOf(network, firstStateChainHeight, stateChainBlockMillis, time)

export const stateChainBlockTime = (network: Network, height: number): EpochMillis =>
  EpochMillis.make(network.genesis + (height - firstStateChainHeight) * stateChainBlockMillis)

/** The time of an event on the state chain, and its index in the block. */
export interface Moment {
  readonly at: EpochMillis
  readonly blockIndex: BlockIndex
}

/** The time and block index of a new event; each call takes the next index of the latest state-chain block. */
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

type Scheduled = readonly [phase: Network["phases"][number], happen: () => void]

export const scheduleAtBlock = (network: Network, height: number, ...event: Scheduled): void =>
  scheduleAt(network, stateChainBlockTime(network, height), ...event)

export const scheduleAfterBlocks = (network: Network, blocks: number, ...event: Scheduled): void =>
  scheduleAtBlock(network, stateChainHeight(network) + blocks, ...event)

/** The state-chain block in which validators report a block of another chain: the first one after it. */
export const reportingBlock = (network: Network, chain: Chain, height: number): number =>
  stateChainHeight(network, chainBlockTime(network, chain, height)) + 1

/** The block of a chain at which a transaction in `height` has its confirmations. */
export const confirmedBlock = (chain: Chain, height: number): number =>
  height + chainFigures(chain).witnessSafetyMargin

/** The state-chain block in which validators report that a transaction in `height` has its confirmations. */
export const confirmedReport = (network: Network, chain: Chain, height: number): number =>
  reportingBlock(network, chain, confirmedBlock(chain, height))

/** The number of confirmations of a chain's transactions (chainflip/wire.md 1.5: margin + 1). */
export const requiredConfirmations = (chain: Chain): number => chainFigures(chain).witnessSafetyMargin + 1

export const blockMillisOf = (chain: Chain): number => chainFacts(chain).blockMillis
