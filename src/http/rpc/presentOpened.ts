import { toX128 } from "../../domain/Price.ts"
import type { SwapRequest } from "../../domain/SwapRequest.ts"
import type { OpenedSwap } from "../../swapping/OpeningRecord.ts"

const hex = (value: bigint): string => `0x${value.toString(16)}`

/** The result of `broker_request_swap_deposit_address` (chainflip/wire.md 2.2). */
export const presentOpened = ({ channel }: OpenedSwap, request: SwapRequest) => ({
  address: channel.depositAddress,
  issued_block: channel.id.issuedBlock,
  channel_id: channel.id.channelId,
  source_chain_expiry_block: channel.sourceExpiryBlock,
  channel_opening_fee: hex(channel.openingFee),
  refund_parameters: {
    retry_duration: request.retryDurationBlocks,
    refund_address: request.refundAddress,
    min_price: hex(toX128(request.minimumPrice, request.sourceAsset, request.destinationAsset)),
    refund_ccm_metadata: null,
    max_oracle_price_slippage: request.maximumOraclePriceSlippageBps ?? null,
  },
})
