import { Order, Schema } from "effect"
import { NativeAmount } from "./money/Amount.ts"
import { AssetId } from "./chains/Asset.ts"
import { Issues } from "./Issues.ts"
import type { ProblemCode } from "./ProblemCode.ts"
import { ProviderName } from "./ProviderName.ts"
import { SwitchOperation } from "./operations/ProviderSwitch.ts"
import { SwapRecordId } from "./swaps/SwapRecord.ts"

/** Free text for people. The wording can change; no code branches on it. */
const detail = { detail: Schema.String }

/** The amount does not cover the ingress fee. */
export class AmountBelowMinimum extends Schema.TaggedError<AmountBelowMinimum>()("AmountBelowMinimum", {
  ...detail,
  /** The least amount, where the upstream names one that is no amount of the asset: `$1,000`. */
  least: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^\$?[0-9]{1,3}(?:,[0-9]{3}){0,4}(?:\.[0-9]{1,8})?$/)),
  ),
}) {}

/** The output would be below the destination chain's minimum. */
export class EgressBelowMinimum
  extends Schema.TaggedError<EgressBelowMinimum>()("EgressBelowMinimum", detail) {}

/** The output would not cover the egress fee. */
export class EgressFeeNotCovered
  extends Schema.TaggedError<EgressFeeNotCovered>()("EgressFeeNotCovered", detail) {}

/** The provider has no quote for this amount. */
export class InsufficientLiquidity
  extends Schema.TaggedError<InsufficientLiquidity>()("InsufficientLiquidity", detail) {}

/** The amount is below the least deposit that the chain credits; the problem names the minimum (decision 15). */
export class DepositBelowMinimum extends Schema.TaggedError<DepositBelowMinimum>()("DepositBelowMinimum", {
  asset: AssetId,
  minimum: NativeAmount,
}) {}

/** The amount is above the most that the upstream swaps at once (chainflip/wire.md 3.5). */
export class DepositAboveMaximum extends Schema.TaggedError<DepositAboveMaximum>()("DepositAboveMaximum", {
  asset: AssetId,
  maximum: NativeAmount,
}) {}

/** The upstream refused the request itself; `errors` names the contract's parameters. */
export class RequestRefused
  extends Schema.TaggedError<RequestRefused>()("RequestRefused", { errors: Issues }) {}

/** Quoting is in maintenance. */
export class QuotingMaintenance
  extends Schema.TaggedError<QuotingMaintenance>()("QuotingMaintenance", detail) {}

/** The swap service is in maintenance. */
export class SwappingMaintenance
  extends Schema.TaggedError<SwappingMaintenance>()("SwappingMaintenance", detail) {}

/** An asset is switched off upstream. */
export class AssetDisabled extends Schema.TaggedError<AssetDisabled>()("AssetDisabled", detail) {}

/** The provider does not trade one of the assets. Where another provider does, this says nothing about the request. */
export class AssetNotListed extends Schema.TaggedError<AssetNotListed>()("AssetNotListed", detail) {}

/** The provider begins no swap from there in the way that is asked for; `errors` says which way there is. */
export class OtherStart extends Schema.TaggedError<OtherStart>()("OtherStart", { errors: Issues }) {}

/** The provider promises no output, so that it is not asked for one; `errors` says what to ask for. */
export class NoExactOutput extends Schema.TaggedError<NoExactOutput>()("NoExactOutput", { errors: Issues }) {}

/** The deposit channel could not be opened, and provably was not. */
export class DepositChannelFailed extends Schema.TaggedError<DepositChannelFailed>()("DepositChannelFailed", {
  ...detail,
  /** True where a failure of the upstream itself prevented it, which counts to its circuit. */
  isOwnFailure: Schema.optionalKey(Schema.Literal(true)),
}) {}

/** The upstream's limit of open channels is reached, or the account has had its share of what pays for them. */
export class TooManyChannels extends Schema.TaggedError<TooManyChannels>()("TooManyChannels", detail) {}

/** True where the upstream refused this request in words of its own: that says nothing of its health (decision 61). */
const isOfRequest = { isOfRequest: Schema.optionalKey(Schema.Literal(true)) }

/** The upstream answered with a failure of its own, or refused the request for a reason that has no other name here. */
export class UpstreamFailed
  extends Schema.TaggedError<UpstreamFailed>()("UpstreamFailed", { ...detail, ...isOfRequest }) {}

