import {
  type Ask,
  type Channels,
  clientOver,
  type Failure,
  type Fixtures,
  notPossible,
  suite,
  Upstream,
  withRows,
} from "@swap-broker/core/conformance"
import { Address, Bps, BrokerAccount, NativeAmount, noBps, Price } from "@swap-broker/core/domain"
import { Array, BigDecimal, Clock, Context, Effect, Layer, Redacted } from "effect"
import { HttpClient } from "effect/http"
import { makeExchange, type Trouble } from "./exchange.ts"
import { harbour, make } from "./provider.ts"
import { name } from "./wire.ts"

const asset = withRows(harbour)

/** The exchange, in the time of the tests and without a socket. */
class Exchange extends Context.Service<Exchange, ReturnType<typeof makeExchange>>()("harbour/Exchange") {}

const key = "a key of the operator's"

const exchange = Layer.effect(
  Exchange,
  Effect.map(Clock.Clock, (clock) => makeExchange(key, () => clock.currentTimeMillisUnsafe())),
)

const client = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(Exchange, ({ handle }) => clientOver(handle)),
)

const world = Layer.effect(
  Upstream,
  Effect.map(Exchange, ({ be, openings, rename }) => ({
    openings: Effect.sync(openings),
    inventStates: Effect.sync(() => rename("dreaming")),
    heal: Effect.sync(() => be(undefined)),
  })),
).pipe(Layer.merge(client), Layer.provideMerge(exchange))

const being = (trouble: Trouble) => Effect.flatMap(Exchange, ({ be }) => Effect.sync(() => be(trouble)))

const offer = {
  sourceAsset: asset("xdai.gno"),
  destinationAsset: asset("vtc.vtc"),
  amount: NativeAmount.make(1_234_567_890_123_456_789n),
  tooLittle: NativeAmount.make(999n),
}

const request = {
  ...offer,
  destinationAddress: Address.make("vtc1qqurswpc8qurswpc8qurswpc8qurswpc84c4rqr"),
  refundAddress: Address.make("0x2222222222222222222222222222222222222222"),
  minimumPrice: Price.make(BigDecimal.fromStringUnsafe("19.9")),
  retryDurationBlocks: 0,
  maximumBoostFeeBps: noBps,
  commissionBps: Bps.make(25),
  affiliates: [],
}

const quote: Ask = { operation: "quote", request: { ...offer, commissionBps: noBps } }
const everything = Array.make<[Ask, ...Array<Ask>]>(
  { operation: "assets" },
  quote,
  { operation: "open", request },
  { operation: "status" },
)

const answers = (
  when: string,
  trouble: Trouble,
  asks = everything,
): Array.NonEmptyReadonlyArray<Failure<Exchange>> =>
  Array.map(asks, (ask) => ({ when, ask, conditions: being(trouble) }))

const never = notPossible("the exchange has no word for it")
const notOffered = notPossible("the exchange has none")

const channels: Channels<Exchange> = {
  deposit: ({ channel: { depositAddress } }, amount) =>
    Effect.map(Exchange, ({ deposit, payOut }) => {
      deposit(depositAddress, amount)
      payOut(depositAddress)
    }),
  loseAnswers: being("cut"),
  strangersAddress: Address.make("0x3333333333333333333333333333333333333333"),
  strangersReference: "4711",
  endings: {
    completed: { request, deposit: offer.amount },
    refunded: {
      request: { ...request, minimumPrice: Price.make(BigDecimal.fromBigInt(21n)) },
      deposit: offer.amount,
    },
    failed: notPossible("the exchange pays everything out or back"),
  },
  deposits: "found",
}

const fixtures: Fixtures<Exchange> = {
  platform: name,
  networks: ["mainnet"],
  offers: [
    offer,
    {
      sourceAsset: offer.destinationAsset,
      destinationAsset: asset("usdc.gno"),
      amount: NativeAmount.make(9_876_543_210n),
      tooLittle: offer.tooLittle,
    },
  ],
  unserved: { ...offer, destinationAsset: "btc.btc" },
  request,
  affiliate: BrokerAccount.make("cFHyJEHEQ1YkT9xuFnxnPWVkihpYEGjBg4WbF6vCPtSPQoE8n"),
  features: {
    affiliates: notOffered,
    boost: notOffered,
    dca: notOffered,
    ccm: notOffered,
    anyAmount: notOffered,
  },
  channels,
  payloads: notOffered,
  untold: {},
  lies: {
    others: {
      sourceAsset: { sourceAsset: asset("usdc.gno"), amount: NativeAmount.make(1_234_567n) },
      destinationAsset: {
        destinationAsset: asset("usdc.gno"),
        destinationAddress: request.refundAddress,
        minimumPrice: Price.make(BigDecimal.fromStringUnsafe("0.9")),
      },
      destinationAddress: Address.make("VZzpuiATQouD4mu9jnedRuKrgpHyY2Me1w"),
      refundAddress: Address.make("0x3333333333333333333333333333333333333333"),
    },
    notCompared: { quote: {}, open: {}, status: {} },
  },
  recorded: notPossible("the exchange has answered nobody"),
  lookEvery: "1 minute",
  failures: {
    AmountBelowMinimum: never,
    EgressBelowMinimum: never,
    EgressFeeNotCovered: never,
    InsufficientLiquidity: never,
    DepositBelowMinimum: [{
      when: "less than the minimum comes in",
      ask: { operation: "open", request: { ...request, amount: offer.tooLittle } },
    }],
    DepositAboveMaximum: never,
    RequestRefused: never,
    QuotingMaintenance: never,
    SwappingMaintenance: never,
    AssetDisabled: [{
      when: "the pair is another",
      ask: { operation: "quote", request: { ...offer, destinationAsset: "btc.btc", commissionBps: noBps } },
    }],
    AssetNotListed: never,
    DepositChannelFailed: never,
    TooManyChannels: never,
    UpstreamFailed: answers("it answers 401", { status: 401, body: {} }),
    RequestCancelled: never,
    RateLimited: answers("it answers 429", { status: 429, body: {} }),
    NotCalled: never,
    TimedOut: never,
    Unreachable: Array.map(
      answers("the connection is cut", "cut"),
      (failure) => ({ ...failure, reached: true }),
    ),
    MalformedBody: Array.map(
      answers("its answer has another form", { status: 200, body: { orders: [] } }),
      (failure) => ({ ...failure, reached: true }),
    ),
  },
}

suite(
  "harbour, with chains of its own",
  make({ url: new URL("https://harbour.test"), apiKey: Redacted.make(key) }),
  world,
  fixtures,
)
