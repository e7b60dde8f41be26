import { BigDecimal, Effect, Option, Predicate, Result, Schema } from "effect"
import { type NativeAmount, noAmount } from "#domain/money/Amount.ts"
import { type ExactOutput, isSent, unitsOf } from "#domain/quotes/ExactOutput.ts"
import { DepositBelowMinimum, type EgressBelowMinimum, type MalformedBody } from "#domain/ProviderError.ts"
import type { Quote } from "#domain/quotes/Quote.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { lightSpan } from "#infrastructure/platform/lightSpan.ts"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { Channels, Provider } from "../Provider.ts"
import { Amount, Count, decode, IsoTime, malformed, maybe, NeededSeconds, Text } from "../upstream/values.ts"
import * as OpenedOrder from "../upstream/openedOrder.ts"
import { anySlippageBps, estimatedPrice, minimumOutput } from "../upstream/prices.ts"
import { confirmationMillis, confirmationsOf } from "./chains.ts"
import { type Client, failAs, name } from "./client.ts"
import { type Charged, chargedBy, impactOf, sumOf, toFees, WireFees } from "./fees.ts"
import { capabilitiesOf, type Conditions, isIdOf } from "./conditions.ts"
import { toPair } from "../upstream/servedChains.ts"
import { checkOpening, checkQuote } from "../Capabilities.ts"
import * as Inquiries from "./inquiry.ts"
import type { House, Inquiry } from "./inquiry.ts"
import { type SigningKey, verifyQuote } from "./signature.ts"
import { onlyWitnessed } from "../upstream/witness.ts"
import { anyPrice } from "#domain/money/Price.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { beforeOpening } from "../upstream/failures.ts"
import type { Options } from "./settings.ts"

/** The members of a request that its answer repeats, with the fees that will be charged. */
const echo = {
  dry: Schema.Boolean,
  swapType: Schema.String,
  depositType: Schema.String,
  refundType: Schema.String,
  recipientType: Schema.String,
  originAsset: Schema.String,
  destinationAsset: Schema.String,
  amount: Text,
  refundTo: Schema.String,
  recipient: Schema.String,
  slippageTolerance: Count,
  depositMode: maybe(Schema.String),
  deadline: IsoTime,
  appFees: WireFees,
}
const WireEcho = Schema.Struct(echo)
type WireEcho = typeof WireEcho.Type

/** The figures of `quote`. `amountOut` is after `withdrawFee` (near-intents/wire.md 1). */
const figures = {
  amountIn: Amount,
  /** Smaller deposits are sent back. */
  minAmountIn: maybe(Amount),
  amountOut: Amount,
  minAmountOut: Amount,
  timeEstimate: NeededSeconds,
  withdrawFee: maybe(Amount),
  /** What sending back costs, in the source asset. */
  refundFee: maybe(Amount),
  depositMemo: maybe(Schema.String),
  /** Worth of the amounts in US dollars, at the upstream's prices; read apart, as they are shown only. */
  amountInUsd: Schema.optionalKey(Schema.Unknown),
  amountOutUsd: Schema.optionalKey(Schema.Unknown),
}
const WireFigures = Schema.Struct(figures)
export type WireFigures = typeof WireFigures.Type

export const WireDryQuote = Schema.Struct({ quoteRequest: WireEcho, quote: WireFigures })

/** The answer to a request that is not dry, which has opened a deposit address. */
export const WireOrder = Schema.Struct({
  /** The time when the service made the order; always signed. */
  timestamp: IsoTime,
  quoteRequest: WireEcho,
  quote: Schema.Struct({
    ...figures,
    depositAddress: Schema.String,
    deadline: maybe(IsoTime),
    timeWhenInactive: maybe(IsoTime),
  }),
})
export type WireOrder = typeof WireOrder.Type

/** Whether our fee is there with at least half and all are within the setting; the signature covers no fees. */
const hasFees = ({ appFees = [] }: WireEcho, { appFees: asked, house }: Inquiry): boolean => {
  const askedBps = sumOf(asked.map(({ fee }) => fee))
  return sumOf(appFees.map(({ fee }) => fee)) <= askedBps + house.otherFeesMostBps &&
    asked.every(({ fee, recipient }) => {
      const [own, second] = appFees.filter((row) => row.recipient === recipient)
      return own !== undefined && second === undefined && own.fee <= fee && 2 * own.fee >= fee
    })
}

/** The quote of an order, when it was made, and when refunds begin. */
export type SignedOrder = WireOrder["quote"] & Pick<WireOrder, "timestamp"> & {
  readonly refundsBegin: EpochMillis
}

