import { BigDecimal, Result } from "effect"
import { checkAddress } from "../../../domain/Address.ts"
import { NativeAmount, noAmount, toHuman } from "../../../domain/Amount.ts"
import { type AssetId, chainOf, factsOf } from "../../../domain/Asset.ts"
import { Network } from "../../../domain/Chain.ts"
import type { ChannelId } from "../../../domain/Channel.ts"
import type { Price } from "../../../domain/Price.ts"
import { MalformedBody } from "../../../domain/ProviderError.ts"
import type { SwapStatus } from "../../../domain/Swap.ts"
import type { SwapRequest } from "../../../domain/SwapRequest.ts"
import type { OpenedChannel } from "../../Provider.ts"
import { toExplorerUrl } from "../../upstream/explorerUrl.ts"
import type { OrderBody } from "../client.ts"
import { type WireOrder, writeAsset } from "../wire.ts"
import { toDurations, totalOf } from "./quote.ts"

/** What has to arrive at least: the price limit of this amount, rounded up, in native units. */
export const minimumOut = (
  minimumPrice: Price,
  sourceAsset: AssetId,
  destinationAsset: AssetId,
  amount: NativeAmount,
): bigint => {
  const { decimals } = factsOf(destinationAsset)
  const exact = BigDecimal.multiply(minimumPrice, toHuman(sourceAsset, amount))
  return BigDecimal.scale(BigDecimal.ceil(exact, decimals), decimals).value
}

/** The body of `POST /v1/orders`. */
export const toOrderBody = (request: SwapRequest, amount: NativeAmount): OrderBody => ({
  from: writeAsset(request.sourceAsset),
  to: writeAsset(request.destinationAsset),
  amount: `${amount}`,
  commissionBps: request.commissionBps,
  recipient: request.destinationAddress,
  refundTo: request.refundAddress,
  minimumOut: `${minimumOut(request.minimumPrice, request.sourceAsset, request.destinationAsset, amount)}`,
})

/** The coordinates that the order's own number and block make. */
export const toChannelId = (order: WireOrder): ChannelId => ({
  issuedBlock: order.block,
  network: chainOf(order.from),
  channelId: order.number,
})

const toWaiting = (order: WireOrder, request: SwapRequest): SwapStatus => ({
  state: "waiting",
  sourceAsset: request.sourceAsset,
  destinationAsset: request.destinationAsset,
  destinationAddress: request.destinationAddress,
  depositChannel: {
    id: toChannelId(order),
    createdAt: order.createdAt,
    brokerCommissionBps: request.commissionBps,
    affiliateBrokers: request.affiliates,
    depositAddress: order.depositAddress,
    sourceChainExpiryBlock: order.expiryBlock,
    estimatedExpiryTime: order.expiresAt,
    isExpired: false,
    openedThroughBackend: false,
  },
  estimatedDuration: totalOf(toDurations(order.seconds)),
  fees: [],
  brokers: [],
  fillOrKill: {
    retryDurationBlocks: request.retryDurationBlocks,
    refundAddress: request.refundAddress,
    minimumPrice: request.minimumPrice,
  },
})

/** Nobody sends money to an address before it is known to be one, for the swap that was asked for. */
const fault = (order: WireOrder, request: SwapRequest): string | undefined => {
  if (order.from !== request.sourceAsset) return "from: expected the asset of the request"
  if (order.to !== request.destinationAsset) return "to: expected the asset of the request"
  if (order.recipient !== request.destinationAddress) return "recipient: expected that of the request"
  const address = checkAddress(chainOf(order.from), Network.literals, order.depositAddress)
  return Result.isFailure(address) ? "depositAddress: expected an address of the source chain" : undefined
}

/** The channel and the `waiting` record that it starts with (decision 23). */
export const readOpening = (
  order: WireOrder,
  request: SwapRequest,
  explorerUrl: string,
): Result.Result<OpenedChannel, MalformedBody> => {
  const detail = fault(order, request)
  if (detail !== undefined) return Result.fail(new MalformedBody({ detail, reached: true }))
  const id = toChannelId(order)
  return Result.succeed({
    channel: {
      id,
      depositAddress: order.depositAddress,
      sourceExpiryBlock: order.expiryBlock,
      openingFee: noAmount,
      explorerUrl: toExplorerUrl(explorerUrl, id, order.depositAddress),
    },
    status: toWaiting(order, request),
  })
}
