import { Effect, Option } from "effect"
import { anyPrice, type Price } from "../../domain/Price.ts"
import { NativeAmount } from "../../domain/Amount.ts"
import { InsufficientLiquidity, type ProviderErrorReason } from "../../domain/ProviderError.ts"
import { ProviderName } from "../../domain/ProviderName.ts"
import type { SwapRequest } from "../../domain/SwapRequest.ts"
import { currentMillis } from "../../platform/currentMillis.ts"
import { lightSpan } from "../../platform/lightSpan.ts"
import type { AssetSupport, Provider } from "../Provider.ts"
import { beforeOpening, failAs as failuresOf } from "../upstream/failures.ts"
import { logged } from "../upstream/notices.ts"
import type { Catalogue } from "./Catalogue.ts"
import type { OneClick } from "./client/OneClick.ts"
import { capabilities, checkOpening, checkQuote } from "./honour.ts"
import type { Options } from "./Options.ts"
import { readDryQuote } from "./transform/answer.ts"
import {
  askedOf,
  deadlineOf,
  type Inquiry,
  openingInquiry,
  quoteInquiry,
  toQuoteBody,
} from "./transform/inquiry.ts"
import { toOpenedChannel } from "./transform/opening.ts"
import { acceptOrder } from "./transform/order.ts"
import { toPair } from "./transform/pair.ts"
import { minimumOutput } from "./transform/price.ts"
import { toQuote } from "./transform/quote.ts"
import { anySlippageBps, slippageTolerance } from "./transform/slippage.ts"
import { readStatus } from "./transform/status.ts"
import type { Tokens } from "./transform/tokens.ts"

/** The neutral name of the provider, as in `platform`. */
export const name = ProviderName.make("near-intents")

const failAs = failuresOf(name)

/** The service publishes no minimums; it refuses what is too little when it is asked. */
const leastDeposit = NativeAmount.make(1n)

const toSupport = (tokens: Tokens, arePricesFresh: boolean): ReadonlyArray<AssetSupport> =>
  [...tokens.values()].map(({ asset, usdPrice }) => ({
    asset,
    ingress: true,
    egress: true,
    minimumDeposit: leastDeposit,
    ...(arePricesFresh && usdPrice !== undefined ? { usdPrice } : {}),
  }))

const priceNotMet = new InsufficientLiquidity({ detail: "The price limit cannot be met at present" })

const isAnyPrice = (limit: Price): boolean => limit.value === anyPrice.value

/** The adapter: the port's operations over the 1Click API. */
export const make = (options: Options, client: OneClick, catalogue: Catalogue): Provider => {
  const ask = Effect.fnUntraced(function* (inquiry: Inquiry, { dry }: { readonly dry: boolean }) {
    const deadline = deadlineOf(inquiry, yield* currentMillis)
    const body = toQuoteBody(inquiry, { dry, deadline })
    const heard = yield* client.quote(body, askedOf(inquiry, { dry }))
    return { ...heard, deadline }
  })

  const askDry = (inquiry: Inquiry) =>
    Effect.flatMap(
      ask(inquiry, { dry: true }),
      ({ body, deadline }) => Effect.fromResult(readDryQuote(body, inquiry, deadline)),
    )

  /** How far below the present quote the limit is; there has to be a quote to tell. */
  const toleranceFor = (inquiry: Inquiry, minimum: bigint) =>
    Effect.flatMap(askDry(inquiry), ({ amountOut }) =>
      Option.match(slippageTolerance(minimum, amountOut), {
        onNone: () => Effect.fail<ProviderErrorReason>(priceNotMet),
        onSome: (slippageBps) => Effect.succeed(slippageBps),
      }))

  const prepare = Effect.fnUntraced(function* (request: SwapRequest) {
    const amount = yield* Effect.fromResult(checkOpening(name, request, options.feeAccount))
    const pair = yield* Effect.fromResult(toPair(yield* catalogue.tokens, request))
    const inquiry = openingInquiry(pair, request, amount, options.feeAccount)
    const minimum = minimumOutput(request, amount, request.minimumPrice)
    const slippageBps = isAnyPrice(request.minimumPrice)
      ? anySlippageBps
      : yield* toleranceFor(inquiry, minimum)
    return { pair, amount, minimum, inquiry: { ...inquiry, slippageBps } }
  })

  /** An address that is not handed out stays unused; the operator should know why. */
  const warnUnused = (reason: ProviderErrorReason) =>
    Effect.logWarning("A deposit address of the 1Click service is not handed out", reason)

  return {
    name,
    capabilities,
    assets: Effect.zipWith(catalogue.tokens, catalogue.arePricesFresh, toSupport).pipe(
      failAs("assets"),
      Effect.withSpan("NearIntents.assets"),
    ),
    quotes: Effect.fnUntraced(
      function* (request) {
        yield* Effect.fromResult(checkQuote(name, request, options.feeAccount))
        const pair = yield* Effect.fromResult(toPair(yield* catalogue.tokens, request))
        const inquiry = quoteInquiry(pair, request, options.feeAccount)
        const figures = yield* askDry(inquiry)
        // An output of nothing is no offer.
        return figures.amountOut === 0n ? [] : [toQuote(figures, inquiry, name)]
      },
      failAs("quote"),
      lightSpan("NearIntents.quotes"),
    ),
    open: Effect.fn("NearIntents.open")(function* (request) {
      const { pair, amount, minimum, inquiry } = yield* beforeOpening(prepare(request))
      const { body, answeredAt, deadline } = yield* ask(inquiry, { dry: false })
      const accepted = acceptOrder(body, inquiry, {
        key: options.publicKey,
        minimumOutput: minimum,
        deadline,
        now: options.simulatedTime === true ? answeredAt : yield* currentMillis,
      })
      const order = yield* Effect.tapError(Effect.fromResult(accepted), warnUnused)
      return toOpenedChannel(order, { request, pair, amount, openedAt: answeredAt, options })
    }, failAs("open")),
    status: Effect.fnUntraced(
      function* (_channel, known) {
        const { depositChannel } = known
        if (depositChannel === undefined) return Option.none()
        const tokens = yield* catalogue.tokens
        const heard = yield* client.status(depositChannel.depositAddress)
        if (Option.isNone(heard)) return Option.none()
        const { body, text, answeredAt } = heard.value
        const { status } = yield* logged(
          readStatus(body, { known, depositChannel, tokens, now: answeredAt }),
        )
        return Option.some({ status, body: text })
      },
      failAs("status"),
      lightSpan("NearIntents.status"),
    ),
  }
}
