import { factsOf, noAmount, type ProviderErrorReason, type Quote } from "@swap-broker/core/domain"
import {
  anHttpUrl,
  type AssetSupport,
  decode,
  defineProvider,
  estimatedPrice,
  HttpUrl,
  type Provider,
  Registry,
  requiredSetting,
  sentAmount,
  struct,
} from "@swap-broker/core/provider"
import { BigDecimal, Effect, Layer, Schema } from "effect"
import { HttpClient } from "effect/http"
import { checkRepeated, makeChannels, toTerms } from "./orders.ts"
import {
  asking,
  type Client,
  failAs,
  makeClient,
  name,
  type Options,
  readToken,
  WireAssets,
  WireQuote,
} from "./wire.ts"

/** What the upstream lists and the catalogue has, where both count its decimals alike. */
const makeAssets = ({ get }: Client): Provider["assets"] =>
  Effect.gen(function* () {
    const { body } = yield* get("/v1/assets", asking())
    const supports: Array<AssetSupport> = []
    for (const { decimals, minimum, token } of yield* Effect.fromResult(decode(WireAssets, body))) {
      const asset = readToken(token)
      if (asset === undefined) continue
      if (factsOf(asset).decimals === decimals) {
        supports.push({ asset, ingress: true, egress: true, minimumDeposit: minimum })
      } else yield* Effect.logError(`Left out ${asset}: the upstream says ${decimals} decimals`)
    }
    return supports
  }).pipe(failAs("assets"))

const makeQuotes = ({ get }: Client): Provider["quotes"] =>
  Effect.fn("Example.quotes")(
    function* (request): Effect.fn.Return<ReadonlyArray<Quote>, ProviderErrorReason> {
      const { destinationAsset, sourceAsset } = request
      const amount = yield* Effect.fromResult(sentAmount(name, request.amount))
      const terms = toTerms(request, amount)
      const { body } = yield* get("/v1/quote", asking(sourceAsset), terms)
      const quote = yield* Effect.fromResult(decode(WireQuote, body))
      yield* Effect.fromResult(checkRepeated(terms, quote))
      const { amountOut, commission, seconds } = quote
      return [{
        platform: name,
        ingress: { asset: sourceAsset, amount },
        egress: { asset: destinationAsset, amount: amountOut },
        fees: commission === noAmount
          ? []
          : [{ type: "broker", asset: destinationAsset, amount: commission }],
        pools: [],
        lowLiquidityWarning: false,
        durations: { deposit: 0, swap: seconds, egress: 0 },
        totalDuration: seconds,
        estimatedPrice: estimatedPrice(request, amount, amountOut),
        recommendedSlippageTolerancePercent: BigDecimal.fromBigInt(1n),
      }]
    },
    failAs("quote"),
  )

/** The port's operations over the upstream. */
export const make = Effect.fnUntraced(
  function* (options: Options): Effect.fn.Return<Provider, never, HttpClient.HttpClient> {
    const client = makeClient(yield* HttpClient.HttpClient, options)
    return {
      name,
      capabilities: {
        maximumCommissionBps: 300,
        affiliates: false,
        boost: false,
        dca: false,
        ccm: false,
        needsAmount: true,
        retry: false,
        lateDeposit: "untold",
        ends: { limit: "as ordered", deposit: "told", paysByDeposit: false, pays: "one" },
      },
      assets: makeAssets(client),
      quotes: makeQuotes(client),
      channels: makeChannels(client),
    }
  },
)

/** What a service is started with. */
export const provider = defineProvider({
  name,
  contact: { title: "Example" },
  settings: struct({
    url: requiredSetting({
      name: "EXAMPLE_URL",
      schema: HttpUrl,
      expected: anHttpUrl,
      meaning: "Example: its API",
    }),
    apiKey: requiredSetting({
      name: "EXAMPLE_KEY",
      schema: Schema.RedactedFromValue(Schema.NonEmptyString),
      expected: "a key",
      meaning: "Example: the operator's key there",
    }),
  }),
  layer: (options) =>
    Layer.effectDiscard(Effect.gen(function* () {
      yield* (yield* Registry).register(yield* make(options))
    })),
})
