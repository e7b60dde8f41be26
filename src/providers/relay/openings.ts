import { Effect, Option } from "effect"

import { anyPrice, type Price } from "../../domain/Price.ts"
import type { ProviderErrorReason } from "../../domain/ProviderError.ts"
import type { SwapRequest } from "../../domain/SwapRequest.ts"

import { currentMillis } from "../../platform/currentMillis.ts"
import type { Channels } from "../Provider.ts"

import { toOpenedChannel } from "../upstream/openedOrder.ts"
import { beforeOpening } from "../upstream/failures.ts"
import { anySlippageBps, minimumOutput, slippageTolerance } from "../upstream/prices.ts"
import { servedFactsOf } from "./chains.ts"
import type { Client } from "./client.ts"
import { capabilities, type Conditions, toPair } from "./conditions.ts"
import { checkOpening, limitNotMet } from "../Capabilities.ts"
import { failAs, name } from "./errors.ts"
import { inquire, type Inquiry, openingInquiry, withoutOpening } from "./inquiry.ts"
import { acceptOrder } from "./order.ts"
import { askPrice } from "./quotes.ts"
import type { Options } from "./settings.ts"

const isAnyPrice = (limit: Price): boolean => limit.value === anyPrice.value

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
          onNone: () => Effect.fail<ProviderErrorReason>(limitNotMet),
          onSome: (slippageBps) => Effect.succeed(slippageBps),
        }),
    )

  const prepare = Effect.fnUntraced(function* (request: SwapRequest) {
    const amount = yield* Effect.fromResult(
      checkOpening({ name, capabilities, hasPayee: Option.isSome(options.feeRecipient) }, request),
    )
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
    const order = yield* Effect.fromResult(accepted)
    const { currencyOut, timeEstimate } = order.quote.details
    return {
      ...toOpenedChannel({
        request,
        amount,
        depositAddress: order.depositAddress,
        openedAt,
        expiry: order.expiry,
        reference: order.requestId,
        expectedOutputAmount: currencyOut.amount,
        estimatedDuration: timeEstimate,
        confirmations: servedFactsOf(pair.source.chain).confirmations,
        payee: options.feeRecipient,
        explorerUrl: options.explorerUrl,
      }),
      // Less is refunded, and of more the rest.
      depositLimits: { minimum: amount, maximum: amount },
    }
  }, failAs("open"))
}
