import { Schema } from "effect"
import { ProblemCode } from "../domain/ProblemCode.ts"

/** The faults of the simulated upstreams (`/sandbox/faults`). */

/** The upstreams that the sandbox can simulate. */
export const SimulatedProvider = Schema.Literals(["chainflip", "near-intents", "relay", "thorchain", "maya"])
export type SimulatedProvider = typeof SimulatedProvider.Type

/** The operations that faults can affect. */
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

/** The delay of `latency`, in milliseconds, if the rule gives none. */
export const defaultLatencyMs = 1_000

/** `PUT /sandbox/faults`: the upstream misbehaves on its own wire until the rule is cleared or used up. */
export const FaultRule = Schema.Struct({
  provider: Schema.optionalKey(SimulatedProvider.annotate({ description: "Every provider when absent" })),
  operation: Schema.optionalKey(
    FaultOperation.annotate({
      description: "Each of these when absent; other calls of an upstream are left alone",
    }),
  ),
  code: Schema.optionalKey(ProblemCode.annotate({
    description: "The upstream refuses with the message, on its own wire, that stands for this code; " +
      "nothing is done",
  })),
  kind: Schema.optionalKey(FaultKind.annotate({
    description: "latency delays the answer; timeout never answers; reset cuts the connection; http_500 " +
      "answers 500; malformed answers with a body that is not of the upstream's form; not_offered is the answer " +
      "of chainflip's nodes that do not have the call, and leaves other providers alone. An opening with " +
      "timeout, reset or malformed happens after the channel was opened: its outcome is unknown to the caller, " +
      "as that of a withdrawal is",
  })),
  error: Schema.optionalKey(BrokerError.annotate({
    description:
      "The broker of chainflip refuses with this error of the network's modules; nothing is done. " +
      "Other providers are left alone",
  })),
  latencyMs: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 600_000 })).annotate({
      description: `Real milliseconds before the answer; ${defaultLatencyMs} for kind latency when absent`,
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
    [rule.code, rule.kind, rule.error].filter((fault) => fault !== undefined).length === 1
      ? undefined
      : { path: ["code"], issue: "Give exactly one of code, kind and error" }
  ),
).annotate({
  description:
    "A fault on the upstream's wire; it takes the place of a rule for the same provider and operation",
})
export type FaultRule = typeof FaultRule.Type
