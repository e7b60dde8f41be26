import { type AssetId, Bps, NativeAmount } from "#exports/domain.ts"
import type { FaultCode } from "#api/SandboxFaults.ts"
import { type Ask, type Failures, notPossible } from "../Fixtures.ts"
import { down, failing, fails, guardsWord, meddled } from "../sandbox/failing.ts"
import type { Change, SandboxWorld } from "../sandbox/SandboxWorld.ts"
import { breaks, changes } from "../sandbox/trouble.ts"
import { toQuoteRequest } from "../verbs/kit.ts"
import { offer, payloadRequests, request } from "./requests.ts"

const [payloadRequest] = payloadRequests

const assets: Ask = { operation: "assets" }
const quote = { operation: "quote", request: toQuoteRequest(offer, request) } as const
const open = { operation: "open", request } as const
const encode = { operation: "encode", request: payloadRequest } as const
const status = { operation: "status" } as const
const vaultSwapStatus = { operation: "status", of: "payload" } as const

const { broken, cut, malformed, says } = failing(
  "chainflip",
  (operation) => operation === "open" || operation === "encode" ? "the broker" : "the backend",
)

/** Openings and payloads that the broker refuses with the message of a code. */
const refusedByBroker = (code: FaultCode) => says(code, open, encode)

/** The same, and quotes that the backend refuses. */
const refused = (code: FaultCode) => says(code, quote, open, encode)

const switchedOff = (when: string, change: Change) => fails(when, changes(change), quote, open, encode)

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

const otherState = { path: /networkInfo/, does: () => "<html>" }

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
  QuotingMaintenance: fails(
    "quoting is in maintenance",
    changes({
      change: { change: "setMaintenance", quoting: true },
      undo: { change: "setMaintenance", quoting: false },
    }),
    quote,
  ),
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
    ...fails("the backend fails", breaks("chainflip")("status", "http_500"), status, vaultSwapStatus),
  ],
  RequestCancelled: refused("request_cancelled"),
  RateLimited: [...refused("provider_unavailable"), ...says("provider_unavailable", status, vaultSwapStatus)],
  NotCalled: guardsWord,
  TimedOut: meddled(
    "the broker gives up waiting",
    true,
    { path: /\/chainflip\/broker/, does: () => brokerGivesUp },
    open,
    encode,
  ),
  Unreachable: [
    ...cut(encode, quote, status, vaultSwapStatus, open),
    ...broken("the broker fails without a reason", "http_500")(encode, open),
    ...down("the broker", /\/chainflip\/broker/, encode, open),
    ...down("the node", /\/chainflip\/node/, open),
    ...down("the backend", /\/chainflip\/backend/, assets),
  ],
  MalformedBody: [
    ...malformed(quote, status, vaultSwapStatus, open, encode),
    ...meddled(
      "the network's state has another form, which is before a channel is asked for",
      false,
      otherState,
      open,
    ),
    ...meddled("the network's state has another form", true, otherState, assets),
  ],
}
