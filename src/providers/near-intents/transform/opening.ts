import { Option } from "effect"
import { BrokerAccount } from "../../../domain/Address.ts"
import { type NativeAmount, noAmount } from "../../../domain/Amount.ts"
import type { ChannelRecord, SwapStatus } from "../../../domain/Swap.ts"
import type { SwapRequest } from "../../../domain/SwapRequest.ts"
import type { EpochMillis } from "../../../domain/Time.ts"
import type { OpenedChannel } from "../../Provider.ts"
import { toExplorerUrl } from "../../upstream/explorerUrl.ts"
import { confirmationMillis, servedFactsOf } from "../chains.ts"
import type { Options } from "../Options.ts"
import { toChannelId, toExpiryBlock } from "./coordinates.ts"
import type { Order } from "./order.ts"
import type { Pair } from "./pair.ts"

/** What the record of an opening is made of besides the order. */
export interface OpeningContext {
  readonly request: SwapRequest
  readonly pair: Pair
  readonly amount: NativeAmount
  /** By the upstream's clock, as the expiry is. */
  readonly openedAt: EpochMillis
  readonly options: Pick<Options, "feeAccount" | "explorerUrl">
}

const toRecord = (order: Order, { request, pair, amount, openedAt }: OpeningContext): ChannelRecord => ({
  id: toChannelId(pair.source.chain, order.depositAddress, openedAt),
  createdAt: openedAt,
  brokerCommissionBps: request.commissionBps,
  affiliateBrokers: [],
  depositAddress: order.depositAddress,
  sourceChainExpiryBlock: toExpiryBlock(pair.source.chain, order.expiry),
  estimatedExpiryTime: order.expiry,
  isExpired: false,
  openedThroughBackend: false,
  expectedDepositAmount: amount,
})

const toWaiting = (order: Order, depositChannel: ChannelRecord, context: OpeningContext): SwapStatus => {
  const { request, pair, options } = context
  return {
    state: "waiting",
    sourceAsset: request.sourceAsset,
    destinationAsset: request.destinationAsset,
    destinationAddress: request.destinationAddress,
    depositChannel,
    estimatedDuration: confirmationMillis(pair.source.chain) + order.timeEstimate,
    sourceChainRequiredBlockConfirmations: servedFactsOf(pair.source.chain).confirmations,
    fees: [],
    brokers: Option.toArray(options.feeAccount).map((account) => ({
      account: BrokerAccount.make(account),
      commissionBps: request.commissionBps,
    })),
    fillOrKill: {
      retryDurationBlocks: request.retryDurationBlocks,
      refundAddress: request.refundAddress,
      minimumPrice: request.minimumPrice,
    },
  }
}

/** The channel and the `waiting` record that it starts with (decision 23). */
export const toOpenedChannel = (order: Order, context: OpeningContext): OpenedChannel => {
  const record = toRecord(order, context)
  return {
    channel: {
      id: record.id,
      depositAddress: record.depositAddress,
      sourceExpiryBlock: record.sourceChainExpiryBlock,
      openingFee: noAmount,
      explorerUrl: toExplorerUrl(context.options.explorerUrl, record.id, record.depositAddress),
    },
    status: toWaiting(order, record, context),
    // Each order has an address of its own; one that comes again is a replay.
    isAddressUnique: true,
    depositLimits: Option.match(order.minimumDeposit, {
      onNone: () => ({}),
      onSome: (minimum) => ({ minimum }),
    }),
  }
}
