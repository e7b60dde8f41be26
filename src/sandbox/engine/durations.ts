import { type AssetId, chainOf } from "../../domain/Asset.ts"
import { stateChainBlockMillis } from "../../domain/Chain.ts"
import type { DcaParameters } from "../../domain/Dca.ts"
import type { Durations } from "../../domain/Quote.ts"
import { swapDelayBlocks } from "./constants.ts"
import { chainFigures } from "./figures.ts"
import { blockMillisOf } from "./schedule.ts"

/** Batching, signing and sending a payment takes about this long. */
const egressMillis = 90_000

/** What decides how long a swap takes. */
export interface DurationQuery {
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
  readonly boosted: boolean
  readonly dca?: DcaParameters
}

/**
 * Estimated durations in milliseconds (chainflip/wire.md 3.3). Deposit: half a block until it is included, the
 * safety margin or the boost delay, the ingress delay, and a state-chain block to report it.
 */
export const durationsOf = ({ sourceAsset, destinationAsset, boosted, dca }: DurationQuery): Durations => {
  const source = chainOf(sourceAsset)
  const sourceBlock = blockMillisOf(source)
  const { witnessSafetyMargin, ingressDelay, boostDelay } = chainFigures[source]
  const confirming = boosted ? boostDelay * stateChainBlockMillis : sourceBlock * witnessSafetyMargin
  const chunks = dca === undefined ? 0 : dca.chunkIntervalBlocks * (dca.numberOfChunks - 1)
  return {
    deposit: sourceBlock / 2 + confirming + (ingressDelay + 1) * stateChainBlockMillis,
    swap: (swapDelayBlocks + chunks) * stateChainBlockMillis,
    egress: egressMillis + blockMillisOf(chainOf(destinationAsset)) / 2,
  }
}

/** All of it together, in milliseconds. */
export const totalDuration = ({ deposit, swap, egress }: Durations): number => deposit + swap + egress