/** The request was cancelled before the upstream answered. */
export class RequestCancelled extends Schema.TaggedError<RequestCancelled>()("RequestCancelled", detail) {}

/** The upstream takes no more calls for now. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  ...detail,
  /** Seconds to wait, as the upstream asked. */
  retryAfterSeconds: Schema.optionalKey(Schema.Finite),
  /** True where the upstream answers no call of this operation before: none is made then. */
  isShut: Schema.optionalKey(Schema.Literal(true)),
}) {}

/**
 * The provider was not called: its circuit is open, too many calls are in flight, the operator switched it off, or the
 * calls that its upstream allows are spent.
 */
export class NotCalled extends Schema.TaggedError<NotCalled>()("NotCalled", {
  ...detail,
  /** Seconds until the provider may be called again. */
  retryAfterSeconds: Schema.Finite,
  /** Of the causes, the one that is told apart: callers can ask less often. */
  because: Schema.optionalKey(Schema.Literal("budget")),
}) {}

/**
 * Whether the request may have reached the upstream. If it did, the outcome of an opening is unknown, and the opening
 * is never repeated (decision 16).
 */
const reached = { ...detail, reached: Schema.Boolean }

/** No answer in time. */
export class TimedOut extends Schema.TaggedError<TimedOut>()("TimedOut", reached) {}

/** The connection was refused, reset or cut. */
export class Unreachable extends Schema.TaggedError<Unreachable>()("Unreachable", {
  ...reached,
  ...isOfRequest,
  /** Seconds to wait, if the upstream answered and asked for that. */
  retryAfterSeconds: Schema.optionalKey(Schema.Finite),
}) {}

/** The answer does not have the upstream's form; `detail` names the path that did not fit. */
export class MalformedBody extends Schema.TaggedError<MalformedBody>()("MalformedBody", reached) {}

/**
 * The provider's own code threw, or ended in another way than the port has. Nothing is known of what it did before. The
 * guard's word: providers never fail with it.
 */
export class ProviderDefect extends Schema.TaggedError<ProviderDefect>()("ProviderDefect", detail) {}

/** Every way in which a call to a provider can fail. */
export const ProviderErrorReason = Schema.Union([
  AmountBelowMinimum,
  EgressBelowMinimum,
  EgressFeeNotCovered,
  InsufficientLiquidity,
  DepositBelowMinimum,
  DepositAboveMaximum,
  RequestRefused,
  QuotingMaintenance,
  SwappingMaintenance,
  AssetDisabled,
  AssetNotListed,
  OtherStart,
  NoExactOutput,
  DepositChannelFailed,
  TooManyChannels,
  UpstreamFailed,
  RequestCancelled,
  RateLimited,
  NotCalled,
  TimedOut,
  Unreachable,
  MalformedBody,
  ProviderDefect,
])
export type ProviderErrorReason = typeof ProviderErrorReason.Type

/** The consequences of a reason, for those who decide by it. */
interface Consequences {
  /** The code of the problem, if the reason has one (decision 15). */
  readonly code?: ProblemCode
  /** The reason's meaning for the upstream's health: it answered about the request, it failed, or nothing is known. */
  readonly health: "healthy" | "failure" | "ignored"
  /**
   * Whether an opening that failed for this reason may have opened a channel all the same (decision 16): `ifReached`
   * where the call may have reached the upstream, `unknown` where it did and the answer does not tell.
   */
  readonly opened: "never" | "ifReached" | "unknown"
  /**
   * The rank of the failure where no provider succeeded (decision 17): the lowest stands for all, as it tells the
   * caller most about the request.
   */
  readonly tells: number
}

