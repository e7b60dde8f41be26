import {
  type Ask,
  type Channels,
  type Failure,
  type Fixtures,
  notPossible,
  suite,
} from "@swap-broker/core/conformance"
import { Address, Bps, BrokerAccount, NativeAmount, noBps, Price } from "@swap-broker/core/domain"
import { Array, BigDecimal, Effect } from "effect"
import type { Trouble } from "./exchange.ts"
import { name } from "./wire.ts"
import { being, Exchange, overExchange, world } from "./world.ts"

const offer = {
  sourceAsset: "eth.eth",
  destinationAsset: "btc.btc",
  amount: NativeAmount.make(1_234_567_890_123_456_789n),
  tooLittle: NativeAmount.make(999_999_999_999_999n),
} as const

const request = {
  ...offer,
  destinationAddress: Address.make("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"),
  refundAddress: Address.make("0x2222222222222222222222222222222222222222"),
  minimumPrice: Price.make(BigDecimal.fromStringUnsafe("0.0331")),
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
      request: { ...request, minimumPrice: Price.make(BigDecimal.fromStringUnsafe("0.04")) },
      deposit: offer.amount,
    },
    failed: notPossible("the exchange pays everything out or back"),
  },
  deposits: notPossible("the exchange finds an order by its number alone"),
}

const fixtures: Fixtures<Exchange> = {
  platform: name,
  networks: ["mainnet"],
  offers: [
    offer,
    {
      sourceAsset: offer.destinationAsset,
      destinationAsset: "usdc.eth",
      amount: NativeAmount.make(9_876_543_210n),
      tooLittle: NativeAmount.make(9_999n),
    },
  ],
  unserved: { ...offer, destinationAsset: "flip.eth" },
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
      sourceAsset: {
        sourceAsset: "usdc.eth",
        amount: NativeAmount.make(9_876_543n),
        minimumPrice: Price.make(BigDecimal.fromStringUnsafe("0.00001")),
      },
      destinationAsset: {
        destinationAsset: "usdc.eth",
        destinationAddress: request.refundAddress,
      },
      destinationAddress: Address.make("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"),
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
      ask: { operation: "quote", request: { ...offer, destinationAsset: "flip.eth", commissionBps: noBps } },
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

suite("example", overExchange, world, fixtures)
