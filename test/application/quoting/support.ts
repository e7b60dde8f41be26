import { BigDecimal } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { noBps } from "#domain/money/Bps.ts"
import { Price } from "#domain/money/Price.ts"
import * as Reason from "#domain/ProviderError.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { AssetAmount, QuoteRequest, TimedQuote } from "#domain/quotes/Quote.ts"
import { lastMillis } from "#domain/Time.ts"
import { reasonsWith } from "#test/support/reasons.ts"

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
export const reasons = reasonsWith(detail)

export const failureOf = (provider: ProviderName, reason: Reason.ProviderErrorReason) =>
  new Reason.ProviderError({ provider, operation: "quote", reason })
