import { Effect, Option } from "effect"
import { BrokerAccount } from "../../domain/Address.ts"
import { type NativeAmount, noAmount } from "../../domain/Amount.ts"
import { anyPrice, type Price } from "../../domain/Price.ts"
import { InsufficientLiquidity, type ProviderErrorReason } from "../../domain/ProviderError.ts"
import type { ChannelRecord, SwapStatus } from "../../domain/Swap.ts"
import type { SwapRequest } from "../../domain/SwapRequest.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { currentMillis } from "../../platform/currentMillis.ts"
import type { Channels, OpenedChannel } from "../Provider.ts"
import { toChannelId, toExpiryBlock } from "../upstream/coordinates.ts"
import { toExplorerUrl } from "../upstream/explorerUrl.ts"
import { beforeOpening } from "../upstream/failures.ts"
import { anySlippageBps, minimumOutput, slippageTolerance } from "../upstream/prices.ts"
import { servedFactsOf } from "./chains.ts"
import type { Client } from "./client.ts"
import { checkOpening, type Conditions, type Pair, toPair } from "./conditions.ts"
import { failAs } from "./errors.ts"
import { inquire, type Inquiry, openingInquiry, withoutOpening } from "./inquiry.ts"
import { acceptOrder, type Order } from "./order.ts"
import { askPrice } from "./quotes.ts"
import type { Options } from "./settings.ts"

/** What the record of an opening is made of besides the order. */
interface OpeningContext {
  readonly request: SwapRequest
  readonly pair: Pair
  readonly amount: NativeAmount
  readonly openedAt: EpochMillis
  readonly options: Pick<Options, "feeRecipient" | "explorerUrl">
}

const toRecord = (order: Order, { amount, openedAt, pair, request }: OpeningContext): ChannelRecord => ({
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
  expectedOutputAmount: order.quote.details.currencyOut.amount,
  reference: order.requestId,
})

const toWaiting = (order: Order, depositChannel: ChannelRecord, context: OpeningContext): SwapStatus => {
  const { options, pair, request } = context
  return {
    state: "waiting",
    sourceAsset: request.sourceAsset,
    destinationAsset: request.destinationAsset,
    destinationAddress: request.destinationAddress,
    depositChannel,
    estimatedDuration: order.quote.details.timeEstimate,
    sourceChainRequiredBlockConfirmations: servedFactsOf(pair.source.chain).confirmations,
    fees: [],
    brokers: Option.toArray(options.feeRecipient).map((account) => ({
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
const toOpenedChannel = (order: Order, context: OpeningContext): OpenedChannel => {
  const record = toRecord(order, context)
  const { amount, options } = context
  return {
    channel: {
      id: record.id,
      depositAddress: record.depositAddress,
      sourceExpiryBlock: record.sourceChainExpiryBlock,
      openingFee: noAmount,
      explorerUrl: toExplorerUrl(options.explorerUrl, record.id, record.depositAddress),
      reference: order.requestId,
    },
    status: toWaiting(order, record, context),
    // A strict address is bound to one order; one that comes again is a replay.
    isAddressUnique: true,
    // Less is refunded, and of more what is above.
    depositLimits: { minimum: amount, maximum: amount },
  }
}

const priceNotMet = new InsufficientLiquidity({ detail: "The price limit cannot be met at present" })

const isAnyPrice = (limit: Price): boolean => limit.value === anyPrice.value

/** An address that is not handed out stays unused; the operator should know why. */
const warnUnused = (reason: ProviderErrorReason) =>
  Effect.logWarning("A deposit address of the Relay service is not handed out", reason)

/**
 * The operation: a question without an opening where a price limit has to be made a tolerance, or a commission could
 * be dropped; then the one that opens.
 */
export const makeOpen = (client: Client, conditions: Conditions, options: Options): Channels["open"] => {
  /** How far below the present quote the limit is; there has to be a quote to tell. */
  const toleranceFor = (inquiry: Inquiry, minimum: bigint) =>
    Effect.flatMap(
      askPrice(client, withoutOpening(inquiry)),
      ({ details }) =>
        Option.match(slippageTolerance(minimum, details.currencyOut.amount), {
          onNone: () => Effect.fail<ProviderErrorReason>(priceNotMet),
          onSome: (slippageBps) => Effect.succeed(slippageBps),
        }),
    )

  const prepare = Effect.fnUntraced(function* (request: SwapRequest) {
    const amount = yield* Effect.fromResult(checkOpening(request, options.feeRecipient))
    const pair = yield* Effect.fromResult(toPair(yield* conditions.currencies, request))
    const inquiry = openingInquiry(pair, request, amount, options.feeRecipient)
    const minimum = minimumOutput(request, amount, request.minimumPrice)
    const slippageBps = isAnyPrice(request.minimumPrice) && Option.isNone(inquiry.appFee)
      ? anySlippageBps
      : yield* toleranceFor(inquiry, minimum)
    return { pair, amount, minimum, inquiry: { ...inquiry, slippageBps } }
  })

  return Effect.fn("Relay.open")(function* (request) {
    const { amount, inquiry, minimum, pair } = yield* beforeOpening(prepare(request))
    const { answeredAt, body } = yield* inquire(client, inquiry)
    const openedAt = options.simulatedTime === true ? answeredAt : yield* currentMillis
    const accepted = acceptOrder(body, inquiry, { minimumOutput: minimum, openedAt })
    const order = yield* Effect.tapError(Effect.fromResult(accepted), warnUnused)
    return toOpenedChannel(order, { request, pair, amount, openedAt, options })
  }, failAs("open"))
}
