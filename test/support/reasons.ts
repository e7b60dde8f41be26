import { NativeAmount } from "#domain/money/Amount.ts"
import * as Reason from "#domain/ProviderError.ts"
import type { reasonFacts } from "#domain/reasonFacts.ts"

type Reasons = {
  readonly [Tag in keyof typeof reasonFacts]: Extract<Reason.ProviderErrorReason, { readonly _tag: Tag }>
}

const native = NativeAmount.make(40_000n)

/** A failure for every reason there is, with this text wherever a reason can carry one. */
export const reasonsWith = (detail: string): Reasons => ({
  AmountBelowMinimum: new Reason.AmountBelowMinimum({ detail }),
  EgressBelowMinimum: new Reason.EgressBelowMinimum({ detail }),
  EgressFeeNotCovered: new Reason.EgressFeeNotCovered({ detail }),
  InsufficientLiquidity: new Reason.InsufficientLiquidity({ detail }),
  DepositBelowMinimum: new Reason.DepositBelowMinimum({ asset: "btc.btc", minimum: native }),
  DepositAboveMaximum: new Reason.DepositAboveMaximum({ asset: "btc.btc", maximum: native }),
  RequestRefused: new Reason.RequestRefused({ errors: { refundAddress: [detail] } }),
  QuotingMaintenance: new Reason.QuotingMaintenance({ detail }),
  SwappingMaintenance: new Reason.SwappingMaintenance({ detail }),
  AssetDisabled: new Reason.AssetDisabled({ detail }),
  AssetNotListed: new Reason.AssetNotListed({ detail }),
  NoExactOutput: new Reason.NoExactOutput({ errors: { amountOut: [detail] } }),
  OtherStart: new Reason.OtherStart({ errors: { start: [detail] } }),
  DepositChannelFailed: new Reason.DepositChannelFailed({ detail }),
  TooManyChannels: new Reason.TooManyChannels({ detail }),
  UpstreamFailed: new Reason.UpstreamFailed({ detail }),
  RequestCancelled: new Reason.RequestCancelled({ detail }),
  RateLimited: new Reason.RateLimited({ detail }),
  NotCalled: new Reason.NotCalled({ detail, retryAfterSeconds: 30 }),
  TimedOut: new Reason.TimedOut({ detail, reached: true }),
  Unreachable: new Reason.Unreachable({ detail, reached: false }),
  MalformedBody: new Reason.MalformedBody({ detail, reached: true }),
  ProviderDefect: new Reason.ProviderDefect({ detail }),
})
