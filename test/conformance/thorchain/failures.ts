import type { FaultCode } from "../../../src/api/SandboxFaults.ts"
import type { VaultNetwork } from "../../../src/api/SandboxVaults.ts"
import { type Ask, type Failure, type Failures, notPossible } from "../Fixtures.ts"
import type { SandboxWorld } from "../sandbox/SandboxWorld.ts"
import * as trouble from "../sandbox/trouble.ts"
import { toQuoteRequest } from "../verbs/kit.ts"
import { NativeAmount } from "../../../src/domain/Amount.ts"
import { fromEther, offer, request } from "./requests.ts"

type Failed = Failure<SandboxWorld>

const { changes, tampers } = trouble

/** Every way in which the provider of a network fails, made in the sandbox and on the way to it. */
export const failuresOf = (provider: VaultNetwork): Failures<SandboxWorld> => {
  const assets: Ask = { operation: "assets" }
  const quote: Ask = { operation: "quote", request: toQuoteRequest(offer, request) }
  const encode: Ask = { operation: "encode", request: fromEther }
  const status: Ask = { operation: "status" }
  const refuses = trouble.refuses(provider)
  const breaks = trouble.breaks(provider)
  const when = "the node says so"
  const quoteRefused = (code: FaultCode): Failed => ({
    when,
    ask: quote,
    conditions: refuses("quote", code),
  })
  const payloadRefused = (code: FaultCode): Failed => ({
    when,
    ask: encode,
    conditions: refuses("encode", code),
  })
  const statusRefused = (code: FaultCode): Failed => ({
    when,
    ask: status,
    conditions: refuses("status", code),
  })
  const both = (code: FaultCode): readonly [Failed, Failed] => [quoteRefused(code), payloadRefused(code)]
  const paused = changes({
    change: { change: "setTrading", provider, isPaused: true },
    undo: { change: "setTrading", provider, isPaused: false },
  })
  const halted = changes({
    change: { change: "setTrading", provider, chain: "Ethereum", isChainHalted: true },
    undo: { change: "setTrading", provider, chain: "Ethereum", isChainHalted: false },
  })
  const hasFlags = provider === "thorchain"
  const notTold = notPossible("its list has no flag of all trading, only one for each chain")
  return {
    AmountBelowMinimum: both("amount_below_minimum"),
    EgressBelowMinimum: notPossible("the network has no minimum besides what sending costs"),
    EgressFeeNotCovered: [
      ...both("egress_fee_not_covered"),
      quoteRefused("egress_below_minimum"),
    ],
    InsufficientLiquidity: both("insufficient_liquidity"),
    DepositBelowMinimum: [{
      when: "a refund would not be paid",
      ask: { operation: "encode", request: { ...fromEther, amount: NativeAmount.make(10n ** 15n) } },
    }],
    DepositAboveMaximum: notPossible("the network has no maximum"),
    RequestRefused: [{
      when: "the refund address is of another chain",
      ask: { operation: "encode", request: { ...fromEther, refundAddress: fromEther.destinationAddress } },
    }],
    QuotingMaintenance: hasFlags
      ? [{ when: "all trading is paused", ask: quote, conditions: paused }]
      : notTold,
    SwappingMaintenance: hasFlags
      ? [{ when: "all trading is paused", ask: encode, conditions: paused }]
      : notTold,
    AssetDisabled: [
      quoteRefused("quoting_maintenance"),
      payloadRefused("swapping_maintenance"),
      { when: "the chain is at rest", ask: quote, conditions: halted },
      { when: "the chain is at rest", ask: encode, conditions: halted },
    ],
    AssetNotListed: [
      ...both("asset_disabled"),
      {
        when: "an asset has no pool",
        ask: { operation: "quote", request: { ...toQuoteRequest(offer, request), sourceAsset: "dot.dot" } },
      },
    ],
    DepositChannelFailed: [payloadRefused("upstream_error"), payloadRefused("route_disabled")],
    TooManyChannels: notPossible("there are no channels"),
    UpstreamFailed: [
      quoteRefused("upstream_error"),
      quoteRefused("route_disabled"),
      statusRefused("upstream_error"),
    ],
    RequestCancelled: [quoteRefused("request_cancelled")],
    RateLimited: [...both("provider_unavailable"), statusRefused("provider_unavailable")],
    NotCalled: notPossible("it is the guard's word"),
    TimedOut: notPossible("the node never gives up by itself; the guard does"),
    Unreachable: [
      { when: "the connection is cut", reached: true, ask: quote, conditions: breaks("quote", "reset") },
      { when: "the connection is cut", reached: true, ask: status, conditions: breaks("status", "reset") },
      // Nothing that a node is asked has an effect.
      { when: "the connection is cut", reached: false, ask: encode, conditions: breaks("encode", "reset") },
      {
        when: "the node is down",
        reached: false,
        ask: assets,
        conditions: tampers({ path: new RegExp(`^/${provider}/`), does: "refuse" }),
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
        reached: false,
        ask: encode,
        conditions: breaks("encode", "malformed"),
      },
      {
        when: "the pools have another form",
        reached: true,
        ask: assets,
        conditions: tampers({ path: /\/pools$/, does: () => "<html>" }),
      },
      {
        when: "the vaults that are listed are others",
        reached: false,
        ask: encode,
        conditions: tampers({
          path: /\/inbound_addresses$/,
          does: (body) => body.replaceAll(/"address":"0x[0-9a-f]+"/g, `"address":"0x${"12".repeat(20)}"`),
        }),
      },
      {
        when: "the quote is stale",
        reached: false,
        ask: encode,
        conditions: tampers({
          path: /\/quote\/swap$/,
          // Maya's quotes usually name none.
          does: (body) => body.replace(/"expiry":[0-9]+,/, "").replace("{", '{"expiry":1,'),
        }),
      },
    ],
  }
}
