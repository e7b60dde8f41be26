import { assert } from "@effect/vitest"
import { BigDecimal } from "effect"
import { NativeAmount, toHuman } from "#domain/money/Amount.ts"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { type Fee, feeOrder } from "#domain/money/Fee.ts"
import type { Quote, QuoteFigures, QuoteRequest } from "#domain/quotes/Quote.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { quoteFault } from "#providers/validateResponses.ts"

const oneHundred = BigDecimal.fromBigInt(100n)

/** Where a fee of a type is taken; the others may be taken anywhere on the route. */
const assetOfFee = ({ type }: Fee, { sourceAsset, destinationAsset }: QuoteRequest): AssetId | undefined => {
  if (type === "ingress" || type === "boost") return sourceAsset
  return type === "egress" ? destinationAsset : undefined
}

const assertFees = ({ fees, intermediate }: QuoteFigures, asked: QuoteRequest): void => {
  const route = [asked.sourceAsset, asked.destinationAsset, ...intermediate ? [intermediate.asset] : []]
  for (const fee of fees) {
    assert.isTrue(fee.amount >= 0n, `${fee.type} fee`)
    assert.include(route, fee.asset, `asset of the ${fee.type} fee`)
    assert.strictEqual(fee.asset, assetOfFee(fee, asked) ?? fee.asset, `asset of the ${fee.type} fee`)
  }
  const order = fees.map(({ type }) => feeOrder.indexOf(type))
  assert.deepStrictEqual(
    order,
    order.toSorted((one, other) => one - other),
    "order of the fees (decision 22)",
  )
}

/** Nothing is quoted that a swap does not have: an amount in, less out, fees on the route, and time. */
const assertFigures = (figures: QuoteFigures, asked: QuoteRequest): void => {
  const { durations, egress, ingress, pools, totalDuration } = figures
  assert.deepStrictEqual(ingress, { asset: asked.sourceAsset, amount: asked.amount })
  assert.strictEqual(egress.asset, asked.destinationAsset)
  assert.isTrue(egress.amount > 0n)
  assertFees(figures, asked)
  pools.forEach(({ baseAsset, quoteAsset }) => assert.notStrictEqual(baseAsset, quoteAsset))
  for (const [part, millis] of Object.entries(durations)) assert.isAtLeast(millis, 0, part)
  assert.isAbove(totalDuration, 0)
  assert.isAtMost(Math.max(...Object.values(durations)), totalDuration)
}

/** The price is that of an output before some fees or all of them: no less than what arrives, in any case. */
const assertPrice = ({ egress, estimatedPrice, ingress }: Quote): void => {
  const atMost = BigDecimal.multiply(estimatedPrice, toHuman(ingress.asset, ingress.amount))
  // The price can be rounded in its last place.
  const arriving = toHuman(egress.asset, NativeAmount.make(egress.amount - 1n))
  assert.isTrue(BigDecimal.isLessThanOrEqualTo(arriving, atMost), "more arrives than the price says")
}

/** The cost of the deposit is in an asset in which it can be compared, and is not nothing: nothing says as much. */
const assertDepositCost = ({ depositCost }: Quote, { destinationAsset, sourceAsset }: QuoteRequest): void => {
  if (depositCost === undefined) return
  const { chain, contractAddress } = factsOf(depositCost.asset)
  assert.include([sourceAsset, destinationAsset], depositCost.asset, "asset of the deposit's cost")
  assert.isTrue(
    depositCost.asset === sourceAsset || contractAddress === undefined && chain === chainOf(sourceAsset),
    "a deposit costs the source asset, or the coin of its chain",
  )
  assert.isTrue(depositCost.amount > 0n, "a deposit that costs nothing")
}

/** A quote fits what was asked and itself, to the last unit. */
export const assertQuote = (
  quote: Quote,
  asked: QuoteRequest,
  platform: string,
  now: EpochMillis,
): void => {
  assert.isUndefined(quoteFault(asked, quote))
  if (quote.expiresAt !== undefined) assert.isAbove(quote.expiresAt, now, "an offer that is over already")
  assert.strictEqual(quote.platform, platform)
  assertFigures(quote, asked)
  assertPrice(quote)
  assertDepositCost(quote, asked)
  const tolerance = quote.recommendedSlippageTolerancePercent
  assert.isTrue(BigDecimal.isGreaterThanOrEqualTo(tolerance, BigDecimal.fromBigInt(0n)))
  assert.isTrue(BigDecimal.isLessThan(tolerance, oneHundred))
  if (quote.dca !== undefined) {
    assert.isAtLeast(quote.dca.numberOfChunks, 2, "a single chunk is a regular quote (decision 6)")
    assert.isAtLeast(quote.dca.chunkIntervalBlocks, 1)
  }
  if (quote.boostQuote !== undefined) {
    assertFigures(quote.boostQuote, asked)
    assert.isAbove(quote.boostQuote.estimatedBoostFeeBps, 0)
    assert.isAtLeast(quote.boostQuote.maximumBoostFeeBps, quote.boostQuote.estimatedBoostFeeBps)
    assert.isBelow(quote.boostQuote.durations.deposit, quote.durations.deposit, "boost saves no time")
  }
}
