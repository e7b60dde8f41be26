import { BigDecimal } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { noBps } from "#domain/money/Bps.ts"
import { Price } from "#domain/money/Price.ts"
import * as Reason from "#domain/ProviderError.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { AssetAmount, QuoteRequest, TimedQuote } from "#domain/quotes/Quote.ts"
import { lastMillis } from "#domain/Time.ts"

export const first = ProviderName.make("first")
export const second = ProviderName.make("second")
export const third = ProviderName.make("third")

export const request: QuoteRequest & Pick<AssetAmount, "amount"> = {
  sourceAsset: "btc.btc",
  destinationAsset: "eth.eth",
  amount: NativeAmount.make(100_000_000n),
  commissionBps: noBps,
}

/** A quote of which only what ranks it matters. */
export const quoteOf = (platform: ProviderName, egress: bigint, chunks?: number): TimedQuote => ({
  platform,
  expiresAt: lastMillis,
  ingress: { asset: "btc.btc", amount: request.amount },
  egress: { asset: "eth.eth", amount: NativeAmount.make(egress) },
  fees: [],
  pools: [],
  lowLiquidityWarning: false,
  durations: { deposit: 0, swap: 0, egress: 0 },
  totalDuration: 0,
  estimatedPrice: Price.make(BigDecimal.fromBigInt(30n)),
  recommendedSlippageTolerancePercent: BigDecimal.fromBigInt(1n),
  slippageTolerancePercent: BigDecimal.fromBigInt(1n),
  ...(chunks === undefined ? {} : { dca: { numberOfChunks: chunks, chunkIntervalBlocks: 2 } }),
})

const detail = "the upstream's words"

export const depositBelow = (minimum: bigint) =>
  new Reason.DepositBelowMinimum({ asset: "btc.btc", minimum: NativeAmount.make(minimum) })

export const limited = (retryAfterSeconds?: number) =>
  new Reason.RateLimited({ detail, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) })

/** One failure for every reason there is. */
export const reasons: {
  readonly [Tag in Reason.ProviderErrorReason["_tag"]]: Extract<
    Reason.ProviderErrorReason,
    { readonly _tag: Tag }
  >
} = {
  AmountBelowMinimum: new Reason.AmountBelowMinimum({ detail }),
  EgressBelowMinimum: new Reason.EgressBelowMinimum({ detail }),
  EgressFeeNotCovered: new Reason.EgressFeeNotCovered({ detail }),
  InsufficientLiquidity: new Reason.InsufficientLiquidity({ detail }),
  DepositBelowMinimum: depositBelow(40_000n),
  DepositAboveMaximum: new Reason.DepositAboveMaximum({ asset: "btc.btc", maximum: request.amount }),
  RequestRefused: new Reason.RequestRefused({ errors: { amount: ["amount is odd"] } }),
  QuotingMaintenance: new Reason.QuotingMaintenance({ detail }),
  SwappingMaintenance: new Reason.SwappingMaintenance({ detail }),
  AssetDisabled: new Reason.AssetDisabled({ detail }),
  AssetNotListed: new Reason.AssetNotListed({ detail }),
  NoExactOutput: new Reason.NoExactOutput({ errors: { amountOut: ["amountOut is not promised"] } }),
  OtherStart: new Reason.OtherStart({ errors: { start: ["start is another"] } }),
  DepositChannelFailed: new Reason.DepositChannelFailed({ detail }),
  TooManyChannels: new Reason.TooManyChannels({ detail }),
  UpstreamFailed: new Reason.UpstreamFailed({ detail }),
  RequestCancelled: new Reason.RequestCancelled({ detail }),
  RateLimited: limited(),
  NotCalled: new Reason.NotCalled({ detail, retryAfterSeconds: 30 }),
  TimedOut: new Reason.TimedOut({ detail, reached: true }),
  Unreachable: new Reason.Unreachable({ detail, reached: false }),
  MalformedBody: new Reason.MalformedBody({ detail, reached: true }),
  ProviderDefect: new Reason.ProviderDefect({ detail }),
}

export const failureOf = (provider: ProviderName, reason: Reason.ProviderErrorReason) =>
  new Reason.ProviderError({ provider, operation: "quote", reason })
