import { type Chain, chainFacts, stateChainBlockMillis } from "../../../domain/Chain.ts"
import { chainOf } from "../../../domain/Asset.ts"
import type { SwapRequest } from "../../../domain/SwapRequest.ts"
import { type Conditions, safetyMargin } from "../Conditions.ts"

/** Two blocks of the state chain. */
const swapMillis = 12_000
const egressMillis = 90_000

const halfBlock = (chain: Chain): number => chainFacts[chain].blockMillis / 2

const depositMillis = (conditions: Conditions, chain: Chain): number => {
  const ingressDelay = conditions.environment.ingress_egress.ingress_delays?.[chain] ?? 0
  return halfBlock(chain) + chainFacts[chain].blockMillis * (safetyMargin(conditions, chain) ?? 1) +
    (ingressDelay + 1) * stateChainBlockMillis
}

/**
 * How long a swap takes from the deposit's transaction to the payout, in milliseconds (chainflip/wire.md 3.3).
 * Whether a deposit will be boosted nobody knows before it is there, so the estimate is without.
 */
export const estimateDuration = (
  conditions: Conditions,
  { sourceAsset, destinationAsset, dca }: Pick<SwapRequest, "sourceAsset" | "destinationAsset" | "dca">,
): number => {
  const chunksMillis = dca === undefined
    ? 0
    : dca.chunkIntervalBlocks * stateChainBlockMillis * (dca.numberOfChunks - 1)
  return depositMillis(conditions, chainOf(sourceAsset)) + swapMillis +
    chunksMillis + egressMillis + halfBlock(chainOf(destinationAsset))
}
