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

const refuses = trouble.refuses("relay")
const breaks = trouble.breaks("relay")
const { tampers } = trouble

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
const oneCode = notPossible("the service says AMOUNT_TOO_LOW of whatever is too low")

const feesAreDropped = tampers({
  path: /\/quote\/v2/,
  does: (body) => body.replace(/("app":\{"currency":\{[^}]*\{[^}]*\}\},"amount":)"[0-9]+"/, '$1"0"'),
})

/** Every way in which the Relay provider fails, made in the sandbox and on the way to it. */
export const failures: Failures<SandboxWorld> = {
  AmountBelowMinimum: [
    ...both("amount_below_minimum"),
    {
      when: "too little is quoted",
      ask: { operation: "quote", request: toQuoteRequest({ ...offer, amount: offer.tooLittle }, request) },
    },
  ],
  EgressBelowMinimum: oneCode,
  EgressFeeNotCovered: oneCode,
  InsufficientLiquidity: both("insufficient_liquidity"),
  DepositBelowMinimum: noLimits,
  DepositAboveMaximum: noLimits,
  RequestRefused: [
    {
      when: "the refund address is of another chain",
      ask: { operation: "open", request: { ...request, refundAddress: request.destinationAddress } },
    },
    {
      when: "the commission would be dropped",
      ask: quote,
      conditions: feesAreDropped,
    },
    {
      when: "the commission would be dropped",
      ask: open,
      conditions: feesAreDropped,
    },
  ],
  QuotingMaintenance: both("quoting_maintenance"),
  SwappingMaintenance: notPossible("the service has no word for it"),
  AssetDisabled: both("asset_disabled"),
  AssetNotListed: [{
    when: "an asset is on no chain of the service",
    ask: { operation: "quote", request: { ...toQuoteRequest(offer, request), sourceAsset: "dot.dot" } },
  }],
  DepositChannelFailed: [openingRefused("deposit_channel_failed"), openingRefused("route_disabled")],
  TooManyChannels: notPossible("the service limits the rate only"),
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
      when: "the service is not available",
      reached: true,
      ask: open,
      conditions: refuses("open", "swapping_maintenance"),
    },
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
      conditions: tampers({ path: /\/relay/, does: "refuse" }),
    },
    {
      when: "the service is down",
      reached: false,
      ask: open,
      conditions: tampers({ path: /\/relay/, does: "refuse" }),
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
      when: "the list of chains has another form",
      reached: true,
      ask: assets,
      conditions: tampers({ path: /\/chains/, does: () => "<html>" }),
    },
    {
      when: "the deposit address is the caller's own",
      reached: true,
      ask: open,
      conditions: tampers({
        path: /\/quote\/v2/,
        does: (body) =>
          body.replace(/"depositAddress":"[^"]+"/, `"depositAddress":"${request.refundAddress}"`),
      }),
    },
    {
      when: "the request has no state",
      reached: true,
      ask: status,
      conditions: tampers({
        path: /\/(requests|intents)\//,
        does: (body) => body.replace(/"status":"[a-z]+"/, '"status":7'),
      }),
    },
  ],
}
