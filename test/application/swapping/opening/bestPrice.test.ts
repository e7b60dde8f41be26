import { assert } from "@effect/vitest"
import { BigDecimal, Effect } from "effect"
import type { AssetId } from "#domain/chains/Asset.ts"
import { Price } from "#domain/money/Price.ts"
import { makeReach } from "#application/swapping/opening/QuoteBinding.ts"
import { HourPrices } from "#application/swapping/following/judgeOutcome.ts"
import { it } from "#test/support/it.ts"
import { swapRequest } from "#test/support/swap.ts"

const price = (text: string) => Price.make(BigDecimal.fromStringUnsafe(text))
const usd = (text: string) => BigDecimal.fromStringUnsafe(text)
const hour = new Map<AssetId, BigDecimal.BigDecimal>([["btc.btc", usd("60000")], ["eth.eth", usd("2000")]])

const reach = (minimumPrice: string, prices: typeof HourPrices.Service = Effect.succeed(hour)) =>
  makeReach.pipe(
    Effect.flatMap((look) => look({ ...swapRequest, minimumPrice: price(minimumPrice) })),
    Effect.provideService(HourPrices, prices),
    Effect.map((found) => found === undefined ? undefined : BigDecimal.format(found.best)),
  )

it.effect("without a quote a limit is held against about the price of the hour", function* () {
  assert.strictEqual(yield* reach("1000"), "30")
  assert.strictEqual(yield* reach("30.7"), "30")
  assert.isUndefined(yield* reach("30.5"))
  assert.isUndefined(yield* reach("0"))
})

it.effect("nothing is said where a price is not known", function* () {
  assert.isUndefined(yield* reach("1000", Effect.succeed(new Map())))
  assert.isUndefined(yield* reach("1000", Effect.succeed(new Map([["btc.btc", usd("60000")]]))))
})
