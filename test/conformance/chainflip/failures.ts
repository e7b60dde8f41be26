import { NativeAmount } from "../../../src/domain/Amount.ts"
import type { AssetId } from "../../../src/domain/Asset.ts"
import type { ProblemCode } from "../../../src/domain/ProblemCode.ts"
import { type Ask, type Failure, type Failures, notPossible } from "../Fixtures.ts"
import { toQuoteRequest } from "../verbs/kit.ts"
import type { Change, SandboxWorld } from "../sandbox/SandboxWorld.ts"
import * as trouble from "../sandbox/trouble.ts"
import { offer, request } from "./requests.ts"

const assets: Ask = { operation: "assets" }
const quote: Ask = { operation: "quote", request: toQuoteRequest(offer, request) }
const open: Ask = { operation: "open", request }
const status: Ask = { operation: "status" }

const refuses = trouble.refuses("chainflip")
const breaks = trouble.breaks("chainflip")
const { changes, tampers } = trouble

/** A quote and an opening that the upstream refuses with the message of a code. */
const bothRefused = (code: ProblemCode): readonly [Failure<SandboxWorld>, Failure<SandboxWorld>] => [
  { when: "the backend says so", ask: quote, conditions: refuses("quote", code) },
  { when: "the broker says so", ask: open, conditions: refuses("open", code) },
]

const bothSwitchedOff = (
  when: string,
  change: Change,
): readonly [Failure<SandboxWorld>, Failure<SandboxWorld>] => [
  { when, ask: quote, conditions: changes(change) },
  { when, ask: open, conditions: changes(change) },
]

const payouts = (asset: AssetId, egressEnabled: boolean) =>
  ({ change: "setAsset", asset, egressEnabled }) as const

const tooLittle = { amount: offer.tooLittle }
const tooMuch = {
  sourceAsset: "dot.dot",
  destinationAsset: "eth.eth",
  amount: NativeAmount.make(1_000_000_000_000_001n),
} as const

const brokerGivesUp = JSON.stringify({
  jsonrpc: "2.0",
  id: null,
  error: { code: -32020, message: "timed out waiting for the transaction" },
})

/** Every way in which the Chainflip provider fails, made in the sandbox and on the way to it. */
export const failures: Failures<SandboxWorld> = {
  AmountBelowMinimum: bothRefused("amount_below_minimum"),
  EgressBelowMinimum: bothRefused("egress_below_minimum"),
  EgressFeeNotCovered: bothRefused("egress_fee_not_covered"),
  InsufficientLiquidity: bothRefused("insufficient_liquidity"),
  DepositBelowMinimum: [
    { when: "too little is quoted", ask: { ...quote, request: { ...quote.request, ...tooLittle } } },
    { when: "too little is announced", ask: { ...open, request: { ...request, ...tooLittle } } },
  ],
  DepositAboveMaximum: [
    { when: "too much is quoted", ask: { ...quote, request: { ...quote.request, ...tooMuch } } },
  ],
  RequestRefused: [{
    when: "retries would go on for too long",
    ask: { ...open, request: { ...request, retryDurationBlocks: 601 } },
  }],
  QuotingMaintenance: [{
    when: "quoting is in maintenance",
    ask: quote,
    conditions: changes({
      change: { change: "setMaintenance", quoting: true },
      undo: { change: "setMaintenance", quoting: false },
    }),
  }],
  SwappingMaintenance: bothSwitchedOff("the network is in safe mode", {
    change: { change: "setSwaps", enabled: false },
    undo: { change: "setSwaps", enabled: true },
  }),
  AssetDisabled: bothSwitchedOff("payouts are switched off", {
    change: payouts("eth.eth", false),
    undo: payouts("eth.eth", true),
  }),
  DepositChannelFailed: [
    {
      when: "the network opens no channels",
      ask: open,
      conditions: refuses("open", "deposit_channel_failed"),
    },
  ],
  TooManyChannels: [
    { when: "the cap is reached", ask: open, conditions: refuses("open", "too_many_channels") },
  ],
  RouteDisabled: bothRefused("route_disabled"),
  UpstreamFailed: [
    ...bothRefused("upstream_error"),
    { when: "the backend fails", ask: status, conditions: breaks("status", "http_500") },
  ],
  RequestCancelled: bothRefused("request_cancelled"),
  RateLimited: [
    ...bothRefused("provider_unavailable"),
    { when: "the backend says so", ask: status, conditions: refuses("status", "provider_unavailable") },
  ],
  NotCalled: notPossible("it is the guard's word"),
  TimedOut: [{
    when: "the broker gives up waiting",
    reached: true,
    ask: open,
    conditions: tampers({ path: /\/chainflip\/broker/, does: () => brokerGivesUp }),
  }],
  Unreachable: [
    { when: "the connection is cut", reached: true, ask: quote, conditions: breaks("quote", "reset") },
    { when: "the connection is cut", reached: true, ask: status, conditions: breaks("status", "reset") },
    { when: "the connection is cut", reached: true, ask: open, conditions: breaks("open", "reset") },
    {
      when: "the broker fails without a reason",
      reached: true,
      ask: open,
      conditions: breaks("open", "http_500"),
    },
    {
      when: "the broker is down",
      reached: false,
      ask: open,
      conditions: tampers({ path: /\/chainflip\/broker/, does: "refuse" }),
    },
    {
      when: "the node is down",
      reached: false,
      ask: open,
      conditions: tampers({ path: /\/chainflip\/node/, does: "refuse" }),
    },
    {
      when: "the backend is down",
      reached: false,
      ask: assets,
      conditions: tampers({ path: /\/chainflip\/backend/, does: "refuse" }),
    },
  ],
  MalformedBody: [
    {
      when: "the answer has another form",
      reached: true,
      ask: quote,
      conditions: breaks("quote", "malformed"),
    },
    {
      when: "the answer has another form",
      reached: true,
      ask: status,
      conditions: breaks("status", "malformed"),
    },
    {
      when: "the answer has another form",
      reached: true,
      ask: open,
      conditions: breaks("open", "malformed"),
    },
    {
      when: "the network's state has another form, which is before a channel is asked for",
      reached: false,
      ask: open,
      conditions: tampers({ path: /networkInfo/, does: () => "<html>" }),
    },
    {
      when: "the network's state has another form",
      reached: true,
      ask: assets,
      conditions: tampers({ path: /networkInfo/, does: () => "<html>" }),
    },
  ],
}
