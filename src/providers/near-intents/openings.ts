import { Effect, Option, Result } from "effect"
import { type Address, BrokerAccount, checkAddress } from "../../domain/Address.ts"
import { type NativeAmount, noAmount } from "../../domain/Amount.ts"
import { Network } from "../../domain/Chain.ts"
import { anyPrice, type Price } from "../../domain/Price.ts"
import {
  DepositChannelFailed,
  InsufficientLiquidity,
  MalformedBody,
  type ProviderErrorReason,
} from "../../domain/ProviderError.ts"
import type { ChannelRecord, SwapStatus } from "../../domain/Swap.ts"
import type { SwapRequest } from "../../domain/SwapRequest.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { currentMillis } from "../../platform/currentMillis.ts"
import type { Channels, OpenedChannel } from "../Provider.ts"
import { toExplorerUrl } from "../upstream/explorerUrl.ts"
import { isSameAddress, toChannelId, toExpiryBlock } from "../upstream/coordinates.ts"
import { anySlippageBps, minimumOutput, slippageTolerance } from "../upstream/prices.ts"
import { confirmationMillis, servedFactsOf } from "./chains.ts"
import type { Client } from "./client.ts"
import { checkOpening, type Conditions, type Pair, toPair } from "./conditions.ts"
import { failAs } from "./errors.ts"
import { inquire, type Inquiry, openingInquiry } from "./inquiry.ts"
import { inquireDry, readOrder, type SignedOrder } from "./quotes.ts"
import { type SigningKey, verifyQuote } from "./signature.ts"
import { beforeOpening } from "../upstream/failures.ts"
import type { Options } from "./settings.ts"

/** An open deposit address that may be handed out. */
interface Order {
  readonly depositAddress: Address
  /** What is deposited later is not swapped any more. */
  readonly expiry: EpochMillis
  /** Milliseconds from the confirmed deposit to the payout. */
  readonly timeEstimate: number
  /** What a deposit has to come to at least, where the upstream states it. */
  readonly minimumDeposit: Option.Option<NativeAmount>
}

/** What an order is held against besides its inquiry. */
interface OrderTerms {
  readonly key: SigningKey
  /** Native units of the destination asset. */
  readonly minimumOutput: bigint
  /** As it was asked for. */
  readonly deadline: EpochMillis
  /** The present time by which the service's times are read. */
  readonly now: EpochMillis
}

/** How far the service's clock may be from ours. What was signed longer ago is an answer to somebody else. */
const clocksDiffer = 10 * 60_000

/** Time to send a deposit, beside the time until it counts: an address that ends sooner is of no use. */
const leastDepositWindow = 5 * 60_000

/** A minimum of 0 is none. */
const minimumDepositOf = ({ minAmountIn }: SignedOrder): Option.Option<NativeAmount> =>
  Option.filter(Option.fromUndefinedOr(minAmountIn), (minimum) => minimum > 0n)

const malformed = (detail: string) => Result.fail(new MalformedBody({ detail, reached: true }))

/** A deposit to the refund address or to the destination would never be seen. */
const addressOf = (
  quote: SignedOrder,
  { pair, recipient, refundTo }: Inquiry,
): Result.Result<Address, MalformedBody> =>
  checkAddress(pair.source.chain, Network.literals, quote.depositAddress).pipe(
    Result.mapError((fault) =>
      new MalformedBody({ detail: `quote.depositAddress: ${fault}`, reached: true })
    ),
    Result.flatMap((address) =>
      [recipient, refundTo].some((own) => isSameAddress(pair.source.chain, own, address))
        ? malformed("quote.depositAddress: expected an address of the service, got one of the caller's")
        : Result.succeed(address)
    ),
  )

/** A signed answer that is handed out again is told by its time. */
const justMade = ({ timestamp }: SignedOrder, now: EpochMillis): Result.Result<void, MalformedBody> =>
  Math.abs(now - timestamp) <= clocksDiffer
    ? Result.void
    : malformed("timestamp: expected the present time, got another")

/** When the address stops to be watched counts more than the deadline. */
const expiryOf = (
  { timeWhenInactive, deadline }: SignedOrder,
  { pair }: Inquiry,
  now: EpochMillis,
): Result.Result<EpochMillis, MalformedBody> => {
  const expiry = timeWhenInactive ?? deadline
  if (expiry === undefined) return malformed("quote.deadline: expected a value, got nothing")
  return expiry - now >= confirmationMillis(pair.source.chain) + leastDepositWindow
    ? Result.succeed(expiry)
    : malformed(
      `quote.${timeWhenInactive === undefined ? "deadline" : "timeWhenInactive"}: ` +
        "expected time enough for a deposit, got less",
    )
}

