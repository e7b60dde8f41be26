import { Effect, Option } from "effect"

import { isSent } from "#domain/quotes/ExactOutput.ts"
import { anyPrice } from "#domain/money/Price.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { Channels } from "../Provider.ts"

import { toleranceTo, toOpenedChannel } from "../upstream/openedOrder.ts"
import { beforeOpening } from "../upstream/failures.ts"
import { anySlippageBps, minimumOutput } from "../upstream/prices.ts"
import { servedChains } from "./chains.ts"
import type { Client } from "./client.ts"
import { capabilities, type Conditions, toPair } from "./conditions.ts"
import { checkOpening } from "../Capabilities.ts"
import { failAs, name } from "./errors.ts"
import { inquire, openingInquiry, withoutOpening } from "./inquiry.ts"
import { acceptOrder } from "./order.ts"
import { askPrice, exactOutputOf, outputOf } from "./quotes.ts"
import type { Options } from "./settings.ts"

/** The opening, after a quote where a price limit becomes a tolerance or a commission could be dropped. */
export const makeOpen = (client: Client, conditions: Conditions, options: Options): Channels["open"] => {
  const prepare = Effect.fnUntraced(function* (request: SwapRequest) {
    const amount = yield* Effect.fromResult(
      checkOpening({ name, capabilities, hasPayee: Option.isSome(options.feeRecipient) }, request),
    )
    const pair = yield* Effect.fromResult(toPair(yield* conditions.currencies, request))
    const inquiry = openingInquiry(pair, request, amount, options.feeRecipient)
    const leastFor = (amountIn: bigint) => minimumOutput(request, amountIn, request.minimumPrice)
    const present = Effect.map(
      askPrice(client, withoutOpening(inquiry)),
      ({ details }) => details.currencyOut.amount,
    )
    if (!isSent(amount)) {
      // The price limit is what may be asked for the output, which the opening tells.
      if (Option.isSome(inquiry.appFee)) yield* present
      return { pair, leastFor, inquiry }
    }
    const slippageBps = request.minimumPrice.value === anyPrice.value && Option.isNone(inquiry.appFee)
      ? anySlippageBps
      : yield* toleranceTo(leastFor(amount), present)
    return { pair, leastFor, inquiry: { ...inquiry, slippageBps } }
  })

  return Effect.fn("Relay.open")(function* (request) {
    const { inquiry, leastFor, pair } = yield* beforeOpening(prepare(request))
    const { answeredAt, body } = yield* inquire(client, inquiry)
    const openedAt = options.simulatedTime === true ? answeredAt : yield* currentMillis
    const accepted = acceptOrder(body, inquiry, { leastFor, openedAt })
    const order = yield* Effect.fromResult(accepted)
    const { currencyIn: { amount }, timeEstimate } = order.quote.details
    return {
      ...toOpenedChannel({
        request,
        amount,
        depositAddress: order.depositAddress,
        openedAt,
        expiry: order.expiry,
        reference: order.requestId,
        expectedOutputAmount: outputOf(order.quote, inquiry).amount,
        ...optionalMembers(exactOutputOf(order.quote, inquiry), (exactOutput) => ({ exactOutput })),
        estimatedDuration: timeEstimate,
        confirmations: servedChains[pair.source.chain].confirmations,
        payee: options.feeRecipient,
        explorerUrl: options.explorerUrl,
      }),
      // Less is refunded, and of more the rest.
      depositLimits: { minimum: amount, maximum: amount },
    }
  }, failAs("open"))
}
