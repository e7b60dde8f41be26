import { assert } from "@effect/vitest"
import { BigDecimal, Effect } from "effect"
import type { AssetId } from "#domain/chains/Asset.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { Bps } from "#domain/money/Bps.ts"
import { Price } from "#domain/money/Price.ts"
import { ReceiveExactly } from "#domain/quotes/ExactOutput.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { makeOutlook } from "#application/swapping/opening/QuoteBinding.ts"
import { HourPrices } from "#application/swapping/following/judgeOutcome.ts"
import { it } from "#test/support/it.ts"
import { swapRequest } from "#test/support/swap.ts"

const price = (text: string) => Price.make(BigDecimal.fromStringUnsafe(text))
const usd = (text: string) => BigDecimal.fromStringUnsafe(text)
const hour = new Map<AssetId, BigDecimal.BigDecimal>([["btc.btc", usd("60000")], ["eth.eth", usd("2000")]])

const outlook = (request: Partial<SwapRequest>, prices: typeof HourPrices.Service = Effect.succeed(hour)) =>
  makeOutlook.pipe(
    Effect.flatMap((look) => look({ ...swapRequest, ...request })),
    Effect.provideService(HourPrices, prices),
  )

const reach = (minimumPrice: string, prices?: typeof HourPrices.Service) =>
  Effect.map(
    outlook({ minimumPrice: price(minimumPrice) }, prices),
    ({ outOfReach }) => outOfReach === undefined ? undefined : BigDecimal.format(outOfReach.best),
  )

it.effect("without a quote an amount comes to about the price of the hour, less the commission", function* () {
  const amount = NativeAmount.make(150_000_000n)
  const estimate = (request: Partial<SwapRequest>, prices?: typeof HourPrices.Service) =>
    Effect.map(outlook(request, prices), ({ estimatedOutput }) => estimatedOutput)
  const free = { amount, commissionBps: Bps.make(0), affiliates: [] }
  assert.strictEqual<bigint | undefined>(yield* estimate(free), 45_000_000_000_000_000_000n)
  assert.strictEqual<bigint | undefined>(
    yield* estimate({ ...free, commissionBps: Bps.make(100) }),
    44_550_000_000_000_000_000n,
  )
  assert.isUndefined(yield* estimate({ ...free, amount: ReceiveExactly.make({ amount }) }))
  assert.isUndefined(yield* estimate(free, Effect.succeed(new Map())))
})

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