/** Every reason with its consequences. A new one has a row here and wherever else types ask for one. */
export const consequences = {
  // The minimum deposit goes first, as it names the amount that would be enough.
  DepositBelowMinimum: { health: "healthy", opened: "never", tells: 0 },
  AmountBelowMinimum: { code: "amount_below_minimum", health: "healthy", opened: "never", tells: 1 },
  EgressFeeNotCovered: { code: "egress_fee_not_covered", health: "healthy", opened: "never", tells: 2 },
  EgressBelowMinimum: { code: "egress_below_minimum", health: "healthy", opened: "never", tells: 3 },
  InsufficientLiquidity: { code: "insufficient_liquidity", health: "healthy", opened: "never", tells: 4 },
  DepositAboveMaximum: { health: "healthy", opened: "never", tells: 5 },
  RequestRefused: { health: "healthy", opened: "never", tells: 6 },
  AssetDisabled: { code: "asset_disabled", health: "healthy", opened: "never", tells: 7 },
  SwappingMaintenance: { code: "swapping_maintenance", health: "healthy", opened: "never", tells: 8 },
  QuotingMaintenance: { code: "quoting_maintenance", health: "healthy", opened: "never", tells: 9 },
  DepositChannelFailed: { code: "deposit_channel_failed", health: "healthy", opened: "never", tells: 10 },
  TooManyChannels: { code: "too_many_channels", health: "healthy", opened: "never", tells: 11 },
  // The upstream failed in a way that it does not explain, or stopped before it answered.
  UpstreamFailed: { code: "upstream_error", health: "failure", opened: "unknown", tells: 12 },
  RequestCancelled: { code: "request_cancelled", health: "ignored", opened: "unknown", tells: 13 },
  TimedOut: { health: "failure", opened: "ifReached", tells: 14 },
  Unreachable: { health: "failure", opened: "ifReached", tells: 15 },
  MalformedBody: { health: "failure", opened: "ifReached", tells: 16 },
  ProviderDefect: { health: "failure", opened: "unknown", tells: 16 },
  // Both are told to the caller alike, so the shorter wait decides between them.
  RateLimited: { code: "provider_unavailable", health: "failure", opened: "never", tells: 17 },
  NotCalled: { code: "provider_unavailable", health: "ignored", opened: "never", tells: 17 },
  // Neither is asked, or has its offers shown: what others say of the request counts.
  NoExactOutput: { health: "ignored", opened: "never", tells: 18 },
  OtherStart: { health: "ignored", opened: "never", tells: 19 },
  // A provider that does not trade an asset does not count while another one does.
  AssetNotListed: { code: "asset_disabled", health: "healthy", opened: "never", tells: 20 },
} as const satisfies Readonly<Record<ProviderErrorReason["_tag"], Consequences>>

/** What a failure says of the upstream's health: a refusal of this one request says that it is well (decision 61). */
export const healthOf = (reason: ProviderErrorReason): Consequences["health"] => {
  if ("isOfRequest" in reason && reason.isOfRequest === true) return "healthy"
  if ("isOwnFailure" in reason && reason.isOwnFailure === true) return "failure"
  return consequences[reason._tag].health
}

/**
 * Whether an opening that failed for this reason may have opened a channel all the same. Another provider may be asked
 * only where it provably did not (decision 16).
 */
export const mayHaveOpened = (reason: ProviderErrorReason): boolean => {
  const { opened } = consequences[reason._tag]
  return opened === "ifReached" ? "reached" in reason && reason.reached : opened === "unknown"
}

/**
 * The operations of a provider: those that can be switched, the list of its assets, looks at the operator's account,
 * and orders from it.
 */
export const ProviderOperation = Schema.Literals([
  "assets",
  "treasury",
  "withdraw",
  ...SwitchOperation.literals,
])
export type ProviderOperation = typeof ProviderOperation.Type

/** A call to a provider failed, for this `reason`. The only error of the provider port. */
export class ProviderError extends Schema.TaggedError<ProviderError>()("ProviderError", {
  provider: ProviderName,
  operation: ProviderOperation,
  reason: ProviderErrorReason,
  /** The record of the opening that failed, where it may have happened. */
  swap: Schema.optionalKey(SwapRecordId),
}) {
  override get message(): string {
    return `${this.provider} ${this.operation}: ${this.reason._tag}`
  }
}

/** Whether the operation begins a swap. Its outcome matters, so it is called only once (decision 16). */
export const beginsSwap = (operation: ProviderOperation): boolean =>
  operation === "open" || operation === "encode"

/** Seconds until a provider that takes no calls for now may be called again; 0 for any other failure. */
export const waitOf = ({ reason }: ProviderError): number =>
  reason instanceof RateLimited || reason instanceof NotCalled ? reason.retryAfterSeconds ?? Infinity : 0

/** Orders failures by the minimum that they state, the lowest first; those that state none come last. */
export const lowestMinimum: Order.Order<ProviderError> = Order.combine(
  Order.mapInput(Order.Boolean, ({ reason }: ProviderError) => !(reason instanceof DepositBelowMinimum)),
  Order.mapInput(
    Order.BigInt,
    ({ reason }: ProviderError) => reason instanceof DepositBelowMinimum ? reason.minimum : 0n,
  ),
)
