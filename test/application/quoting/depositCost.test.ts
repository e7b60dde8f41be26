import { assert, describe, it } from "@effect/vitest"
import { Array, BigDecimal, Schema } from "effect"
import { maximumNativeAmount, NativeAmount } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { Price } from "#domain/money/Price.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { TimedQuote } from "#domain/quotes/Quote.ts"
import { RankBy } from "#domain/quotes/QuoteRank.ts"
import { trackRecord } from "#domain/operations/TrackRecord.ts"
import { rank } from "#application/quoting/Ranking.ts"
import { first, quoteOf, second, third } from "./support.ts"

const ether = 10n ** 18n

/** A quote of `quoteOf`, at 30 Ether for a Bitcoin, that states a cost. */
const stating = (quote: TimedQuote, cost: bigint, asset: AssetId = "btc.btc"): TimedQuote => ({
  ...quote,
  depositCost: { asset, amount: NativeAmount.make(cost) },
})

/** Of every hundred swaps so many completed: most of all at the last provider. */
const records = new Map(
  ([[first, 60], [second, 90], [third, 99]] as const).map(([name, completed]) => [
    name,
    trackRecord({ completed, refunded: 100 - completed, failed: 0, stalled: 0 }, []),
  ]),
)
const noRecord = trackRecord({ completed: 0, refunded: 0, failed: 0, stalled: 0 }, [])

const ranking = (quotes: ReadonlyArray<TimedQuote>, by: RankBy = "net") =>
  rank(quotes, {
    by,
    preference: [first, second, third],
    recordOf: ({ platform }) => records.get(platform) ?? noRecord,
  })

/** What is said of the cost: the figure, and the reason beside each quote. */
const said = (...quotes: ReadonlyArray<TimedQuote>) => {
  const { depositCost, ranked } = ranking(quotes)
  const reasons = ranked.flatMap(({ reasons }) =>
    reasons.filter((reason) => reason.startsWith("deposit_cost"))
  )
  assert.strictEqual(new Set(reasons).size, 1)
  return [depositCost, reasons[0]]
}

describe("the cost of a deposit", () => {
  it("is deducted from every offer alike, converted at the price of the best", () => {
    const quotes = [stating(quoteOf(first, 30n * ether), 564n), quoteOf(second, 29n * ether)]
    // 564 satoshis at 30 Ether for a Bitcoin.
    const cost = 564n * 30n * 10n ** 10n
    assert.deepStrictEqual(said(...quotes), [cost, "deposit_cost_deducted"])
    assert.deepStrictEqual(ranking(quotes).ranked.map(({ net }) => net), [
      30n * ether - cost,
      29n * ether - cost,
    ])
  })

  it("is taken as it is where it is in what is paid out, and not at all in another asset", () => {
    const quote = quoteOf(first, 30n * ether)
    assert.deepStrictEqual(said(stating(quote, 7n, "eth.eth")), [7n, "deposit_cost_deducted"])
    assert.deepStrictEqual(said(stating(quote, 7n, "usdc.eth")), [undefined, "deposit_cost_unknown"])
  })

  it("is unknown where nobody states one, or one of nothing", () => {
    const quote = quoteOf(first, 30n * ether)
    assert.deepStrictEqual(said(quote), [undefined, "deposit_cost_unknown"])
    assert.deepStrictEqual(said(stating(quote, 0n)), [undefined, "deposit_cost_unknown"])
    assert.deepStrictEqual(ranking([]).depositCost, undefined)
  })

  it("is the median of what providers state, one figure each, the lower of two", () => {
    const of = (platform: ProviderName, cost: bigint) =>
      stating(quoteOf(platform, 30n * ether), cost, "eth.eth")
    assert.strictEqual(said(of(first, 9n), of(second, 5n))[0], 5n)
    assert.strictEqual(said(of(first, 5n), of(second, 9n))[0], 5n)
    assert.strictEqual(said(of(first, 9n), of(second, 5n), of(third, 7n))[0], 7n)
    // However many quotes a provider gives, it has one say.
    assert.strictEqual(
      said(of(first, 9n), of(first, 9n), of(first, 9n), of(second, 5n), of(third, 5n))[0],
      5n,
    )
  })

  it("is told, and not deducted, above half of the best output", () => {
    const best = quoteOf(first, 30n * ether)
    assert.deepStrictEqual(said(stating(best, 15n * ether, "eth.eth")), [
      15n * ether,
      "deposit_cost_deducted",
    ])
    const over = [undefined, "deposit_cost_over_half" as const]
    assert.deepStrictEqual(said(stating(best, 15n * ether + 1n, "eth.eth")), over)
    assert.deepStrictEqual(said(stating(best, maximumNativeAmount)), over)
  })

  it("is below 0 for an offer of less than it costs, and its distance from the best stays a figure", () => {
    const quotes = [stating(quoteOf(first, 30n * ether), 15n * ether, "eth.eth"), quoteOf(second, 1n)]
    const [best, least] = ranking(quotes).ranked
    assert.strictEqual(best?.relativeToBestBps, 0)
    assert.strictEqual(least?.net, 1n - 15n * ether)
    assert.strictEqual(least?.relativeToBestBps, -19_999)
  })

  const Offered = Schema.Struct({
    platform: Schema.Literals(["first", "second", "third"]),
    egress: Schema.Literals([1n, 2n, 30n * ether, 31n * ether, maximumNativeAmount]),
    asset: Schema.Literals(["btc.btc", "eth.eth", "usdc.eth"]),
    cost: Schema.Literals([0n, 1n, 564n, ether, 16n * ether, maximumNativeAmount]),
    price: Schema.Literals(["30", "0.000000000000000001", `${10n ** 40n}`]),
  })

  it.prop(
    "moves no offer under any policy, whoever states it and however false it is",
    [Schema.Array(Offered), RankBy],
    ([offered, by]) => {
      const quotes = offered.map(({ egress, platform, price }) => ({
        ...quoteOf(ProviderName.make(platform), egress),
        estimatedPrice: Price.make(BigDecimal.fromStringUnsafe(price)),
      }))
      const lying = Array.zip(quotes, offered).map(([quote, { asset, cost }]) => stating(quote, cost, asset))
      const order = (given: ReadonlyArray<TimedQuote>) =>
        ranking(given, by).ranked.map(({ quote: { egress, estimatedPrice, platform } }) => [
          platform,
          egress,
          estimatedPrice,
        ])
      assert.deepStrictEqual(order(lying), order(quotes))
      for (const { relativeToBestBps } of ranking(lying, by).ranked) {
        assert.isAtMost(relativeToBestBps, 0)
        assert.isAtLeast(relativeToBestBps, -20_000)
      }
    },
  )
})
