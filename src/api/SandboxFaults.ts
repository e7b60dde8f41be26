import { Schema, Struct } from "effect"
import { ProblemCode } from "#domain/ProblemCode.ts"
import { VaultNetwork } from "./SandboxVaults.ts"

/** The faults of the simulated upstreams (`/sandbox/faults`). */

export const SimulatedProvider = Schema.Literals([
  "chainflip",
  "near-intents",
  "relay",
  ...VaultNetwork.literals,
])
export type SimulatedProvider = typeof SimulatedProvider.Type

export const FaultOperation = Schema.Literals([
  "quote",
  "open",
  "encode",
  "list",
  "status",
  "treasury",
  "withdraw",
])
export type FaultOperation = typeof FaultOperation.Type

export const FaultCode = ProblemCode
export type FaultCode = ProblemCode

/** The faults of a connection, without a message of the upstream. */
export const FaultKind = Schema.Literals([
  "latency",
  "timeout",
  "reset",
  "http_500",
  "malformed",
  "not_offered",
])
export type FaultKind = typeof FaultKind.Type

/** The errors of the network's modules that faults can make the simulated broker of Chainflip refuse with. */
export const BrokerError = Schema.Literals([
  "AffiliateEarnedFeesNotWithdrawn",
  "AffiliateNotRegisteredForBroker",
  "AffiliateShortIdOutOfBounds",
  "BelowEgressDustLimit",
  "BrokerAlreadyBound",
  "BrokerRegistrationDisabled",
  "DestinationNotAllowed",
  "EarnedFeesNotWithdrawn",
  "InsufficientFunds",
  "InsufficientLiquidity",
  "NoFundsAvailable",
  "NoPrivateChannelExistsForBroker",
  "PrivateChannelExistsForBroker",
  "WithdrawalsDisabled",
])
export type BrokerError = typeof BrokerError.Type

/**
 * What real upstreams do that is awkward for their clients, and whether the simulated ones do it unless they are told
 * otherwise: what is usual at the real ones is on, what was seen there now and then is off.
 */
export const behaviours = {
  ownFees: {
    on: true,
    does:
      "near-intents halves the commission that is asked for, and adds a fee of its own, also where none is asked for",
  },
  newestIds: {
    on: true,
    does: "near-intents answers with the newest id of an asset, whatever it was asked with",
  },
  formerIds: {
    on: false,
    does:
      "near-intents lists assets that have moved by their former ids alone, and still answers with the newest",
  },
  bareAddresses: {
    on: true,
    does:
      "near-intents writes addresses of Bitcoin Cash without their prefix, and knows orders by no other text",
  },
  unaskedMemo: { on: false, does: "near-intents names an unrequested memo for the deposit" },
  coldAddress: { on: true, does: "near-intents names an end of the address 72 hours after refunds begin" },
  emptyHashes: {
    on: false,
    does: "near-intents leaves the transaction of a deposit, and the explorers' URLs, out of its statuses",
  },
  nullDataVersion1: {
    on: true,
    does: "chainflip writes null data with version 1 in its first byte; otherwise 0",
  },
  privateChannel: {
    on: true,
    does:
      "the broker of chainflip has a private channel if it has opened one; otherwise payloads of BTC are refused",
  },
  sparseRecords: {
    on: false,
    does: "chainflip leaves the destination of a swap out of its record, chain, asset and address",
  },
  rateLimits: {
    on: false,
    does:
      "the backend of chainflip takes 100 quotes a minute, then none for five minutes, and 10 unknown swaps a " +
      "minute, then none for ten minutes; relay takes 50 quotes and openings together a minute, nodes of thorchain and " +
      "maya 60 calls of any kind",
  },
  balanceRule: {
    on: true,
    does: "relay refuses a user who has not the amount: all but a few wallets that are known",
  },
  bareWaiting: { on: true, does: "relay tells of a request that waits only that, and when it was quoted" },
  noExpiry: { on: true, does: "maya leaves the expiry out of its quotes" },
  batches: {
    on: false,
    does:
      "chainflip names one transaction for all payments on a chain that were scheduled in the same block, but on Solana",
  },
  quotedRefunds: { on: false, does: "near-intents names the amounts of the quote for a refunded order" },
  refundFees: {
    on: false,
    does: "near-intents sends back a thousandth less, for a fee that no quote showed",
  },
  lessOutput: {
    on: false,
    does: "near-intents and relay answer with 0.999956 of the output that was asked for",
  },
  otherRefunds: { on: false, does: "relay names the destination's currency for a refund" },
  retryAfter: { on: false, does: "a limit on the rate says how many seconds to wait" },
} as const
export const Behaviour = Schema.Literals(Struct.keys(behaviours))
export type Behaviour = typeof Behaviour.Type

