import { factsOf, noAmount, type ProviderErrorReason, type Quote } from "@swap-broker/core/domain"
import {
  anHttpUrl,
  type AssetSupport,
  decode,
  defineProvider,
  estimatedPrice,
  HttpUrl,
  malformed,
  type Provider,
  Registry,
  requiredSetting,
  sentAmount,
  struct,
  type Treasury,
} from "@swap-broker/core/provider"
import { Comparison } from "@swap-broker/core/domain"
import { BigDecimal, Effect, Layer, Schema } from "effect"
import { HttpClient } from "effect/http"
import { makeChannels } from "./orders.ts"
import { assets, chains } from "./rows.ts"
import {
  asking,
  type Client,
  failAs,
  makeClient,
  name,
  type Options,
  readToken,
  WireAccount,
  WireAssets,
  WireQuote,
  writeToken,
} from "./wire.ts"

/** What the exchange lists and the catalogue has, where both count its decimals alike. */
const makeAssets = ({ get }: Client): Provider["assets"] =>
  Effect.gen(function* () {
    const { body } = yield* get("/v1/assets", asking())
    const supports: Array<AssetSupport> = []
    for (const { decimals, dollars, minimum, token } of yield* Effect.fromResult(decode(WireAssets, body))) {
      const asset = readToken(token)
      if (asset === undefined) continue
      if (factsOf(asset).decimals !== decimals) {
        yield* Effect.logError(`Left out ${asset}: the exchange says ${decimals} decimals`)
        continue
      }
      supports.push({ asset, ingress: true, egress: true, minimumDeposit: minimum, usdPrice: dollars })
    }
    return supports
  }).pipe(failAs("assets"))

const makeQuotes = ({ get }: Client): Provider["quotes"] =>
  Effect.fn("Harbour.quotes")(
    function* (request): Effect.fn.Return<ReadonlyArray<Quote>, ProviderErrorReason> {
      const { commissionBps, destinationAsset, sourceAsset } = request
      const amount = yield* Effect.fromResult(sentAmount(name, request.amount))
      const { body } = yield* get("/v1/quote", asking(sourceAsset), {
        from: writeToken(sourceAsset),
        to: writeToken(destinationAsset),
        amount: `${amount}`,
        commissionBps: `${commissionBps}`,
      })
      const quote = yield* Effect.fromResult(decode(WireQuote, body))
      const { amountOut, commission, seconds } = quote
      const isAsked = quote.from === writeToken(sourceAsset) && quote.to === writeToken(destinationAsset) &&
        quote.amountIn === amount && quote.commissionBps === commissionBps
      if (!isAsked) {
        return yield* Effect.fromResult(
          malformed("from, to, amountIn, commissionBps: expected those asked for"),
        )
      }
      return [{
        platform: name,
        ingress: { asset: sourceAsset, amount },
        egress: { asset: destinationAsset, amount: amountOut },
        fees: commission === noAmount
          ? []
          : [{ type: "broker", asset: destinationAsset, amount: commission }],
        pools: [],
        lowLiquidityWarning: false,
        durations: { deposit: seconds, swap: 0, egress: 0 },
        totalDuration: seconds,
        estimatedPrice: estimatedPrice(request, amount, amountOut),
        recommendedSlippageTolerancePercent: BigDecimal.fromBigInt(1n),
      }]
    },
    failAs("quote"),
  )

const makeTreasury = ({ get }: Client): Treasury => ({
  account: Effect.gen(function* () {
    const { body } = yield* get("/v1/account", asking())
    const held = yield* Effect.fromResult(decode(WireAccount, body))
    return {
      account: "harbour-operator",
      earned: held.flatMap(({ amount, token }) => {
        const asset = readToken(token)
        return asset === undefined ? [] : [{ asset, amount }]
      }),
      affiliates: [],
    }
  }).pipe(failAs("treasury")),
  comparison: Comparison.Exact(),
})

/** The port's operations over the exchange. */
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
      treasury: makeTreasury(client),
    }
  },
)

export const harbour = defineProvider({
  name,
  chains,
  assets,
  settings: struct({
    url: requiredSetting({
      name: "HARBOUR_URL",
      schema: HttpUrl,
      expected: anHttpUrl,
      meaning: "Harbour: its API",
    }),
    apiKey: requiredSetting({
      name: "HARBOUR_KEY",
      schema: Schema.RedactedFromValue(Schema.NonEmptyString),
      expected: "a key",
      meaning: "Harbour: the operator's key there",
    }),
  }),
  layer: (options) =>
    Layer.effectDiscard(Effect.gen(function* () {
      yield* (yield* Registry).register(yield* make(options))
    })),
})
