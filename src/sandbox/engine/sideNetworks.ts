import { Result } from "effect"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { chainBlockTime, chainHeight, confirmedBlock } from "./blocks.ts"
import { EventQueue, type Timeline } from "./EventQueue.ts"
import { transactionReference } from "./identifiers.ts"
import type { Network } from "./State.ts"
import type { Controlled } from "./View.ts"
import { assetState } from "./assetState.ts"

/** A network beside Chainflip's: same chains, prices and time; seed and commands decide everything. */
export interface SideNetwork<Phase extends string, Trap> extends Timeline<Phase> {
  readonly network: Network
  /** The seed of its addresses and transactions; it differs from every other network's, so that none coincides. */
  readonly seed: string
  /** How its next orders go wrong, in line. */
  readonly plannedTraps: Array<Trap>
  transactionCount: number
}

export const makeSideNetwork = <Phase extends string, Trap>(
  network: Network,
  name: string,
  phases: ReadonlyArray<Phase>,
): SideNetwork<Phase, Trap> => ({
  network,
  seed: `${network.seed}/${name}`,
  time: network.time,
  events: new EventQueue(),
  phases,
  plannedTraps: [],
  transactionCount: 0,
})

export const controlled: Result.Result<Controlled> = Result.succeed({ _tag: "Controlled" })

/** Lets the next order go wrong in this way; several wait in line. */
export const planTrap = <Trap>(
  { plannedTraps }: { readonly plannedTraps: Array<Trap> },
  { outcome }: { readonly outcome: NoInfer<Trap> },
): Result.Result<Controlled> => {
  plannedTraps.push(outcome)
  return controlled
}

/** A transaction with the times at which its block comes, and at which it has its confirmations. */
export interface SentTransfer {
  readonly transactionReference: string
  readonly includedAt: EpochMillis
  readonly confirmedAt: EpochMillis
}

/** Sends a transaction, which the next block of its chain includes. */
export const send = (guest: SideNetwork<string, unknown>, chain: Chain): SentTransfer => {
  const { network, seed, time } = guest
  const block = chainHeight(network, chain, time) + 1
  return {
    transactionReference: transactionReference(chain, { seed, block, number: ++guest.transactionCount }),
    includedAt: chainBlockTime(network, chain, block),
    confirmedAt: chainBlockTime(network, chain, confirmedBlock(chain, block)),
  }
}

/** Reference prices of a pair, in native usdc.eth for one whole unit. */
export interface Prices {
  readonly origin: bigint
  readonly destination: bigint
}

interface Pair {
  readonly origin: { readonly asset: AssetId }
  readonly destination: { readonly asset: AssetId }
}

export const pricesOf = (network: Network, { destination, origin }: Pair): Prices => ({
  origin: assetState(network, origin.asset).price,
  destination: assetState(network, destination.asset).price,
})
