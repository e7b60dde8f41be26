import type { Schema } from "effect"
import type { BrokerAccount } from "../../../domain/Address.ts"
import { type AssetId, chainOf, factsOf } from "../../../domain/Asset.ts"
import type { DcaParameters } from "../../../domain/Dca.ts"
import { toX128 } from "../../../domain/Price.ts"
import type { ChannelRecord, SwapStatus } from "../../../domain/Swap.ts"
import type { CcmPayload, SwapRequest } from "../../../domain/SwapRequest.ts"
import type { EpochMillis } from "../../../domain/Time.ts"
import type { OpenedChannel } from "../../Provider.ts"
import { type Conditions, safetyMargin } from "../Conditions.ts"
import type { WireOpenedChannel } from "../wire/channel.ts"
import { toDepositAddress } from "./address.ts"
import { toExplorerUrl } from "../../upstream/explorerUrl.ts"
import { nominalExpiry } from "./channel.ts"
import { estimateDuration } from "./durations.ts"
import { present } from "../../upstream/present.ts"

const toHex = (value: bigint): string => `0x${value.toString(16)}`

const wireAsset = (asset: AssetId) => {
  const { chain, ticker } = factsOf(asset)
  return { chain, asset: ticker }
}

const wireMessage = ({ message, gasBudget }: CcmPayload) => ({
  message,
  gas_budget: toHex(gasBudget),
  ccm_additional_data: "0x",
})

const wireDca = ({ numberOfChunks, chunkIntervalBlocks }: DcaParameters) => ({
  number_of_chunks: numberOfChunks,
  chunk_interval: chunkIntervalBlocks,
})

/** The positional parameters of `broker_request_swap_deposit_address` (chainflip.md 2.2). */
export const toChannelParameters = (request: SwapRequest): ReadonlyArray<Schema.Json> => [
  wireAsset(request.sourceAsset),
  wireAsset(request.destinationAsset),
  request.destinationAddress,
  request.commissionBps,
  request.ccm === undefined ? null : wireMessage(request.ccm),
  request.maximumBoostFeeBps === 0 ? null : request.maximumBoostFeeBps,
  request.affiliates.length === 0
    ? null
    : request.affiliates.map(({ account, commissionBps }) => ({ account, bps: commissionBps })),
  {
    retry_duration: request.retryDurationBlocks,
    refund_address: request.refundAddress,
    min_price: toHex(toX128(request.minimumPrice, request.sourceAsset, request.destinationAsset)),
    refund_ccm_metadata: null,
    max_oracle_price_slippage: null,
  },
  request.dca === undefined ? null : wireDca(request.dca),
]

const toRecord = (request: SwapRequest, wire: WireOpenedChannel, now: EpochMillis): ChannelRecord => {
  const network = chainOf(request.sourceAsset)
  return {
    id: { issuedBlock: wire.issued_block, network, channelId: wire.channel_id },
    createdAt: now,
    brokerCommissionBps: request.commissionBps,
    affiliateBrokers: request.affiliates,
    depositAddress: toDepositAddress(network, wire.address),
    sourceChainExpiryBlock: wire.source_chain_expiry_block,
    // The broker only knows the block; the backend's record has a better estimate later.
    estimatedExpiryTime: nominalExpiry(now),
    isExpired: false,
    openedThroughBackend: false,
  }
}

const toWaiting = (
  request: SwapRequest,
  depositChannel: ChannelRecord,
  conditions: Conditions,
  ourAccount: BrokerAccount,
): SwapStatus => ({
  state: "waiting",
  sourceAsset: request.sourceAsset,
  destinationAsset: request.destinationAsset,
  destinationAddress: request.destinationAddress,
  depositChannel,
  ...(request.maximumBoostFeeBps === 0 ? {} : { boost: { maximumBoostFeeBps: request.maximumBoostFeeBps } }),
  estimatedDuration: estimateDuration(conditions, request),
  ...present(safetyMargin(conditions, chainOf(request.sourceAsset)), (margin) => ({
    sourceChainRequiredBlockConfirmations: margin + 1,
  })),
  fees: [],
  brokers: [{ account: ourAccount, commissionBps: request.commissionBps }, ...request.affiliates],
  ...present(request.ccm, (ccm) => ({ ccm })),
  fillOrKill: {
    retryDurationBlocks: request.retryDurationBlocks,
    refundAddress: request.refundAddress,
    minimumPrice: request.minimumPrice,
  },
  ...present(request.dca, (dca) => ({ dca })),
})

/** What an opening depends on besides the broker's result. */
export interface OpeningContext {
  readonly request: SwapRequest
  readonly conditions: Conditions
  readonly now: EpochMillis
  readonly ourAccount: BrokerAccount
  readonly explorerUrl: string
}

/** The channel and the `waiting` record that it starts with (decision 23). */
export const toOpenedChannel = (
  wire: WireOpenedChannel,
  { request, conditions, now, ourAccount, explorerUrl }: OpeningContext,
): OpenedChannel => {
  const record = toRecord(request, wire, now)
  return {
    channel: {
      id: record.id,
      depositAddress: record.depositAddress,
      sourceExpiryBlock: record.sourceChainExpiryBlock,
      openingFee: wire.channel_opening_fee,
      explorerUrl: toExplorerUrl(explorerUrl, record.id, record.depositAddress),
    },
    status: toWaiting(request, record, conditions, ourAccount),
  }
}
