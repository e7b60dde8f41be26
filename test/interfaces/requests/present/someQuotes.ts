import { BigDecimal } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { Bps } from "#domain/money/Bps.ts"
import { feeOrder } from "#domain/money/Fee.ts"
import { Price } from "#domain/money/Price.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { AssetAmount, QuoteFigures, TimedQuote } from "#domain/quotes/Quote.ts"
import { QuoteId } from "#domain/quotes/BoundQuote.ts"
import { emptyRecord } from "#domain/operations/TrackRecord.ts"
import { EpochMillis } from "#domain/Time.ts"
import type { IdentifiedQuotes } from "#application/quoting/RankedQuotes.ts"
import { rank } from "#application/quoting/Ranking.ts"
import type { Start } from "#domain/swaps/Start.ts"

const of = (asset: AssetId, amount: bigint): AssetAmount => ({
  asset,
  amount: NativeAmount.make(amount),
})

/** What every quote has. */
export const figures: QuoteFigures = {
  ingress: of("btc.btc", 25_000_000n),
  egress: of("eth.eth", 8_439_758_519_449_979_758n),
  fees: [],
  pools: [],
  lowLiquidityWarning: false,
  durations: { deposit: 1_800_000, swap: 12_000, egress: 90_500 },
  totalDuration: 1_902_500,
}

/** With no member that may be absent. */
export const minimal: TimedQuote = {
  ...figures,
  platform: ProviderName.make("chainflip"),
  expiresAt: EpochMillis.make(1_790_692_455_000),
  estimatedPrice: Price.make(BigDecimal.fromStringUnsafe("33.759034077799919032")),
  recommendedSlippageTolerancePercent: BigDecimal.fromStringUnsafe("1.50"),
  slippageTolerancePercent: BigDecimal.fromStringUnsafe("1.50"),
}

const routed: QuoteFigures = {
  ...figures,
  intermediate: of("usdc.eth", 29_612_345_678n),
  fees: feeOrder.map((type) => ({ type, ...of("usdc.eth", 1n) })),
  pools: [{ baseAsset: "btc.btc", quoteAsset: "usdc.eth", fee: of("btc.btc", 0n) }],
}

/** With every member there can be. */
export const full: TimedQuote = {
  ...minimal,
  ...routed,
  priceImpactPercent: BigDecimal.fromStringUnsafe("0.25"),
  dca: { numberOfChunks: 4, chunkIntervalBlocks: 2 },
  boostQuote: { ...routed, estimatedBoostFeeBps: Bps.make(5), maximumBoostFeeBps: Bps.make(30) },
}

/** Where no price is known, and boost quotes have none. */
export const unpriced = { hasBoostPrice: false, prices: new Map(), at: EpochMillis.make(0) }

/** How the provider of these quotes begins swaps. */
export const beginning = (needsAmount: boolean, ...starts: ReadonlyArray<Start>) =>
  new Map([[minimal.platform, { needsAmount, starts }]])

/** The answer that has these quotes. */
export const answered = (...quotes: ReadonlyArray<TimedQuote>): IdentifiedQuotes => {
  const { by, ranked } = rank(quotes, {
    by: "net",
    preference: [minimal.platform],
    recordOf: () => emptyRecord,
  })
  return { by, quotes: ranked.map((ranked) => ({ id: QuoteId.make("q1~id"), ranked })) }
}
