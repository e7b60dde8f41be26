import type { Schema } from "effect"
import type { BrokerAccount } from "../../../domain/Address.ts"
import { chainOf } from "../../../domain/Asset.ts"
import type { ChannelRecord, SwapStatus } from "../../../domain/Swap.ts"
import type { SwapRequest } from "../../../domain/SwapRequest.ts"
import type { EpochMillis } from "../../../domain/Time.ts"
import type { OpenedChannel } from "../../Provider.ts"
import { type Conditions, depositLimits, safetyMargin } from "../Conditions.ts"
import type { WireOpenedChannel } from "../wire/channel.ts"
import { toDepositAddress } from "./address.ts"
import { toExplorerUrl } from "../../upstream/explorerUrl.ts"
import { nominalExpiry } from "./channel.ts"
import { estimateDuration } from "./durations.ts"
import { wireAffiliates, wireAsset, wireBoost, wireDca, wireMessage, wireRefund } from "./parameters.ts"
import { spread } from "../../../platform/spread.ts"

/** The positional parameters of `broker_request_swap_deposit_address` (chainflip/wire.md 2.2). */
export const toChannelParameters = (request: SwapRequest): ReadonlyArray<Schema.Json> => [
  wireAsset(request.sourceAsset),
  wireAsset(request.destinationAsset),
  request.destinationAddress,
  request.commissionBps,
  wireMessage(request),
  wireBoost(request),
  wireAffiliates(request),
  wireRefund(request),
  wireDca(request),
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
  ...spread(safetyMargin(conditions, chainOf(request.sourceAsset)), (margin) => ({
    sourceChainRequiredBlockConfirmations: margin + 1,
  })),
  fees: [],
  brokers: [{ account: ourAccount, commissionBps: request.commissionBps }, ...request.affiliates],
  ...spread(request.ccm, (ccm) => ({ ccm })),
  fillOrKill: {
    retryDurationBlocks: request.retryDurationBlocks,
    refundAddress: request.refundAddress,
    minimumPrice: request.minimumPrice,
    ...spread(request.maximumOraclePriceSlippageBps, (bps) => ({ maximumOraclePriceSlippageBps: bps })),
  },
  ...spread(request.dca, (dca) => ({ dca })),
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
    depositLimits: depositLimits(conditions, request.sourceAsset),
  }
}