/** The first member that differs from the request. The deadline may: an order's earliest time counts (`earliestExpiry`). */
const mismatch = (
  { quoteRequest, quote }: { readonly quoteRequest: WireEcho; readonly quote: WireFigures },
  inquiry: Inquiry,
  dry: boolean,
): string | undefined => {
  const { source, destination } = inquiry.pair
  const same: Readonly<Record<Exclude<keyof WireEcho, "deadline">, boolean>> = {
    dry: quoteRequest.dry === dry,
    swapType: quoteRequest.swapType === Inquiries.swapTypeOf(inquiry.amount),
    depositType: quoteRequest.depositType === Inquiries.route.depositType,
    refundType: quoteRequest.refundType === Inquiries.route.refundType,
    recipientType: quoteRequest.recipientType === Inquiries.route.recipientType,
    originAsset: isIdOf(source, quoteRequest.originAsset),
    destinationAsset: isIdOf(destination, quoteRequest.destinationAsset),
    amount: quoteRequest.amount === `${unitsOf(inquiry.amount)}`,
    refundTo: OpenedOrder.isSameAddress(source.chain, quoteRequest.refundTo, inquiry.refundTo),
    recipient: OpenedOrder.isSameAddress(destination.chain, quoteRequest.recipient, inquiry.recipient),
    slippageTolerance: quoteRequest.slippageTolerance === inquiry.slippageBps,
    depositMode: quoteRequest.depositMode === undefined || quoteRequest.depositMode === "SIMPLE",
    appFees: hasFees(quoteRequest, inquiry),
  }
  const [member] = Object.entries(same).find(([, holds]) => !holds) ?? []
  if (member !== undefined) return `quoteRequest.${member}: expected what was asked, got something else`
  return isSent(inquiry.amount)
    ? sentFault(quote, inquiry.amount)
    : receivedFault(quote, inquiry.amount.amount)
}

const sentFault = ({ amountIn }: WireFigures, amount: NativeAmount): string | undefined =>
  amountIn === amount ? undefined : `quote.amountIn: expected ${amount}, got ${amountIn}`

/** An output below the one that was asked for has been seen (near-intents/wire.md 1, exact output). */
const receivedFault = (
  { amountIn, amountOut, minAmountIn = noAmount, minAmountOut }: WireFigures,
  asked: NativeAmount,
): string | undefined => {
  if (amountOut < asked) return `quote.amountOut: expected ${asked} at least, got ${amountOut}`
  if (minAmountOut < asked) return `quote.minAmountOut: expected ${asked} at least, got ${minAmountOut}`
  return minAmountIn > 0n && minAmountIn <= amountIn
    ? undefined
    : `quote.minAmountIn: expected up to ${amountIn}, got ${minAmountIn}`
}

/** Nothing asks for a memo. A payer who forgets one loses the deposit, and the contract has no place for it. */
const memoFault = ({ depositMemo }: WireFigures): string | undefined =>
  depositMemo === undefined
    ? undefined
    : "quote.depositMemo: expected none, as a deposit takes an address and an amount alone, got one"

const checked = <A extends { readonly quoteRequest: WireEcho; readonly quote: WireFigures }>(
  answer: A,
  inquiry: Inquiry,
  dry: boolean,
): Result.Result<A, MalformedBody> => {
  const detail = mismatch(answer, inquiry, dry) ?? memoFault(answer.quote)
  return detail === undefined ? Result.succeed(answer) : malformed(detail)
}

/** Refuses an amount below 1Click's minimum, which would only come back; an exact output promises nothing more. */
const enoughDeposited = <A extends WireFigures>(figures: A, { amount, pair }: Inquiry) =>
  !isSent(amount)
    ? Result.succeed({ ...figures, amountOut: amount.amount, minAmountOut: amount.amount })
    : figures.minAmountIn === undefined || figures.minAmountIn <= amount
    ? Result.succeed(figures)
    : Result.fail(new DepositBelowMinimum({ asset: pair.source.asset, minimum: figures.minAmountIn }))

/** Reads the answer to a dry inquiry. Fails where it is about another request. */
const readDryQuote = (body: unknown, inquiry: Inquiry) =>
  Result.gen(function* () {
    const { quote, quoteRequest } = yield* checked(yield* decode(WireDryQuote, body), inquiry, true)
    yield* Inquiries.withinLimits(quote, inquiry.pair)
    const charged = chargedBy(quoteRequest.appFees ?? [], inquiry.house.feeAccount)
    return { ...yield* enoughDeposited(quote, inquiry), charged }
  })

