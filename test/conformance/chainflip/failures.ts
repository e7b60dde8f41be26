import { Array } from "effect"
import { NativeAmount } from "../../../src/domain/Amount.ts"
import { Bps } from "../../../src/domain/Bps.ts"
import type { AssetId } from "../../../src/domain/Asset.ts"
import type { FaultCode } from "../../../src/api/SandboxFaults.ts"
import { type Ask, type Failure, type Failures, notPossible } from "../Fixtures.ts"
import { toQuoteRequest } from "../verbs/kit.ts"
import type { Change, SandboxWorld } from "../sandbox/SandboxWorld.ts"
import * as trouble from "../sandbox/trouble.ts"
import { offer, payloadRequests, request } from "./requests.ts"

const [payloadRequest] = payloadRequests

const assets: Ask = { operation: "assets" }
const quote: Ask = { operation: "quote", request: toQuoteRequest(offer, request) }
const open: Ask = { operation: "open", request }
const encode: Ask = { operation: "encode", request: payloadRequest }
const status: Ask = { operation: "status" }
const vaultSwapStatus: Ask = { operation: "status", of: "payload" }

const refuses = trouble.refuses("chainflip")
const breaks = trouble.breaks("chainflip")
const { changes, tampers } = trouble

type Failed = Array.NonEmptyReadonlyArray<Failure<SandboxWorld>>

/** Openings and payloads that the broker refuses with the message of a code. */
const refusedByBroker = (code: FaultCode): Failed => [
  { when: "the broker says so", ask: open, conditions: refuses("open", code) },
  { when: "the broker says so", ask: encode, conditions: refuses("encode", code) },
]

/** The same, and quotes that the backend refuses. */
const refused = (code: FaultCode): Failed => [
  { when: "the backend says so", ask: quote, conditions: refuses("quote", code) },
  ...refusedByBroker(code),
]

const switchedOff = (when: string, change: Change): Failed => [
  { when, ask: quote, conditions: changes(change) },
  { when, ask: open, conditions: changes(change) },
  { when, ask: encode, conditions: changes(change) },
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
  AmountBelowMinimum: refused("amount_below_minimum"),
  EgressBelowMinimum: refused("egress_below_minimum"),
  EgressFeeNotCovered: refused("egress_fee_not_covered"),
  InsufficientLiquidity: refused("insufficient_liquidity"),
  DepositBelowMinimum: [
    { when: "too little is quoted", ask: { ...quote, request: { ...quote.request, ...tooLittle } } },
    { when: "too little is announced", ask: { ...open, request: { ...request, ...tooLittle } } },
    { when: "too little is to be sent", ask: { ...encode, request: { ...payloadRequest, ...tooLittle } } },
  ],
  DepositAboveMaximum: [
    { when: "too much is quoted", ask: { ...quote, request: { ...quote.request, ...tooMuch } } },
  ],
  RequestRefused: [
    {
      when: "retries would go on for too long",
      ask: { ...open, request: { ...request, retryDurationBlocks: 601 } },
    },
    {
      when: "its null data has no room for the commission",
      ask: { ...encode, request: { ...payloadRequest, commissionBps: Bps.make(256) } },
    },
  ],
  QuotingMaintenance: [{
    when: "quoting is in maintenance",
    ask: quote,
    conditions: changes({
      change: { change: "setMaintenance", quoting: true },
      undo: { change: "setMaintenance", quoting: false },
    }),
  }],
  SwappingMaintenance: switchedOff("the network is in safe mode", {
    change: { change: "setSwaps", enabled: false },
    undo: { change: "setSwaps", enabled: true },
  }),
  AssetDisabled: switchedOff("payouts are switched off", {
    change: payouts("eth.eth", false),
    undo: payouts("eth.eth", true),
  }),
  AssetNotListed: notPossible("the simulated network has every asset"),
  DepositChannelFailed: refusedByBroker("deposit_channel_failed"),
  TooManyChannels: refusedByBroker("too_many_channels"),
  UpstreamFailed: [
    ...refused("upstream_error"),
    ...refused("route_disabled"),
    { when: "the backend fails", ask: status, conditions: breaks("status", "http_500") },
    { when: "the backend fails", ask: vaultSwapStatus, conditions: breaks("status", "http_500") },
  ],
  RequestCancelled: refused("request_cancelled"),
  RateLimited: [
    ...refused("provider_unavailable"),
    { when: "the backend says so", ask: status, conditions: refuses("status", "provider_unavailable") },
    {
      when: "the backend says so",
      ask: vaultSwapStatus,
      conditions: refuses("status", "provider_unavailable"),
    },
  ],
  NotCalled: notPossible("it is the guard's word"),
  TimedOut: Array.map(Array.make(open, encode), (ask) => ({
    when: "the broker gives up waiting",
    reached: true,
    ask,
    conditions: tampers({ path: /\/chainflip\/broker/, does: () => brokerGivesUp }),
  })),
  Unreachable: [
    { when: "the connection is cut", reached: true, ask: encode, conditions: breaks("encode", "reset") },
    {
      when: "the broker fails without a reason",
      reached: true,
      ask: encode,
      conditions: breaks("encode", "http_500"),
    },
    {
      when: "the broker is down",
      reached: false,
      ask: encode,
      conditions: tampers({ path: /\/chainflip\/broker/, does: "refuse" }),
    },
    { when: "the connection is cut", reached: true, ask: quote, conditions: breaks("quote", "reset") },
    { when: "the connection is cut", reached: true, ask: status, conditions: breaks("status", "reset") },
    {
      when: "the connection is cut",
      reached: true,
      ask: vaultSwapStatus,
      conditions: breaks("status", "reset"),
    },
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
      ask: vaultSwapStatus,
      conditions: breaks("status", "malformed"),
    },
    {
      when: "the answer has another form",
      reached: true,
      ask: open,
      conditions: breaks("open", "malformed"),
    },
    {
      when: "the answer has another form",
      reached: true,
      ask: encode,
      conditions: breaks("encode", "malformed"),
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
