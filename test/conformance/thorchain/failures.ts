import type { VaultNetwork } from "#api/SandboxVaults.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type Ask, type Failures, notPossible } from "../Fixtures.ts"
import { down, failing, fails, guardsWord, meddled } from "../sandbox/failing.ts"
import type { SandboxWorld } from "../sandbox/SandboxWorld.ts"
import { changes } from "../sandbox/trouble.ts"
import { toQuoteRequest } from "../verbs/kit.ts"
import { fromEther, offer, request } from "./requests.ts"

const assets: Ask = { operation: "assets" }
const quote = { operation: "quote", request: toQuoteRequest(offer, request) } as const
const encode = { operation: "encode", request: fromEther } as const
const status = { operation: "status" } as const

/** Every way in which the provider of a network fails, made in the sandbox and on the way to it. */
export const failuresOf = (provider: VaultNetwork): Failures<SandboxWorld> => {
  const { broken, cut, malformed, says } = failing(provider, () => "the node")
  const paused = changes({
    change: { change: "setTrading", provider, isPaused: true },
    undo: { change: "setTrading", provider, isPaused: false },
  })
  const halted = changes({
    change: { change: "setTrading", provider, chain: "Ethereum", isChainHalted: true },
    undo: { change: "setTrading", provider, chain: "Ethereum", isChainHalted: false },
  })
  const whilePaused = (ask: Ask) =>
    provider === "thorchain"
      ? fails("all trading is paused", paused, ask)
      : notPossible("its list has no flag of all trading, only one for each chain")
  return {
    AmountBelowMinimum: says("amount_below_minimum", quote, encode),
    EgressBelowMinimum: notPossible("the network has no minimum besides what sending costs"),
    EgressFeeNotCovered: [
      ...says("egress_fee_not_covered", quote, encode),
      ...says("egress_below_minimum", quote),
    ],
    InsufficientLiquidity: says("insufficient_liquidity", quote, encode),
    DepositBelowMinimum: [{
      when: "a refund would not be paid",
      ask: { ...encode, request: { ...fromEther, amount: NativeAmount.make(10n ** 15n) } },
    }],
    DepositAboveMaximum: notPossible("the network has no maximum"),
    RequestRefused: [{
      when: "the refund address is of another chain",
      ask: { ...encode, request: { ...fromEther, refundAddress: fromEther.destinationAddress } },
    }],
    QuotingMaintenance: whilePaused(quote),
    SwappingMaintenance: whilePaused(encode),
    AssetDisabled: [
      ...says("quoting_maintenance", quote),
      ...says("swapping_maintenance", encode),
      ...fails("the chain is at rest", halted, quote, encode),
    ],
    AssetNotListed: [...says("asset_disabled", quote, encode), {
      when: "an asset has no pool",
      ask: { ...quote, request: { ...quote.request, sourceAsset: "dot.dot" } },
    }],
    DepositChannelFailed: [...says("upstream_error", encode), ...says("route_disabled", encode)],
    TooManyChannels: notPossible("there are no channels"),
    UpstreamFailed: [...says("upstream_error", quote, status), ...says("route_disabled", quote)],
    RequestCancelled: says("request_cancelled", quote),
    RateLimited: says("provider_unavailable", quote, encode, status),
    NotCalled: guardsWord,
    TimedOut: notPossible("the node never gives up by itself; the guard does"),
    Unreachable: [
      ...cut(quote, status),
      // Nothing that a node is asked has an effect.
      ...broken("the connection is cut", "reset", false)(encode),
      ...down("the node", new RegExp(`^/${provider}/`), assets),
    ],
    MalformedBody: [
      ...malformed(quote, status),
      ...broken("the answer has another form", "malformed", false)(encode),
      ...meddled("the pools have another form", true, { path: /\/pools$/, does: () => "<html>" }, assets),
      ...meddled("the vaults that are listed are others", false, {
        path: /\/inbound_addresses$/,
        does: (body) => body.replaceAll(/"address":"0x[0-9a-f]+"/g, `"address":"0x${"12".repeat(20)}"`),
      }, encode),
      ...meddled("the quote is stale", false, {
        path: /\/quote\/swap$/,
        // Maya's quotes usually name none.
        does: (body) => body.replace(/"expiry":[0-9]+,/, "").replace("{", '{"expiry":1,'),
      }, encode),
    ],
  }
}
