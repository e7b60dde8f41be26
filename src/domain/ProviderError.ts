import { Schema } from "effect"
import { NativeAmount } from "./Amount.ts"
import { AssetId } from "./Asset.ts"
import { Faults } from "./Faults.ts"
import { ProviderName } from "./ProviderName.ts"

/** Free text for people; wording can change, nothing branches on it. */
const detail = { detail: Schema.String }

/** The amount does not cover the ingress fee. Code `amount_below_minimum`. */
export class AmountBelowMinimum
  extends Schema.TaggedError<AmountBelowMinimum>()("AmountBelowMinimum", detail) {}

/** The output would be under the destination chain's minimum. Code `egress_below_minimum`. */
export class EgressBelowMinimum
  extends Schema.TaggedError<EgressBelowMinimum>()("EgressBelowMinimum", detail) {}

/** The output would not cover the egress fee. Code `egress_fee_not_covered`. */
export class EgressFeeNotCovered
  extends Schema.TaggedError<EgressFeeNotCovered>()("EgressFeeNotCovered", detail) {}

/** No quote for this amount. Code `insufficient_liquidity`. */
export class InsufficientLiquidity
  extends Schema.TaggedError<InsufficientLiquidity>()("InsufficientLiquidity", detail) {}

/**
 * The amount is under what the chain credits as a deposit. No code, and `errors` names the minimum
 * (decision 15).
 */
export class DepositBelowMinimum extends Schema.TaggedError<DepositBelowMinimum>()("DepositBelowMinimum", {
  asset: AssetId,
  minimum: NativeAmount,
}) {}

/** The amount is over what the upstream swaps at once. No code (chainflip/wire.md 3.5). */
export class DepositAboveMaximum extends Schema.TaggedError<DepositAboveMaximum>()("DepositAboveMaximum", {
  asset: AssetId,
  maximum: NativeAmount,
}) {}

/** The upstream found the request itself wrong, in words of the contract's parameters. No code. */
export class RequestRefused
  extends Schema.TaggedError<RequestRefused>()("RequestRefused", { errors: Faults }) {}

/** Quoting is in maintenance. Code `quoting_maintenance`. */
export class QuotingMaintenance
  extends Schema.TaggedError<QuotingMaintenance>()("QuotingMaintenance", detail) {}

/** The swap service is in maintenance. Code `swapping_maintenance`. */
export class SwappingMaintenance
  extends Schema.TaggedError<SwappingMaintenance>()("SwappingMaintenance", detail) {}

/** An asset is switched off upstream. Code `asset_disabled`. */
export class AssetDisabled extends Schema.TaggedError<AssetDisabled>()("AssetDisabled", detail) {}

/**
 * The provider does not deal in one of the assets at all. Code `asset_disabled` where no other provider does; where
 * one does, it says nothing of the request.
 */
export class AssetNotListed extends Schema.TaggedError<AssetNotListed>()("AssetNotListed", detail) {}

/** The deposit channel could not be opened, and provably is not. Code `deposit_channel_failed`. */
export class DepositChannelFailed
  extends Schema.TaggedError<DepositChannelFailed>()("DepositChannelFailed", detail) {}

/** The cap of open channels is reached. Code `too_many_channels`. */
export class TooManyChannels extends Schema.TaggedError<TooManyChannels>()("TooManyChannels", detail) {}

/** The upstream failed in a way of its own that it answered with. Code `upstream_error`. */
export class UpstreamFailed extends Schema.TaggedError<UpstreamFailed>()("UpstreamFailed", detail) {}

/** The request was cancelled before the upstream answered. Code `request_cancelled`. */
export class RequestCancelled extends Schema.TaggedError<RequestCancelled>()("RequestCancelled", detail) {}

/** The upstream takes no more calls for now. Code `provider_unavailable`. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  ...detail,
  /** Seconds that the upstream asked to wait. */
  retryAfterSeconds: Schema.optionalKey(Schema.Finite),
}) {}

/**
 * The provider was not called: its circuit is open, too many calls are in flight, or the operator switched
 * it off. Code `provider_unavailable`.
 */
export class NotCalled extends Schema.TaggedError<NotCalled>()("NotCalled", {
  ...detail,
  /** Seconds until it may be called again. */
  retryAfterSeconds: Schema.Finite,
}) {}

/**
 * Whether the request may have reached the upstream: an opening that did has an unknown outcome and is
 * never repeated (decision 16).
 */
const reached = { ...detail, reached: Schema.Boolean }

/** No answer in time. No code. */
export class TimedOut extends Schema.TaggedError<TimedOut>()("TimedOut", reached) {}

/** The connection was refused, reset or cut. No code. */
export class Unreachable extends Schema.TaggedError<Unreachable>()("Unreachable", {
  ...reached,
  /** Seconds that the upstream asked to wait, where it answered at all. */
  retryAfterSeconds: Schema.optionalKey(Schema.Finite),
}) {}

/** The answer is not of the upstream's form; `detail` names the path that did not fit. No code. */
export class MalformedBody extends Schema.TaggedError<MalformedBody>()("MalformedBody", reached) {}

/** Everything that can be the matter with a call to a provider. */
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
  DepositChannelFailed,
  TooManyChannels,
  UpstreamFailed,
  RequestCancelled,
  RateLimited,
  NotCalled,
  TimedOut,
  Unreachable,
  MalformedBody,
])
export type ProviderErrorReason = typeof ProviderErrorReason.Type

/** What a provider is asked to do. */
export const ProviderOperation = Schema.Literals(["assets", "quote", "open", "encode", "status", "node"])
export type ProviderOperation = typeof ProviderOperation.Type

/** A call to a provider failed; `reason` says how. The only error of the provider port. */
export class ProviderError extends Schema.TaggedError<ProviderError>()("ProviderError", {
  provider: ProviderName,
  operation: ProviderOperation,
  reason: ProviderErrorReason,
}) {
  override get message(): string {
    return `${this.provider} ${this.operation}: ${this.reason._tag}`
  }
}

/** Whether the operation begins a swap: its outcome matters, so it is asked for once (decision 16). */
export const beginsSwap = (operation: ProviderOperation): boolean =>
  operation === "open" || operation === "encode"

/** Seconds until a provider that takes no calls for now may be called again; 0 for any other failure. */
export const waitOf = ({ reason }: ProviderError): number =>
  reason instanceof RateLimited || reason instanceof NotCalled ? reason.retryAfterSeconds ?? Infinity : 0