/** Whoever forgets a memo loses the deposit, and the contract has no place for one. */
const withoutMemo = ({ depositMemo }: SignedOrder): Result.Result<void, DepositChannelFailed> =>
  depositMemo === undefined ? Result.void : Result.fail(
    new DepositChannelFailed({ detail: "Deposits would need a memo, and such channels are not served" }),
  )

const enough = (
  { amountOut, minAmountOut }: SignedOrder,
  minimumOutput: bigint,
): Result.Result<void, InsufficientLiquidity> => {
  if (amountOut === 0n) {
    return Result.fail(new InsufficientLiquidity({ detail: "Nothing of this amount would be paid out" }))
  }
  return minAmountOut >= minimumOutput ? Result.void : Result.fail(
    new InsufficientLiquidity({ detail: "The price has moved below the price limit: try again" }),
  )
}

/**
 * Reads the answer that opened a deposit address. The address is only given out when the service signed it just
 * now, it is about what was asked, takes the amount, needs no memo, belongs to the source chain and not to the
 * caller, lasts long enough for a deposit, and pays out enough.
 */
const acceptOrder = (
  body: unknown,
  inquiry: Inquiry,
  { key, minimumOutput, deadline, now }: OrderTerms,
): Result.Result<Order, ProviderErrorReason> =>
  Result.gen(function* () {
    yield* verifyQuote(body, key)
    const quote = yield* readOrder(body, inquiry, deadline)
    yield* justMade(quote, now)
    yield* withoutMemo(quote)
    const depositAddress = yield* addressOf(quote, inquiry)
    const expiry = yield* expiryOf(quote, inquiry, now)
    yield* enough(quote, minimumOutput)
    return {
      depositAddress,
      expiry,
      timeEstimate: quote.timeEstimate,
      minimumDeposit: minimumDepositOf(quote),
    }
  })

/** What the record of an opening is made of besides the order. */
interface OpeningContext {
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
const toOpenedChannel = (order: Order, context: OpeningContext): OpenedChannel => {
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

const priceNotMet = new InsufficientLiquidity({ detail: "The price limit cannot be met at present" })

const isAnyPrice = (limit: Price): boolean => limit.value === anyPrice.value

/** An address that is not handed out stays unused; the operator should know why. */
const warnUnused = (reason: ProviderErrorReason) =>
  Effect.logWarning("A deposit address of the 1Click service is not handed out", reason)

/** The operation: one dry inquiry where a price limit has to be made a tolerance, then the one that opens. */
export const makeOpen = (client: Client, conditions: Conditions, options: Options): Channels["open"] => {
  /** How far below the present quote the limit is; there has to be a quote to tell. */
  const toleranceFor = (inquiry: Inquiry, minimum: bigint) =>
    Effect.flatMap(
      inquireDry(client, inquiry),
      ({ amountOut }) =>
        Option.match(slippageTolerance(minimum, amountOut), {
          onNone: () => Effect.fail<ProviderErrorReason>(priceNotMet),
          onSome: (slippageBps) => Effect.succeed(slippageBps),
        }),
    )

  const prepare = Effect.fnUntraced(function* (request: SwapRequest) {
    const amount = yield* Effect.fromResult(checkOpening(request, options.feeAccount))
    const pair = yield* Effect.fromResult(toPair(yield* conditions.tokens, request))
    const inquiry = openingInquiry(pair, request, amount, options.feeAccount)
    const minimum = minimumOutput(request, amount, request.minimumPrice)
    const slippageBps = isAnyPrice(request.minimumPrice)
      ? anySlippageBps
      : yield* toleranceFor(inquiry, minimum)
    return { pair, amount, minimum, inquiry: { ...inquiry, slippageBps } }
  })

  return Effect.fn("NearIntents.open")(function* (request) {
    const { pair, amount, minimum, inquiry } = yield* beforeOpening(prepare(request))
    const { body, answeredAt, deadline } = yield* inquire(client, inquiry, { dry: false })
    const accepted = acceptOrder(body, inquiry, {
      key: options.publicKey,
      minimumOutput: minimum,
      deadline,
      now: options.simulatedTime === true ? answeredAt : yield* currentMillis,
    })
    const order = yield* Effect.tapError(Effect.fromResult(accepted), warnUnused)
    return toOpenedChannel(order, { request, pair, amount, openedAt: answeredAt, options })
  }, failAs("open"))
}
