import { type Fixtures, notPossible, suite, Upstream } from "@swap-broker/core/conformance"
import { Address, anyPrice, Bps, BrokerAccount, NativeAmount, noBps } from "@swap-broker/core/domain"
import { Context, Effect, Layer } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { make, name } from "./provider.ts"

const offer = {
  sourceAsset: "eth.eth",
  destinationAsset: "usdc.eth",
  amount: NativeAmount.make(1_234_567_890_123_456_789n),
  tooLittle: NativeAmount.make(1n),
} as const

const address = Address.make("0x2222222222222222222222222222222222222222")
const never = notPossible("its upstream says no such thing")
const notOffered = notPossible("it gives quotes only")

/** What the upstream answers. */
class Upstreams extends Context.Service<Upstreams, { answer: Answer }>()("flat/Upstreams") {}

interface Answer {
  readonly status: number
  readonly body: string
}

const honest: Answer = { status: 200, body: '{"dollars":2000}' }

const answering = (status: number, body: string) =>
  Effect.map(Upstreams, (upstream) => {
    upstream.answer = { status, body }
  })

const quote = { operation: "quote", request: { ...offer, commissionBps: noBps } } as const

const fixtures: Fixtures<Upstreams> = {
  platform: name,
  networks: ["mainnet"],
  offers: [offer],
  unserved: { ...offer, destinationAsset: "btc.btc" },
  request: {
    ...offer,
    destinationAddress: address,
    refundAddress: address,
    minimumPrice: anyPrice,
    retryDurationBlocks: 0,
    maximumBoostFeeBps: noBps,
    commissionBps: Bps.make(25),
    affiliates: [],
  },
  affiliate: BrokerAccount.make("cFHyJEHEQ1YkT9xuFnxnPWVkihpYEGjBg4WbF6vCPtSPQoE8n"),
  features: {
    affiliates: notOffered,
    boost: notOffered,
    dca: notOffered,
    ccm: notOffered,
    anyAmount: notOffered,
  },
  channels: notOffered,
  payloads: notOffered,
  untold: {},
  recorded: notPossible("there is no such exchange"),
  lookEvery: "1 minute",
  failures: {
    AmountBelowMinimum: never,
    EgressBelowMinimum: never,
    EgressFeeNotCovered: never,
    InsufficientLiquidity: never,
    DepositBelowMinimum: [{
      when: "less than a finney comes in",
      ask: { operation: "quote", request: { ...offer, amount: offer.tooLittle, commissionBps: noBps } },
    }],
    DepositAboveMaximum: never,
    RequestRefused: never,
    QuotingMaintenance: never,
    SwappingMaintenance: never,
    AssetDisabled: never,
    AssetNotListed: [{
      when: "the pair is another",
      ask: {
        operation: "quote",
        request: { ...offer, destinationAsset: "btc.btc", commissionBps: noBps },
      },
    }],
    DepositChannelFailed: never,
    TooManyChannels: never,
    UpstreamFailed: [
      { when: "it answers 500", ask: { operation: "assets" }, conditions: answering(500, "{}") },
      { when: "it answers 500", ask: quote, conditions: answering(500, "{}") },
    ],
    RequestCancelled: never,
    RateLimited: never,
    NotCalled: never,
    TimedOut: never,
    Unreachable: never,
    MalformedBody: [{
      when: "its price is a word",
      ask: quote,
      conditions: answering(200, '{"dollars":"many"}'),
      reached: true,
    }],
  },
}

const client = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(
    Upstreams,
    (upstream) =>
      HttpClient.make((request) =>
        Effect.sync(() =>
          HttpClientResponse.fromWeb(
            request,
            new Response(upstream.answer.body, { status: upstream.answer.status }),
          )
        )
      ),
  ),
)

const world = Layer.effect(
  Upstream,
  Effect.map(Upstreams, (upstream) => ({
    openings: Effect.succeed(0),
    inventStates: Effect.void,
    heal: Effect.sync(() => {
      upstream.answer = honest
    }),
  })),
).pipe(
  Layer.merge(client),
  Layer.provideMerge(Layer.sync(Upstreams, () => ({ answer: honest }))),
)

suite("flat, from outside the repository", make({ url: new URL("https://flat.test/price") }), world, fixtures)
