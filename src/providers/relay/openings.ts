import { Effect, Option } from "effect"

import { anyPrice } from "../../domain/Price.ts"
import type { SwapRequest } from "../../domain/SwapRequest.ts"
import { currentMillis } from "../../platform/currentMillis.ts"
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
import { askPrice } from "./quotes.ts"
import type { Options } from "./settings.ts"

/**
 * The operation: a question without an opening where a price limit has to be made a tolerance, or a commission could
 * be dropped; then the one that opens.
 */
export const makeOpen = (client: Client, conditions: Conditions, options: Options): Channels["open"] => {
  const prepare = Effect.fnUntraced(function* (request: SwapRequest) {
    const amount = yield* Effect.fromResult(
      checkOpening({ name, capabilities, hasPayee: Option.isSome(options.feeRecipient) }, request),
    )
    const pair = yield* Effect.fromResult(toPair(yield* conditions.currencies, request))
    const inquiry = openingInquiry(pair, request, amount, options.feeRecipient)
    const minimum = minimumOutput(request, amount, request.minimumPrice)
    const present = Effect.map(
      askPrice(client, withoutOpening(inquiry)),
      ({ details }) => details.currencyOut.amount,
    )
    const slippageBps = request.minimumPrice.value === anyPrice.value && Option.isNone(inquiry.appFee)
      ? anySlippageBps
      : yield* toleranceTo(minimum, present)
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
        confirmations: servedChains[pair.source.chain].confirmations,
        payee: options.feeRecipient,
        explorerUrl: options.explorerUrl,
      }),
      // Less is refunded, and of more the rest.
      depositLimits: { minimum: amount, maximum: amount },
    }
  }, failAs("open"))
}