/** Reads the answer to an inquiry that is not dry. Fails where it is about another request. */
export const readOrder = (
  body: unknown,
  inquiry: Inquiry,
): Result.Result<SignedOrder, MalformedBody | DepositBelowMinimum | EgressBelowMinimum> =>
  Result.gen(function* () {
    const { quote, quoteRequest, timestamp } = yield* checked(yield* decode(WireOrder, body), inquiry, false)
    yield* Inquiries.withinLimits(quote, inquiry.pair)
    return { ...yield* enoughDeposited(quote, inquiry), timestamp, refundsBegin: quoteRequest.deadline }
  })

export const exactOutputOf = (
  { amountIn, minAmountIn = amountIn, refundFee }: WireFigures,
  { amount, pair }: Inquiry,
): ExactOutput | undefined =>
  isSent(amount) ? undefined : {
    amount: amount.amount,
    sendAtMost: amountIn,
    sendAtLeast: Inquiries.leastDeposit(minAmountIn, pair),
    ...optionalMembers(refundFee, (refundFee) => ({ refundFee })),
  }

/** A dry quote as ours. 1Click's estimate is one figure from confirmed deposit to payout: all of it is the swap's. */
const toQuote = (wire: WireFigures & { readonly charged: Charged }, inquiry: Inquiry): Quote => {
  const { pair, slippageBps } = inquiry
  const assets = { sourceAsset: pair.source.asset, destinationAsset: pair.destination.asset }
  const deposit = confirmationMillis(pair.source.chain)
  return {
    platform: name,
    ingress: { asset: assets.sourceAsset, amount: wire.amountIn },
    egress: { asset: assets.destinationAsset, amount: wire.amountOut },
    fees: toFees({ ...wire, ...assets }),
    pools: [],
    lowLiquidityWarning: false,
    durations: { deposit, swap: wire.timeEstimate, egress: 0 },
    totalDuration: deposit + wire.timeEstimate,
    estimatedPrice: estimatedPrice(assets, wire.amountIn, wire.amountOut),
    recommendedSlippageTolerancePercent: BigDecimal.normalize(BigDecimal.make(BigInt(slippageBps), 2)),
    // What is asked for an output has the tolerance in it, so that its worth tells nothing of the price.
    ...defined({ priceImpactPercent: isSent(inquiry.amount) ? impactOf(wire) : undefined }),
    ...optionalMembers(exactOutputOf(wire, inquiry), (exactOutput) => ({ exactOutput })),
  }
}

/** Asks for a quote that opens nothing. Its signature only shows whether that of the next opening will verify. */
export const inquireDry = (client: Client, inquiry: Inquiry) =>
  Effect.flatMap(Inquiries.inquire(client, inquiry, { dry: true }), ({ body }) => {
    onlyWitnessed(() => verifyQuote(body, inquiry.house.publicKey))
    return Effect.fromResult(readDryQuote(body, inquiry))
  })

export const makeQuotes = (client: Client, conditions: Conditions, house: House): Provider["quotes"] =>
  Effect.fnUntraced(
    function* (request) {
      yield* Effect.fromResult(checkQuote(
        { name, capabilities: capabilitiesOf(house), hasPayee: Option.isSome(house.feeAccount) },
        request,
      ))
      const pair = yield* Effect.fromResult(toPair(yield* conditions.tokens, request))
      const inquiry = Inquiries.quoteInquiry(pair, request, house)
      const figures = yield* inquireDry(client, inquiry)
      // An output of nothing is no offer.
      return figures.amountOut === 0n ? [] : [toQuote(figures, inquiry)]
    },
    failAs("quote"),
    lightSpan("NearIntents.quotes"),
  )

interface OrderTerms {
  readonly key: SigningKey
  /** The least output that the price limit takes for an amount; native units of both assets. */
  readonly leastFor: (amountIn: bigint) => bigint
  readonly now: EpochMillis
}

/** The most that the service's clock may differ from ours. An answer signed longer ago was made for another request. */
const clocksDiffer = 10 * 60_000

/** The minimum deposit of an order; 0 means that there is none. */
const minimumDepositOf = ({ minAmountIn = noAmount }: SignedOrder, { pair }: Inquiry) =>
  Option.liftPredicate(Inquiries.leastDeposit(minAmountIn, pair), (minimum) => minimum > 0n)

/** Refuses an order that was not signed just now: an old signed answer may be a replay. */
const justMade = ({ timestamp }: SignedOrder, now: EpochMillis): Result.Result<void, MalformedBody> =>
  Math.abs(now - timestamp) <= clocksDiffer
    ? Result.void
    : malformed("timestamp: expected the present time, got another")

