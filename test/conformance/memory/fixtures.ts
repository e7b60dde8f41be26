import { Array, Effect } from "effect"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { issueAbout } from "#domain/Issues.ts"
import * as Reason from "#domain/ProviderError.ts"
import { brokerAccount } from "#sandbox/engine/figures.ts"
import { MemoryUpstream } from "./MemoryUpstream.ts"
import { name } from "./provider.ts"
import { bitcoinAddress } from "#test/sandbox/support.ts"
import {
  type Ask,
  type Channels,
  type ConnectionFailure,
  type Failure,
  type Failures,
  type Fixtures,
  notPossible,
} from "../Fixtures.ts"
import { bitcoinToEther, offerOf, priced, requestAt } from "../sandbox/requests.ts"
import { toQuoteRequest } from "../verbs/kit.ts"

const offer = bitcoinToEther(9_999n)
const request = requestAt("31.000000000000000001", 0)

const quotesOnly: Array.NonEmptyReadonlyArray<Ask> = [
  { operation: "assets" },
  { operation: "quote", request: toQuoteRequest(offer, request) },
]

export const asksOfChannels: ReadonlyArray<Ask> = [{ operation: "open", request }, { operation: "status" }]

type Failed = Failure<MemoryUpstream>
type NotConnected = ConnectionFailure<MemoryUpstream>

/** The network in memory fails as it is told to, whatever it is asked. */
const told =
  (asks: Array.NonEmptyReadonlyArray<Ask>) =>
  (reason: Reason.ProviderErrorReason): Array.NonEmptyReadonlyArray<Failed> =>
    Array.map(asks, (ask) => ({
      when: "the network says so",
      ask,
      conditions: Effect.flatMap(MemoryUpstream, ({ refuse }) => refuse(ask.operation, reason)),
    }))

/** The same with an answer lost, before and after the network was reached. */
const lost =
  (asks: Array.NonEmptyReadonlyArray<Ask>) =>
  (reason: (reached: boolean) => Reason.ProviderErrorReason): Array.NonEmptyReadonlyArray<NotConnected> =>
    Array.flatMap([true, false], (reached) =>
      Array.map(told(asks)(reason(reached)), (failure) => ({
        ...failure,
        when: reached ? "the answer is lost" : "the network is not reached",
        reached,
      })))

const detail = "The network in memory was told to"
const asset = offer.sourceAsset
const limit = NativeAmount.make(1n)

const failuresOfAll = (asks: Array.NonEmptyReadonlyArray<Ask>): Failures<MemoryUpstream> => {
  const says = told(asks)
  const loses = lost(asks)
  return {
    AmountBelowMinimum: says(new Reason.AmountBelowMinimum({ detail })),
    EgressBelowMinimum: says(new Reason.EgressBelowMinimum({ detail })),
    EgressFeeNotCovered: says(new Reason.EgressFeeNotCovered({ detail })),
    InsufficientLiquidity: says(new Reason.InsufficientLiquidity({ detail })),
    DepositBelowMinimum: says(new Reason.DepositBelowMinimum({ asset, minimum: limit })),
    DepositAboveMaximum: says(new Reason.DepositAboveMaximum({ asset, maximum: limit })),
    RequestRefused: says(new Reason.RequestRefused({ errors: issueAbout("refundAddress", "is not liked") })),
    QuotingMaintenance: says(new Reason.QuotingMaintenance({ detail })),
    SwappingMaintenance: says(new Reason.SwappingMaintenance({ detail })),
    AssetDisabled: says(new Reason.AssetDisabled({ detail })),
    AssetNotListed: says(new Reason.AssetNotListed({ detail })),
    DepositChannelFailed: says(new Reason.DepositChannelFailed({ detail })),
    TooManyChannels: says(new Reason.TooManyChannels({ detail })),
    UpstreamFailed: says(new Reason.UpstreamFailed({ detail })),
    RequestCancelled: says(new Reason.RequestCancelled({ detail })),
    RateLimited: says(new Reason.RateLimited({ detail, retryAfterSeconds: 3 })),
    NotCalled: notPossible("it is the guard's word"),
    TimedOut: loses((reached) => new Reason.TimedOut({ detail, reached })),
    Unreachable: loses((reached) => new Reason.Unreachable({ detail, reached })),
    MalformedBody: loses((reached) => new Reason.MalformedBody({ detail, reached })),
  }
}

/** The failures of assets, of quotes, and of whatever else a provider in memory has. */
export const failuresOf = (others: ReadonlyArray<Ask>): Failures<MemoryUpstream> =>
  failuresOfAll(Array.appendAll(quotesOnly, others))

const notOffered = notPossible("the network in memory has none")

/** Channels of the network in memory. */
export const memoryChannels: Channels<MemoryUpstream> = {
  deposit: ({ channel }, amount) => Effect.flatMap(MemoryUpstream, ({ deposit }) => deposit(channel, amount)),
  loseAnswers: Effect.flatMap(
    MemoryUpstream,
    ({ refuse }) => refuse("open", new Reason.TimedOut({ detail: "The answer was lost", reached: true })),
  ),
  strangersAddress: Address.make(bitcoinAddress),
  endings: {
    completed: { request, deposit: offer.amount },
    refunded: {
      request: { ...request, minimumPrice: priced("40") },
      deposit: offer.amount,
    },
    failed: { request, deposit: offer.tooLittle },
  },
  deposits: notPossible("the network in memory knows its orders by their channels alone"),
}

/** The provider in memory: what it does not honour is what Chainflip does. */
export const memory: Fixtures<MemoryUpstream> = {
  platform: name,
  networks: ["sandbox"],
  offers: [
    offer,
    offerOf("eth.eth", "usdc.eth", 12_345_678_901_234_567_891n, 999_999_999_999_999n),
    offerOf("usdc.eth", "btc.btc", 1_234_567_891n, 1_000_000n),
  ],
  unserved: { ...offer, destinationAsset: "dot.hub" },
  request,
  affiliate: brokerAccount,
  features: {
    affiliates: notOffered,
    boost: notOffered,
    dca: notOffered,
    ccm: notOffered,
    anyAmount: notPossible("the network in memory prices each deposit"),
  },
  channels: memoryChannels,
  payloads: notOffered,
  untold: {},
  lies: notPossible("it has no wire"),
  recorded: notPossible("its upstream is a program of these tests"),
  lookEvery: "5 seconds",
  failures: failuresOf(asksOfChannels),
}
