import { type Chain, chainFacts } from "../../domain/Chain.ts"
import { chainBlockTime, stateChainBlockTime, stateChainHeight } from "./blocks.ts"
import { chainFigures } from "./figures.ts"
import type { Event, Network } from "./State.ts"

/** What comes first within one block: deposits, then swaps, then payments. */
const phases: Readonly<Record<Event["_tag"], number>> = {
  RepayBoost: 0,
  CreditDeposit: 1,
  BoostDeposit: 2,
  ExecuteChunk: 3,
  Broadcast: 4,
  WitnessEgress: 5,
}

/** Lets something happen in a block of the state chain. */
export const scheduleAtBlock = (network: Network, height: number, event: Event): void =>
  network.events.add(stateChainBlockTime(network, height), phases[event._tag], event)

/** Lets something happen so many state-chain blocks after the latest. */
export const scheduleAfterBlocks = (network: Network, blocks: number, event: Event): void =>
  scheduleAtBlock(network, stateChainHeight(network) + blocks, event)

/** The state-chain block in which validators report a block of another chain: the first one after it. */
export const reportingBlock = (network: Network, chain: Chain, height: number): number =>
  stateChainHeight(network, chainBlockTime(network, chain, height)) + 1

/** The block of a chain that has the confirmations which a transaction in `height` needs. */
export const confirmedBlock = (chain: Chain, height: number): number =>
  height + chainFigures[chain].witnessSafetyMargin

/** How many confirmations a chain's transactions need (chainflip/wire.md 1.5: margin + 1). */
export const requiredConfirmations = (chain: Chain): number => chainFigures[chain].witnessSafetyMargin + 1

/** Milliseconds between two blocks of a chain. */
export const blockMillisOf = (chain: Chain): number => chainFacts[chain].blockMillis
