import {
  Address,
  chainOf,
  type ChannelId,
  checkAddress,
  factsOf,
  MalformedBody,
  type NativeAmount,
  Network,
  noAmount,
  RequestRefused,
  type SwapRequest,
  type SwapStatus,
  toHuman,
} from "@swap-broker/core/domain"
import {
  Amount,
  type Capabilities,
  type Channels,
  Count,
  decode,
  maybe,
  Millis,
  notHonoured,
  type OpenedChannel,
  sentAmount,
  toExplorerUrl,
} from "@swap-broker/core/provider"
import { BigDecimal, Effect, Result, Schema } from "effect"
import { type Client, WireAsset, writeAsset } from "./client.ts"
import { failAs, name } from "./errors.ts"
import { totalOf, WireDurations } from "./quotes.ts"

/** The capabilities of the exchange. The broker passes it over for any other request, and tells the caller why. */
export const capabilities: Capabilities = {
  maximumCommissionBps: 300,
  affiliates: false,
  boost: false,
  dca: false,
  ccm: false,
  needsAmount: true,
  retry: true,
  lateDeposit: "untold",
  ends: { limit: "on arrival", deposit: "ordered", paysByDeposit: false, pays: "several" },
}

const Transfer = Schema.Struct({ amount: Amount, hash: maybe(Schema.String) })

/** The progress of a swap. The status is any text, as new ones may come. */
export const progress = {
  status: Schema.String,
  from: WireAsset,
  to: WireAsset,
  recipient: Address,
  deposit: maybe(Transfer),
  payout: maybe(Transfer),
  refund: maybe(Transfer),
  failure: maybe(Schema.Struct({ reason: Schema.String, at: Millis })),
}

/** `POST /v1/orders` and `GET /v1/orders/{number}`. */
export const WireOrder = Schema.Struct({
  ...progress,
  number: Count,
  block: Count,
  depositAddress: Address,
  createdAt: Millis,
  expiresAt: Millis,
  expiryBlock: Count,
  seconds: WireDurations,
})
export type WireOrder = typeof WireOrder.Type

/** The least output: the price limit times the amount, rounded up, in native units. */
const minimumOut = (request: SwapRequest, amount: NativeAmount): bigint => {
  const { decimals } = factsOf(request.destinationAsset)
  const exact = BigDecimal.multiply(request.minimumPrice, toHuman(request.sourceAsset, amount))
  return BigDecimal.scale(BigDecimal.ceil(exact, decimals), decimals).value
}

/** The body of `POST /v1/orders`. */
export const toOrderBody = (request: SwapRequest, amount: NativeAmount) => ({
  from: writeAsset(request.sourceAsset),
  to: writeAsset(request.destinationAsset),
  amount: `${amount}`,
  commissionBps: request.commissionBps,
  recipient: request.destinationAddress,
  refundTo: request.refundAddress,
  minimumOut: `${minimumOut(request, amount)}`,
})

/** The channel's coordinates, made from the order's number and block. */
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
  estimatedDuration: totalOf(order.seconds),
  fees: [],
  brokers: [],
  fillOrKill: {
    retryDurationBlocks: request.retryDurationBlocks,
    refundAddress: request.refundAddress,
    minimumPrice: request.minimumPrice,
  },
})

/** The fault of an order. No address is shown before it is known to be one, and of the requested swap. */
const faultOf = (order: WireOrder, request: SwapRequest): string | undefined => {
  if (order.from !== request.sourceAsset) return "from: expected the asset of the request"
  if (order.to !== request.destinationAsset) return "to: expected the asset of the request"
  if (order.recipient !== request.destinationAddress) return "recipient: expected that of the request"
  const address = checkAddress(chainOf(order.from), Network.literals, order.depositAddress)
  return Result.isFailure(address) ? "depositAddress: expected an address of the source chain" : undefined
}

/** The channel and its first record, which is `waiting` (decision 23). */
const toOpened = (
  order: WireOrder,
  request: SwapRequest,
  explorerUrl: string,
): Result.Result<OpenedChannel, MalformedBody> => {
  const detail = faultOf(order, request)
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
    refundsTo: "address",
  })
}

/** The operation `open`. */
export const makeOpen = ({ post }: Client, explorerUrl: string): Channels["open"] =>
  Effect.fn("Template.open")(function* (request) {
    const { amount, sourceAsset } = request
    if (amount === undefined) {
      return yield* Effect.fail(new RequestRefused({ errors: notHonoured(name, capabilities, request) }))
    }
    const sent = yield* Effect.fromResult(sentAmount(name, amount))
    const body = yield* post("/v1/orders", toOrderBody(request, sent), sourceAsset)
    const order = yield* Effect.fromResult(decode(WireOrder, body))
    return yield* Effect.fromResult(toOpened(order, request, explorerUrl))
  }, failAs("open"))
