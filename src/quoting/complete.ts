import { BigDecimal } from "effect"
import { type Quote, type TimedQuote, toleranceWithin } from "../domain/Quote.ts"
import type { EpochMillis } from "../domain/Time.ts"
import { spread } from "../platform/spread.ts"

/** The impact on the price above which liquidity is low, in percent, whoever quotes. */
const mostImpact = BigDecimal.fromBigInt(5n)

const isLow = ({ lowLiquidityWarning, priceImpactPercent }: Quote): boolean =>
  lowLiquidityWarning ||
  priceImpactPercent !== undefined && BigDecimal.isGreaterThan(priceImpactPercent, mostImpact)

/** The quote with what the service adds: its end, where its provider states none, its tolerance, and the one rule of low liquidity. */
export const completed =
  (end: EpochMillis, toleranceMost: BigDecimal.BigDecimal) => (quote: Quote): TimedQuote => ({
    ...quote,
    lowLiquidityWarning: isLow(quote),
    expiresAt: quote.expiresAt ?? end,
    slippageTolerancePercent: toleranceWithin(toleranceMost, quote.recommendedSlippageTolerancePercent),
    ...spread(
      quote.boostQuote,
      (boost) => ({ boostQuote: { ...boost, lowLiquidityWarning: isLow({ ...quote, ...boost }) } }),
    ),
  })