const HeaderLines = Schema.optionalKey(
  Schema.Array(Schema.String.check(Schema.isPattern(/^[ -~]{0,500}$/))).annotate({
    description: "The lines of the header.",
  }),
)

/** What an endpoint of a simulated upstream says of its end. */
const Ending = Schema.Struct({
  endpoint: Schema.optionalKey(Schema.String.annotate({
    description: "Such as `POST /quote/v2`, or a JSON-RPC method; every endpoint when absent",
  })),
  deprecation: HeaderLines,
  sunset: HeaderLines,
  link: HeaderLines,
  retired: Schema.optionalKey(
    Schema.Literals([404, 410]).annotate({
      description: "The endpoint does nothing any more but answer with this status",
    }),
  ),
})

/** The delay of `latency`, in milliseconds, if the rule gives none. */
export const defaultLatencyMs = 1_000

/** `PUT /sandbox/faults`: the upstream misbehaves on its own wire until the rule is cleared or used up. */
export const FaultRule = Schema.Struct({
  provider: Schema.optionalKey(SimulatedProvider.annotate({ description: "Every provider when absent" })),
  operation: Schema.optionalKey(FaultOperation.annotate({
    description: "Each of these when absent; other calls of an upstream are left alone",
  })),
  code: Schema.optionalKey(FaultCode.annotate({
    description: "The upstream refuses with its own message for this code; nothing is done",
  })),
  kind: Schema.optionalKey(FaultKind.annotate({
    description:
      "latency delays the response; timeout never answers; reset cuts the connection; http_500 answers 500; " +
      "malformed answers with a body that is not of the upstream's form; not_offered is the response of chainflip's nodes " +
      "that do not have the call, and leaves other providers alone. An opening with timeout, reset or malformed happens " +
      "after the channel was opened: its outcome is unknown to the caller, as that of a withdrawal is",
  })),
  error: Schema.optionalKey(BrokerError.annotate({
    description:
      "The broker of chainflip refuses with this error of the network's modules; nothing is done. " +
      "Other providers are left alone",
  })),
  behaviour: Schema.optionalKey(Behaviour.annotate({
    description: "What the simulated upstreams do as the real ones, or not; with on, and nothing else. " +
      Object.entries(behaviours).map(([name, { does, on }]) => `${name} (${on ? "on" : "off"}): ${does}`)
        .join(". "),
  })),
  ends: Schema.optionalKey(Ending.annotate({
    description:
      "An endpoint announces its end: the lines of these headers are in every response. Only beside provider",
  })),
  on: Schema.optionalKey(Schema.Boolean.annotate({ description: "Whether they do what `behaviour` names" })),
  latencyMs: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 600_000 })).annotate({
      description: `Real milliseconds before the response; ${defaultLatencyMs} for kind latency when absent`,
    }),
  ),
  rate: Schema.optionalKey(
    Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })).annotate({
      description: "Share of the calls that are touched, drawn with the sandbox's seed; all when absent",
    }),
  ),
  count: Schema.optionalKey(
    Schema.Int.check(Schema.isGreaterThan(0)).annotate({
      description: "Number of calls after which the fault is gone",
    }),
  ),
}).check(
  Schema.makeFilter((rule) =>
    [rule.code, rule.kind, rule.error, rule.behaviour, rule.ends].filter((fault) => fault !== undefined)
        .length === 1
      ? undefined
      : { path: ["code"], issue: "Give exactly one of code, kind, error, behaviour and ends" }
  ),
  Schema.makeFilter(({ ends, provider: _, ...others }) =>
    ends === undefined || Struct.keys(others).length === 0
      ? undefined
      : { path: ["ends"], issue: "may stand beside provider alone" }
  ),
  Schema.makeFilter(({ behaviour, on, ...others }) =>
    (behaviour === undefined) === (on === undefined) &&
      (behaviour === undefined || Struct.keys(others).length === 0)
      ? undefined
      : { path: ["on"], issue: "Give behaviour and on together, and nothing else beside them" }
  ),
).annotate({
  identifier: "SandboxFault",
  description:
    "A fault on the upstream's wire; it takes the place of a rule for the same provider and operation, or for the " +
    "same behaviour or endpoint",
})
export type FaultRule = typeof FaultRule.Type