/** The earliest of our time and an order's own (near-intents/wire.md 1, times), if there is time enough for a deposit. */
const earliestExpiry = (
  { timeWhenInactive, deadline, refundsBegin }: SignedOrder,
  inquiry: Inquiry,
  now: EpochMillis,
): Result.Result<EpochMillis, MalformedBody> =>
  OpenedOrder.usableUntil(
    "quote.deadline",
    Math.min(
      Inquiries.expiryOf(inquiry, now),
      refundsBegin,
      ...[deadline, timeWhenInactive].filter(Predicate.isNotUndefined),
    ),
    now + confirmationMillis(inquiry.pair.source.chain),
  )

/** Reads an opening. An address is given out only if 1Click signed it just now and every check passes. */
const acceptOrder = (body: unknown, inquiry: Inquiry, terms: OrderTerms) =>
  Result.gen(function* () {
    const providerSignature = yield* verifyQuote(body, terms.key)
    const quote = yield* readOrder(body, inquiry)
    yield* justMade(quote, terms.now)
    const { pair: { source }, recipient, refundTo } = inquiry
    const depositAddress = yield* OpenedOrder.depositAddressAt(
      "quote.depositAddress",
      source.chain,
      quote.depositAddress,
      [recipient, refundTo],
    )
    const expiry = yield* earliestExpiry(quote, inquiry, terms.now)
    yield* OpenedOrder.checkOutput(
      { amount: quote.amountOut, least: quote.minAmountOut },
      terms.leastFor(quote.amountIn),
    )
    return {
      depositAddress,
      expiry,
      timeEstimate: quote.timeEstimate,
      expectedOutputAmount: quote.amountOut,
      minimumDeposit: minimumDepositOf(quote, inquiry),
      amount: quote.amountIn,
      ...optionalMembers(exactOutputOf(quote, inquiry), (exactOutput) => ({ exactOutput })),
      // The service knows an order by its own text only, which may have another form.
      ...(quote.depositAddress === depositAddress ? {} : { reference: quote.depositAddress }),
      providerSignature,
    }
  })

/** Makes the operation: a dry inquiry where a price limit has to become a tolerance, then the one that opens. */
export const makeOpen = (client: Client, conditions: Conditions, options: Options): Channels["open"] => {
  const prepare = Effect.fnUntraced(function* (request: SwapRequest) {
    const amount = yield* Effect.fromResult(checkOpening(
      { name, capabilities: capabilitiesOf(options), hasPayee: Option.isSome(options.feeAccount) },
      request,
    ))
    const pair = yield* Effect.fromResult(toPair(yield* conditions.tokens, request))
    const inquiry = Inquiries.openingInquiry(pair, request, amount, options)
    const leastFor = (amountIn: bigint) => minimumOutput(request, amountIn, request.minimumPrice)
    // The price limit of an output that was asked for is what may be asked for it, which the answer tells.
    const slippageBps = !isSent(amount)
      ? inquiry.slippageBps
      : request.minimumPrice.value === anyPrice.value
      ? anySlippageBps
      : yield* OpenedOrder.toleranceTo(
        leastFor(amount),
        Effect.map(inquireDry(client, inquiry), ({ amountOut }) => amountOut),
      )
    return { pair, leastFor, inquiry: { ...inquiry, slippageBps } }
  })

  return Effect.fn("NearIntents.open")(function* (request) {
    const { pair, leastFor, inquiry } = yield* beforeOpening(prepare(request))
    const { body, answeredAt } = yield* Inquiries.inquire(client, inquiry, { dry: false })
    const accepted = acceptOrder(body, inquiry, {
      key: options.publicKey,
      leastFor,
      now: options.simulatedTime === true ? answeredAt : yield* currentMillis,
    })
    const order = yield* Effect.fromResult(accepted)
    return {
      ...OpenedOrder.toOpenedChannel({
        ...order,
        request,
        openedAt: answeredAt,
        estimatedDuration: confirmationMillis(pair.source.chain) + order.timeEstimate,
        confirmations: confirmationsOf(pair.source.chain),
        payee: options.feeAccount,
        // The explorer knows an order by the upstream's own text, too.
        explorerUrl: options.explorerUrl.replaceAll(
          "{depositAddress}",
          order.reference ?? order.depositAddress,
        ),
      }),
      depositLimits: {
        ...optionalMembers(Option.getOrUndefined(order.minimumDeposit), (minimum) => ({ minimum })),
        ...(order.exactOutput === undefined ? {} : { maximum: order.amount }),
      },
    }
  }, failAs("open"))
}
