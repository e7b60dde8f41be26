import {
  AssetNotListed,
  DepositBelowMinimum,
  NativeAmount,
  noAmount,
  Price,
  type ProviderErrorReason,
  ProviderName,
  type Quote,
  type QuoteRequest,
} from "@swap-broker/core/domain"
import {
  anHttpUrl,
  Count,
  decode,
  defineProvider,
  failAs,
  hear,
  hideSecrets,
  HttpUrl,
  isOk,
  type Provider,
  Registry,
  requiredSetting,
  send,
  sentAmount,
  statusReason,
  struct,
  type Value,
} from "@swap-broker/core/provider"
import { BigDecimal, Effect, Layer, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"

export const name = ProviderName.make("flat")

const flatSettings = struct({
  url: requiredSetting({
    name: "FLAT_URL",
    schema: HttpUrl,
    expected: anHttpUrl,
    meaning: 'Flat: where its price stands, as {"dollars": 2000}',
  }),
})

/** A finney. */
export const minimum = NativeAmount.make(10n ** 15n)

const weiOfMicrodollar = 10n ** 12n

const isServed = ({ destinationAsset, sourceAsset }: QuoteRequest): boolean =>
  sourceAsset === "eth.eth" && destinationAsset === "usdc.eth"

const WirePrice = Schema.Struct({ dollars: Count })

/** The dollars for one Ether, as its upstream says. */
const makePrice = (client: HttpClient.HttpClient, url: URL) =>
  Effect.gen(function* () {
    const answer = yield* send(client, "flat", HttpClientRequest.get(url), hideSecrets(url))
    if (!isOk(answer)) return yield* Effect.fail(statusReason(answer, { endpoint: "flat", opening: false }))
    const { body } = yield* Effect.fromResult(hear("flat", answer))
    const { dollars } = yield* Effect.fromResult(decode(WirePrice, body))
    return BigInt(dollars)
  })

const fail = failAs(name)

/** A provider with one price, which gives quotes only. */
export const make = Effect.fnUntraced(function* (
  { url }: Pick<Value<typeof flatSettings>, "url">,
): Effect.fn.Return<Provider, never, HttpClient.HttpClient> {
  const price = makePrice(yield* HttpClient.HttpClient, url)
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
      ends: { limit: "on arrival", deposit: "ordered", paysByDeposit: false, pays: "several" },
    },
    assets: Effect.as(
      price,
      [
        { asset: "eth.eth", ingress: true, egress: false, minimumDeposit: minimum },
        { asset: "usdc.eth", ingress: false, egress: true, minimumDeposit: noAmount },
      ] as const,
    ).pipe(fail("assets")),
    quotes: Effect.fnUntraced(
      function* (request): Effect.fn.Return<ReadonlyArray<Quote>, ProviderErrorReason> {
        const { commissionBps, destinationAsset, sourceAsset } = request
        if (!isServed(request)) {
          return yield* Effect.fail(
            new AssetNotListed({ detail: "Flat swaps Ether to USD Coin, and nothing else" }),
          )
        }
        const amount = yield* Effect.fromResult(sentAmount(name, request.amount))
        if (amount < minimum) {
          return yield* Effect.fail(new DepositBelowMinimum({ asset: sourceAsset, minimum }))
        }
        const dollars = yield* price
        const gross = amount * dollars / weiOfMicrodollar
        const commission = NativeAmount.make(gross * BigInt(commissionBps) / 10_000n)
        return [{
          platform: name,
          ingress: { asset: sourceAsset, amount },
          egress: { asset: destinationAsset, amount: NativeAmount.make(gross - commission) },
          fees: commission === 0n ? [] : [{ type: "broker", asset: destinationAsset, amount: commission }],
          pools: [],
          lowLiquidityWarning: false,
          durations: { deposit: 60_000, swap: 1_000, egress: 1_000 },
          totalDuration: 62_000,
          estimatedPrice: Price.make(BigDecimal.fromBigInt(dollars)),
          recommendedSlippageTolerancePercent: BigDecimal.fromBigInt(1n),
        }]
      },
      fail("quote"),
    ),
  }
})

export const flat = defineProvider({
  name,
  settings: flatSettings,
  layer: (options) =>
    Layer.effectDiscard(Effect.gen(function* () {
      yield* (yield* Registry).register(yield* make(options))
    })),
})
