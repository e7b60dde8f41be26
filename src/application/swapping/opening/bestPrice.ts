import { BigDecimal, Duration, Effect, Option } from "effect"
import { type OutOfReach, outOfReach, Price } from "#domain/money/Price.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { HourPrices } from "../following/judgeOutcome.ts"

/** How far above an hour's price a limit is taken for out of reach: prices move by less than that within the hour. */
const moved = BigDecimal.make(102n, 2)

/** How long the hour's prices are waited for: an opening is not held up for a warning. */
const patience = Duration.millis(50)

const places = 12

/** The price of an hour between the two assets, as far as both are known. */
const priceOfHour = (
  { destinationAsset, sourceAsset }: Pick<SwapRequest, "sourceAsset" | "destinationAsset">,
  usd: Effect.Success<typeof HourPrices.Service>,
): Price | undefined => {
  const source = usd.get(sourceAsset)
  const destination = usd.get(destinationAsset)
  return source === undefined || destination === undefined || destination.value <= 0n
    ? undefined
    : Price.make(BigDecimal.round(BigDecimal.divideUnsafe(source, destination), { scale: places }))
}

/**
 * Makes the look whether a request's price limit is above the best price that is known without a call: that of its quote,
 * else about that of the hour.
 */
export const makeReach = Effect.map(
  HourPrices,
  (prices) => ({ minimumPrice, quote, ...pair }: SwapRequest) => {
    if (minimumPrice.value <= 0n) return Effect.succeed(undefined)
    if (quote?.estimatedPrice !== undefined) {
      return Effect.succeed(
        outOfReach(minimumPrice, quote.estimatedPrice),
      )
    }
    return Effect.map(Effect.timeoutOption(prices, patience), (usd): OutOfReach | undefined => {
      const best = Option.isNone(usd) ? undefined : priceOfHour(pair, usd.value)
      return best !== undefined && BigDecimal.isGreaterThan(minimumPrice, BigDecimal.multiply(best, moved))
        ? { limit: minimumPrice, best }
        : undefined
    })
  },
)
