import { Effect, Option, Predicate, Result } from "effect"
import { noAmount } from "#domain/money/Amount.ts"
import { isSent } from "#domain/quotes/ExactOutput.ts"
import { anyPrice } from "#domain/money/Price.ts"
import type { MalformedBody } from "#domain/ProviderError.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { Channels } from "../Provider.ts"
import { malformed } from "../upstream/decode.ts"
import { anySlippageBps, minimumOutput } from "../upstream/prices.ts"
import { confirmationMillis, confirmationsOf } from "./chains.ts"
import type { Client } from "./client.ts"
import { capabilitiesOf, type Conditions, toPair } from "./conditions.ts"
import { checkOpening } from "../Capabilities.ts"
import { failAs, name } from "./errors.ts"
import { expiryOf, inquire, type Inquiry, openingInquiry } from "./inquiry.ts"
import { leastDeposit } from "./limits.ts"
import { exactOutputOf, inquireDry, readOrder, type SignedOrder } from "./quotes.ts"
import { type SigningKey, verifyQuote } from "./signature.ts"
import {
  checkOutput,
  depositAddressAt,
  toleranceTo,
  toOpenedChannel,
  usableUntil,
} from "../upstream/openedOrder.ts"
import { beforeOpening } from "../upstream/failures.ts"
import type { Options } from "./settings.ts"

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
  Option.liftPredicate(leastDeposit(minAmountIn, pair), (minimum) => minimum > 0n)

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
  usableUntil(
    "quote.deadline",
    Math.min(
      expiryOf(inquiry, now),
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
    const depositAddress = yield* depositAddressAt(
      "quote.depositAddress",
      source.chain,
      quote.depositAddress,
      [recipient, refundTo],
    )
    const expiry = yield* earliestExpiry(quote, inquiry, terms.now)
    yield* checkOutput({ amount: quote.amountOut, least: quote.minAmountOut }, terms.leastFor(quote.amountIn))
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
    const inquiry = openingInquiry(pair, request, amount, options)
    const leastFor = (amountIn: bigint) => minimumOutput(request, amountIn, request.minimumPrice)
    // The price limit of an output that was asked for is what may be asked for it, which the answer tells.
    const slippageBps = !isSent(amount)
      ? inquiry.slippageBps
      : request.minimumPrice.value === anyPrice.value
      ? anySlippageBps
      : yield* toleranceTo(
        leastFor(amount),
        Effect.map(inquireDry(client, inquiry), ({ amountOut }) => amountOut),
      )
    return { pair, leastFor, inquiry: { ...inquiry, slippageBps } }
  })

  return Effect.fn("NearIntents.open")(function* (request) {
    const { pair, leastFor, inquiry } = yield* beforeOpening(prepare(request))
    const { body, answeredAt } = yield* inquire(client, inquiry, { dry: false })
    const accepted = acceptOrder(body, inquiry, {
      key: options.publicKey,
      leastFor,
      now: options.simulatedTime === true ? answeredAt : yield* currentMillis,
    })
    const order = yield* Effect.fromResult(accepted)
    return {
      ...toOpenedChannel({
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
