import type { Schema } from "effect"
import { type AssetId, factsOf } from "../../../domain/Asset.ts"
import { toX128 } from "../../../domain/Price.ts"
import type { SwapRequest } from "../../../domain/SwapRequest.ts"

/** Parameters of the broker's methods about swaps (chainflip/wire.md 2.2, 2.3); null is "not given". */

/** 0x and as few digits as there can be. */
export const toHex = (value: bigint): string => `0x${value.toString(16)}`

/** `{chain, asset}`. */
export const wireAsset = (asset: AssetId) => {
  const { chain, ticker } = factsOf(asset)
  return { chain, asset: ticker }
}

/** The message for the receiving contract. */
export const wireMessage = ({ ccm }: SwapRequest): Schema.Json =>
  ccm === undefined
    ? null
    : { message: ccm.message, gas_budget: toHex(ccm.gasBudget), ccm_additional_data: "0x" }

/** The highest boost fee that is accepted. */
export const wireBoost = ({ maximumBoostFeeBps }: SwapRequest): Schema.Json =>
  maximumBoostFeeBps === 0 ? null : maximumBoostFeeBps

/** Who shares in the commission. */
export const wireAffiliates = ({ affiliates }: SwapRequest): Schema.Json =>
  affiliates.length === 0
    ? null
    : affiliates.map(({ account, commissionBps }) => ({ account, bps: commissionBps }))

/** The price limit, and where the deposit goes back to. */
export const wireRefund = (request: SwapRequest): Schema.Json => ({
  retry_duration: request.retryDurationBlocks,
  refund_address: request.refundAddress,
  min_price: toHex(toX128(request.minimumPrice, request.sourceAsset, request.destinationAsset)),
  refund_ccm_metadata: null,
  max_oracle_price_slippage: request.maximumOraclePriceSlippageBps ?? null,
})

/** How the swap is spread over time. */
export const wireDca = ({ dca }: SwapRequest): Schema.Json =>
  dca === undefined ? null : { number_of_chunks: dca.numberOfChunks, chunk_interval: dca.chunkIntervalBlocks }
