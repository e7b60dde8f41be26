import { BigDecimal, Result } from "effect"
import { NativeAmount, noAmount, toHuman } from "#domain/money/Amount.ts"
import { mostBps, shareOf } from "#domain/money/Bps.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
import { issueAbout, type Issues } from "#domain/Issues.ts"
import { feesBesidePrice, leastOutput, outputAt, type Price, priceOfLeast } from "#domain/money/Price.ts"
import type { QuoteOffer } from "#domain/quotes/QuoteOffer.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"

interface OfferedSwap {
  readonly request: SwapRequest
  readonly amount: NativeAmount
  readonly offered: Pick<QuoteOffer, "egress" | "estimatedPrice" | "isOutputExact">
}

const quotedOf = ({ amount, offered: { egress, estimatedPrice }, request }: OfferedSwap) => ({
  amount,
  egress,
  estimatedPrice,
  sourceAsset: request.sourceAsset,
  destinationAsset: request.destinationAsset,
})

/** What is left of the deposit after the highest boost fee that was accepted. */
const boostedLeast = ({ amount, request: { maximumBoostFeeBps } }: OfferedSwap): bigint =>
  shareOf(amount, mostBps - maximumBoostFeeBps)

/** Whether the least price is above the present one, so that nothing is swapped unless the price rises. */
export const isOutOfReach = ({ offered, request }: Pick<OfferedSwap, "request" | "offered">): boolean =>
  BigDecimal.isGreaterThan(request.minimumPrice, offered.estimatedPrice)

/** The output at the minimum price with the quoted fees and the highest accepted boost fee. */
export const leastOf = (swap: OfferedSwap): NativeAmount => {
  const { amount, offered: { egress, estimatedPrice, isOutputExact }, request } = swap
  if (isOutputExact === true) return egress
  const { destinationAsset, minimumPrice, sourceAsset } = request
  const at = (price: Price, of: bigint) => outputAt(price, of, sourceAsset, destinationAsset)
  const gained = isOutOfReach(swap) ? at(minimumPrice, amount) - at(estimatedPrice, amount) : 0n
  const least = leastOutput(quotedOf(swap), minimumPrice) + gained -
    at(minimumPrice, amount - boostedLeast(swap))
  return least > 0n ? NativeAmount.make(least) : noAmount
}

/** How many times over the quoted fees outside the price are allowed for in a promise: networks' fees move. */
const timesFees = 2n

/** The price limit for at least `received` with twice the quoted fees, or the most that can be promised. */
export const limitFor = (swap: OfferedSwap, received: NativeAmount): Result.Result<Price, Issues> => {
  const { offered, request: { destinationAsset, sourceAsset } } = swap
  const swapped = boostedLeast(swap)
  const fees = timesFees * feesBesidePrice(quotedOf(swap))
  const limit = priceOfLeast(received + fees, swapped, sourceAsset, destinationAsset)
  if (BigDecimal.isLessThanOrEqualTo(limit, offered.estimatedPrice)) return Result.succeed(limit)
  const most = outputAt(offered.estimatedPrice, swapped, sourceAsset, destinationAsset) - 1n - fees
  return Result.fail(issueAbout(
    "minimumReceived",
    most > 0n
      ? `is more than can be promised at the present price, which is ${
        formatDecimal(toHuman(destinationAsset, NativeAmount.make(most)))
      } with twice the fees of now`
      : "cannot be promised for so small an amount: fees may double, and would take all of it",
  ))
}
