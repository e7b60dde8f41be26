import {
  BrokerAccount,
  chainFacts,
  chainOf,
  type Egress,
  factsOf,
  MalformedBody,
  noAmount,
  type ProviderErrorReason,
  type SwapRequest,
  type SwapState,
  type SwapStatus,
  toHuman,
} from "@swap-broker/core/domain"
import {
  addressAt,
  type Channels,
  currentMillis,
  decode,
  type Observed,
  type OpenedChannel,
  optionalMembers,
  sentAmount,
  toChannelId,
  toExpiryBlock,
  toExplorerUrl,
  TransactionTrace,
} from "@swap-broker/core/provider"
import { BigDecimal, Effect, Option, Result } from "effect"
import { asking, type Client, failAs, name, readToken, WireOrder, writeToken } from "./wire.ts"

const page = "https://harbour.example/orders/{channelId}"

/** The price limit as an amount, rounded up. */
const minimumOut = (
  { destinationAsset, minimumPrice, sourceAsset }: SwapRequest,
  sent: OrderAmount,
): bigint => {
  const { decimals } = factsOf(destinationAsset)
  const exact = BigDecimal.multiply(minimumPrice, toHuman(sourceAsset, sent))
  return BigDecimal.scale(BigDecimal.ceil(exact, decimals), decimals).value
}

type OrderAmount = Parameters<typeof toHuman>[1]

const malformed = (detail: string) => new MalformedBody({ detail, reached: true })

const toOpened = (
  order: WireOrder,
  request: SwapRequest,
  amount: OrderAmount,
): Result.Result<OpenedChannel, MalformedBody> =>
  Result.gen(function* () {
    const { commissionBps, destinationAddress, destinationAsset, sourceAsset } = request
    if (readToken(order.from) !== sourceAsset || readToken(order.to) !== destinationAsset) {
      return yield* Result.fail(malformed("from, to: expected the assets of the request"))
    }
    if (order.recipient !== destinationAddress) {
      return yield* Result.fail(malformed("recipient: expected that of the request"))
    }
    const chain = chainOf(sourceAsset)
    const depositAddress = yield* addressAt("depositAddress", chain, order.depositAddress)
    const id = toChannelId(chain, depositAddress, order.createdAt)
    const sourceExpiryBlock = toExpiryBlock(chain, order.expiresAt)
    return {
      channel: {
        id,
        depositAddress,
        sourceExpiryBlock,
        openingFee: noAmount,
        explorerUrl: toExplorerUrl(page, id, depositAddress),
        reference: `${order.number}`,
      },
      status: {
        state: "waiting",
        sourceAsset,
        destinationAsset,
        destinationAddress,
        depositChannel: {
          id,
          createdAt: order.createdAt,
          brokerCommissionBps: commissionBps,
          affiliateBrokers: [],
          depositAddress,
          sourceChainExpiryBlock: sourceExpiryBlock,
          estimatedExpiryTime: order.expiresAt,
          isExpired: false,
          openedThroughBackend: false,
          expectedDepositAmount: amount,
          reference: `${order.number}`,
        },
        estimatedDuration: 300_000,
        sourceChainRequiredBlockConfirmations: chainFacts(chain).confirmations,
        fees: [],
        brokers: commissionBps === 0
          ? []
          : [{ account: BrokerAccount.make("harbour-operator"), commissionBps }],
        fillOrKill: {
          retryDurationBlocks: 0,
          refundAddress: request.refundAddress,
          minimumPrice: request.minimumPrice,
        },
      },
      isAddressUnique: true,
      refundsTo: "address",
    }
  })

const states: ReadonlyMap<string, SwapState> = new Map<string, SwapState>([
  ["awaiting-deposit", "waiting"],
  ["confirming", "receiving"],
  ["done", "completed"],
  ["refunded", "completed"],
])

const toEgress = ({ amount, hash }: NonNullable<WireOrder["refund"]>): Egress => ({
  amount,
  transactionReference: hash,
})

/** The record of an order; what the exchange does not repeat stays as it is known. */
const toStatus = (order: WireOrder, known: SwapStatus, isExpired: boolean): SwapStatus => ({
  ...known,
  state: states.get(order.status) ?? known.state,
  ...optionalMembers(known.depositChannel, (channel) => ({ depositChannel: { ...channel, isExpired } })),
  ...optionalMembers(order.deposit, (deposit) => ({ deposit: toEgress(deposit) })),
  ...optionalMembers(order.refund, (refund) => ({ refundEgress: toEgress(refund) })),
  ...optionalMembers(order.payout, (payout) => ({
    swapEgress: toEgress(payout),
    fees: payout.commission === noAmount
      ? []
      : [{ type: "broker" as const, asset: known.destinationAsset, amount: payout.commission }],
  })),
})

const observed = Effect.fnUntraced(function* (body: unknown, text: string, known: SwapStatus) {
  const order = yield* Effect.fromResult(decode(WireOrder, body))
  if (order.depositAddress !== known.depositChannel?.depositAddress) {
    return yield* Effect.fail(malformed("depositAddress: expected the one that was given out"))
  }
  if (!states.has(order.status)) {
    yield* Effect.logWarning(`Kept the state ${known.state}: ${order.status} is unknown`)
  }
  const isExpired = (yield* currentMillis) >= order.expiresAt
  return { status: toStatus(order, known, isExpired), body: text } satisfies Observed
})

/** Deposit channels: orders of the exchange. */
export const makeChannels = (client: Client): Channels => ({
  open: Effect.fn("Harbour.open")(function* (request): Effect.fn.Return<OpenedChannel, ProviderErrorReason> {
    const amount = yield* Effect.fromResult(sentAmount(name, request.amount ?? noAmount))
    const { body } = yield* client.post("/v1/orders", {
      from: writeToken(request.sourceAsset),
      to: writeToken(request.destinationAsset),
      amount: `${amount}`,
      commissionBps: request.commissionBps,
      recipient: request.destinationAddress,
      refundTo: request.refundAddress,
      minimumOut: `${minimumOut(request, amount)}`,
    }, asking(request.sourceAsset, true))
    const order = yield* Effect.fromResult(decode(WireOrder, body))
    return yield* Effect.fromResult(toOpened(order, request, amount))
  }, failAs("open")),
  status: Effect.fn("Harbour.status")(function* (_channel, known) {
    const heard = yield* client.find(`/v1/orders/${known.depositChannel?.reference}`, asking())
    return Option.isNone(heard)
      ? Option.none()
      : Option.some(yield* observed(heard.value.body, heard.value.text, known))
  }, failAs("status")),
  findTransaction: Effect.fn("Harbour.findTransaction")(function* (transaction) {
    const heard = yield* client.find(`/v1/transactions/${encodeURIComponent(transaction)}`, asking())
    if (Option.isNone(heard)) return Option.none()
    const order = yield* Effect.fromResult(decode(WireOrder, heard.value.body))
    const source = readToken(order.from)
    if (source === undefined) return Option.none()
    const chain = chainOf(source)
    const address = yield* Effect.fromResult(addressAt("depositAddress", chain, order.depositAddress))
    return Option.some(TransactionTrace.Deposit({ channel: toChannelId(chain, address, order.createdAt) }))
  }, failAs("status")),
})
