import type { FaultCode } from "../../../src/api/SandboxFaults.ts"
import { type Ask, type Failure, type Failures, notPossible } from "../Fixtures.ts"
import type { SandboxWorld } from "../sandbox/SandboxWorld.ts"
import * as trouble from "../sandbox/trouble.ts"
import { toQuoteRequest } from "../verbs/kit.ts"
import { offer, request } from "./requests.ts"

const assets: Ask = { operation: "assets" }
const quote: Ask = { operation: "quote", request: toQuoteRequest(offer, request) }
const open: Ask = { operation: "open", request }
const status: Ask = { operation: "status" }

const refuses = trouble.refuses("near-intents")
const breaks = trouble.breaks("near-intents")
const { settles, tampers } = trouble

type Failed = Failure<SandboxWorld>

const quoteRefused = (code: FaultCode): Failed => ({
  when: "the service says so",
  ask: quote,
  conditions: refuses("quote", code),
})

const openingRefused = (code: FaultCode): Failed => ({
  when: "the service says so",
  ask: open,
  conditions: refuses("open", code),
})

const both = (code: FaultCode): readonly [Failed, Failed] => [quoteRefused(code), openingRefused(code)]

const noLimits = notPossible("the service publishes no limits")

/** Every way in which the NEAR Intents provider fails, made in the sandbox and on the way to it. */
export const failures: Failures<SandboxWorld> = {
  AmountBelowMinimum: both("amount_below_minimum"),
  EgressBelowMinimum: both("egress_below_minimum"),
  EgressFeeNotCovered: both("egress_fee_not_covered"),
  InsufficientLiquidity: both("insufficient_liquidity"),
  DepositBelowMinimum: [{
    when: "too little is quoted",
    ask: { operation: "quote", request: toQuoteRequest({ ...offer, amount: offer.tooLittle }, request) },
  }],
  DepositAboveMaximum: noLimits,
  RequestRefused: [{
    when: "the refund address is of another chain",
    ask: { operation: "open", request: { ...request, refundAddress: request.destinationAddress } },
  }],
  QuotingMaintenance: both("quoting_maintenance"),
  SwappingMaintenance: both("swapping_maintenance"),
  AssetDisabled: both("asset_disabled"),
  AssetNotListed: [{
    when: "an asset is not in the catalogue",
    ask: { operation: "quote", request: { ...toQuoteRequest(offer, request), sourceAsset: "dot.dot" } },
  }],
  DepositChannelFailed: [openingRefused("deposit_channel_failed"), openingRefused("route_disabled")],
  TooManyChannels: [openingRefused("too_many_channels")],
  UpstreamFailed: [
    ...both("upstream_error"),
    quoteRefused("route_disabled"),
    { when: "the service says so", ask: status, conditions: refuses("status", "upstream_error") },
  ],
  RequestCancelled: both("request_cancelled"),
  RateLimited: [
    ...both("provider_unavailable"),
    { when: "the service says so", ask: status, conditions: refuses("status", "provider_unavailable") },
  ],
  NotCalled: notPossible("it is the guard's word"),
  TimedOut: notPossible("the service never gives up by itself; the guard does"),
  Unreachable: [
    { when: "the connection is cut", reached: true, ask: quote, conditions: breaks("quote", "reset") },
    { when: "the connection is cut", reached: true, ask: status, conditions: breaks("status", "reset") },
    { when: "the connection is cut", reached: true, ask: open, conditions: breaks("open", "reset") },
    { when: "the service fails", reached: true, ask: open, conditions: breaks("open", "http_500") },
    {
      when: "the connection is cut before an address is asked for",
      reached: false,
      ask: open,
      conditions: breaks("quote", "reset"),
    },
    {
      when: "the service is down",
      reached: false,
      ask: assets,
      conditions: tampers({ path: /\/near-intents/, does: "refuse" }),
    },
    {
      when: "the service is down",
      reached: false,
      ask: open,
      conditions: tampers({ path: /\/near-intents/, does: "refuse" }),
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
      when: "the catalogue has another form",
      reached: true,
      ask: assets,
      conditions: tampers({ path: /\/v0\/tokens/, does: () => "<html>" }),
    },
    {
      when: "the signature of an address is wrong",
      reached: true,
      ask: open,
      conditions: settles({ change: "nextOrder", outcome: "badSignature" }),
    },
    {
      when: "the order has no address",
      reached: true,
      ask: status,
      conditions: tampers({
        path: /\/v0\/status/,
        does: (body) => body.replace(/"depositAddress":"[^"]+"/, '"depositAddress":""'),
      }),
    },
  ],
}
