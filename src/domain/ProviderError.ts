import { Effect, Order, Schema } from "effect"
import { NativeAmount } from "./money/Amount.ts"
import { AssetId } from "./chains/Asset.ts"
import { Issues } from "./Issues.ts"
import { ProviderName } from "./ProviderName.ts"
import { SwitchOperation } from "./operations/ProviderSwitch.ts"
import { reasonFacts, reasonFactsOf } from "./reasonFacts.ts"
import { SwapRecordId } from "./swaps/SwapRecord.ts"

/** Free text for people; `reasonFacts` says what each reason means. No code branches on the wording. */
const detail = { detail: Schema.String }

/** The same, with the sentence that stands where none is given. */
const usually = (text: string) => ({
  detail: detail.detail.pipe(Schema.withConstructorDefault(Effect.succeed(text))),
})

export class AmountBelowMinimum extends Schema.TaggedError<AmountBelowMinimum>()("AmountBelowMinimum", {
  ...usually(reasonFacts.AmountBelowMinimum.integrators),
  /** The least amount, where the upstream names one that is no amount of the asset: `$1,000`. */
  least: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^\$?[0-9]{1,3}(?:,[0-9]{3}){0,4}(?:\.[0-9]{1,8})?$/)),
  ),
}) {}

export class EgressBelowMinimum
  extends Schema.TaggedError<EgressBelowMinimum>()("EgressBelowMinimum", detail) {}

export class EgressFeeNotCovered
  extends Schema.TaggedError<EgressFeeNotCovered>()("EgressFeeNotCovered", detail) {}

export class InsufficientLiquidity extends Schema.TaggedError<InsufficientLiquidity>()(
  "InsufficientLiquidity",
  usually(reasonFacts.InsufficientLiquidity.integrators),
) {}

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

export class QuotingMaintenance extends Schema.TaggedError<QuotingMaintenance>()(
  "QuotingMaintenance",
  usually(reasonFacts.QuotingMaintenance.integrators),
) {}

export class SwappingMaintenance extends Schema.TaggedError<SwappingMaintenance>()(
  "SwappingMaintenance",
  usually(reasonFacts.SwappingMaintenance.integrators),
) {}

export class AssetDisabled extends Schema.TaggedError<AssetDisabled>()("AssetDisabled", detail) {}

/** The provider does not trade one of the assets. Where another provider does, this says nothing about the request. */
export class AssetNotListed extends Schema.TaggedError<AssetNotListed>()("AssetNotListed", detail) {}

/** The provider begins no swap from there in the way that is asked for; `errors` says which way there is. */
export class OtherStart extends Schema.TaggedError<OtherStart>()("OtherStart", { errors: Issues }) {}

/** The provider promises no output, so that it is not asked for one; `errors` says what to ask for. */
export class NoExactOutput extends Schema.TaggedError<NoExactOutput>()("NoExactOutput", { errors: Issues }) {}

/** Of what an upstream refuses, what is told apart: it wants an API key, or does not take ours, and the operator can set one. */
const because = { because: Schema.optionalKey(Schema.Literal("key")) }

export class DepositChannelFailed extends Schema.TaggedError<DepositChannelFailed>()("DepositChannelFailed", {
  ...detail,
  ...because,
  /** True where a failure of the upstream itself prevented it, which counts to its circuit. */
  isOwnFailure: Schema.optionalKey(Schema.Literal(true)),
}) {}

/** The upstream's limit of open channels is reached, or the account has had its share of what pays for them. */
export class TooManyChannels extends Schema.TaggedError<TooManyChannels>()(
  "TooManyChannels",
  usually(reasonFacts.TooManyChannels.integrators),
) {}

/** True where the upstream refused this request in words of its own: that says nothing of its health (decision 61). */
const isOfRequest = { isOfRequest: Schema.optionalKey(Schema.Literal(true)) }

/** The upstream answered with a failure of its own, or refused the request for a reason that has no other name here. */
export class UpstreamFailed
  extends Schema.TaggedError<UpstreamFailed>()("UpstreamFailed", { ...detail, ...isOfRequest, ...because }) {}

export class RequestCancelled extends Schema.TaggedError<RequestCancelled>()("RequestCancelled", detail) {}

export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  ...detail,
  /** Seconds to wait, as the upstream asked. */
  retryAfterSeconds: Schema.optionalKey(Schema.Finite),
  /** True where the upstream answers no call of this operation before: none is made then. */
  isShut: Schema.optionalKey(Schema.Literal(true)),
}) {}

/** The provider was not called: paused, full, switched off, or out of allowed calls. */
export class NotCalled extends Schema.TaggedError<NotCalled>()("NotCalled", {
  ...detail,
  /** Seconds until the provider may be called again. */
  retryAfterSeconds: Schema.Finite,
  /** Of the causes, those that are told apart: callers can ask less often, and the operator can set an API key. */
  because: Schema.optionalKey(Schema.Literals(["budget", "key"])),
}) {}

/** Whether the request may have reached the upstream; then an opening is not repeated (decision 16). */
const reached = { ...detail, reached: Schema.Boolean }

export class TimedOut extends Schema.TaggedError<TimedOut>()("TimedOut", reached) {}

export class Unreachable extends Schema.TaggedError<Unreachable>()("Unreachable", {
  ...reached,
  ...isOfRequest,
  /** Seconds to wait, if the upstream answered and asked for that. */
  retryAfterSeconds: Schema.optionalKey(Schema.Finite),
}) {}

/** The answer does not have the upstream's form; `detail` names the path that did not fit. */
export class MalformedBody extends Schema.TaggedError<MalformedBody>()("MalformedBody", reached) {}

/** The provider's code threw. What it did before is unknown. Only the guard fails with it, no provider does. */
export class ProviderDefect extends Schema.TaggedError<ProviderDefect>()(
  "ProviderDefect",
  usually("the provider's own code failed: see the log"),
) {}

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

/** What a failure says of the upstream's health: a refusal of this one request says that it is well (decision 61). */
export const healthOf = (reason: ProviderErrorReason): "healthy" | "failure" | "ignored" => {
  if ("isOfRequest" in reason && reason.isOfRequest === true) return "healthy"
  if ("isOwnFailure" in reason && reason.isOwnFailure === true) return "failure"
  return reasonFactsOf(reason).health ?? "healthy"
}

/** Whether a reason can carry text of its upstream, which is written by a stranger. */
export const carriesText = (reason: ProviderErrorReason): boolean => "detail" in reason || "errors" in reason

/** Whether a failed opening may have opened a channel; only if not, another is asked (decision 16). */
export const mayHaveOpened = (reason: ProviderErrorReason): boolean => {
  const { opened } = reasonFactsOf(reason)
  return opened === "ifReached" ? "reached" in reason && reason.reached : opened === "unknown"
}

/** Operations: those that can be switched, the asset list, balance reads, and withdrawals. */
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
