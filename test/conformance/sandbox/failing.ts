import { Array } from "effect"
import type { FaultCode, FaultKind, SimulatedProvider } from "#api/SandboxFaults.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import {
  type Ask,
  type ConnectionFailure,
  type Failure,
  type Failures,
  notPossible,
  type Offer,
} from "../Fixtures.ts"
import { toQuoteRequest } from "../verbs/kit.ts"
import type { SandboxWorld } from "./SandboxWorld.ts"
import type { Tamper } from "./Tampering.ts"
import { breaks, refuses, tampers, type Trouble } from "./trouble.ts"

type Asks<A extends Ask> = Array.NonEmptyReadonlyArray<A>
/** What the sandbox itself can be told to fail. */
type Faulty = Exclude<Ask, { readonly operation: "assets" }>

type Failed = Array.NonEmptyReadonlyArray<Failure<SandboxWorld>>
type Broken = Array.NonEmptyReadonlyArray<ConnectionFailure<SandboxWorld>>

/** Asks that fail for the same. */
export const fails = (when: string, conditions: Trouble, ...asks: Asks<Ask>): Failed =>
  Array.map(asks, (ask) => ({ when, ask, conditions }))

/** Asks that fail on the way to the upstream, or as its answer cannot be read; `reached` says whether it came so far. */
export const meddled = (when: string, reached: boolean, tamper: Tamper, ...asks: Asks<Ask>): Broken =>
  Array.map(asks, (ask) => ({ when, reached, ask, conditions: tampers(tamper) }))

/** Asks that nobody answers at all. */
export const down = (who: string, path: RegExp, ...asks: Asks<Ask>): Broken =>
  meddled(`${who} is down`, false, { path, does: "refuse" }, ...asks)

/** How the sandbox makes a provider's operations fail; `who` is whom each of them asks, in the names of tests. */
export const failing = (provider: SimulatedProvider, who: (operation: Faulty["operation"]) => string) => {
  const broken = (when: string, kind: FaultKind, reached = true) => (...asks: Asks<Faulty>): Broken =>
    Array.map(asks, (ask) => ({
      when,
      reached,
      ask,
      conditions: breaks(provider)(ask.operation, kind),
    }))
  return {
    /** The upstream refuses with the message of the code. */
    says: (code: FaultCode, ...asks: Asks<Faulty>): Failed =>
      Array.map(asks, (ask) => ({
        when: `${who(ask.operation)} says so`,
        ask,
        conditions: refuses(provider)(ask.operation, code),
      })),
    broken,
    cut: broken("the connection is cut", "reset"),
    malformed: broken("the answer has another form", "malformed"),
  }
}

export const guardsWord = notPossible("it is the guard's word")

/** What both services whose orders are deposit addresses have in common; `isDown` is the path of all their calls. */
export const serviceFailures = (
  provider: "near-intents" | "relay",
  offer: Offer,
  request: SwapRequest,
  isDown: RegExp,
) => {
  const assets: Ask = { operation: "assets" }
  const quote = { operation: "quote", request: toQuoteRequest(offer, request) } as const
  const open = { operation: "open", request } as const
  const status = { operation: "status" } as const
  const { broken, cut, malformed, says } = failing(provider, () => "the service")
  const noLimits = notPossible("the service publishes no limits")
  const refundsElsewhere: Ask = {
    operation: "open",
    request: { ...request, refundAddress: request.destinationAddress },
  }
  const tooLittle: Ask = {
    operation: "quote",
    request: { ...quote.request, amount: offer.tooLittle },
  }
  const failures = {
    AmountBelowMinimum: says("amount_below_minimum", quote, open),
    EgressBelowMinimum: says("egress_below_minimum", quote, open),
    EgressFeeNotCovered: says("egress_fee_not_covered", quote, open),
    InsufficientLiquidity: says("insufficient_liquidity", quote, open),
    DepositBelowMinimum: noLimits,
    DepositAboveMaximum: noLimits,
    RequestRefused: [{ when: "the refund address is of another chain", ask: refundsElsewhere }],
    QuotingMaintenance: says("quoting_maintenance", quote, open),
    SwappingMaintenance: says("swapping_maintenance", quote, open),
    AssetDisabled: says("asset_disabled", quote, open),
    DepositChannelFailed: [...says("deposit_channel_failed", open), ...says("route_disabled", open)],
    TooManyChannels: says("too_many_channels", open),
    UpstreamFailed: [...says("upstream_error", quote, open, status), ...says("route_disabled", quote)],
    RequestCancelled: says("request_cancelled", quote, open),
    RateLimited: says("provider_unavailable", quote, open, status),
    NotCalled: guardsWord,
    TimedOut: notPossible("the service never gives up by itself; the guard does"),
    Unreachable: [
      ...cut(quote, status, open),
      ...broken("the service fails", "http_500")(open),
      {
        when: "the connection is cut before an address is asked for",
        reached: false,
        ask: open,
        conditions: breaks(provider)("quote", "reset"),
      },
      ...down("the service", isDown, assets, open),
    ],
    MalformedBody: malformed(quote, status, open),
  } satisfies Partial<Failures<SandboxWorld>>
  return { assets, failures, open, quote, says, status, tooLittle }
}
