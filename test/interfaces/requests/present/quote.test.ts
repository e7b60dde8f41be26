import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { QuoteBody } from "#api/QuoteBodies.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { AssetId, assetIds } from "#domain/chains/Asset.ts"
import { Bps } from "#domain/money/Bps.ts"
import { EpochMillis } from "#domain/Time.ts"
import { feeOrder, FeeType } from "#domain/money/Fee.ts"
import type { TimedQuote } from "#domain/quotes/Quote.ts"
import { type OpeningTerms, presentQuote, quotesJson } from "#interfaces/requests/present/quotes.ts"
import { answered, beginning, figures, full, minimal, unpriced } from "./someQuotes.ts"
import { encode, type Found, parseExactly } from "./json.ts"
import { assertAmountTwins, assertNothingNull } from "./twins.ts"

const terms: OpeningTerms = {
  beginnings: beginning(true, "channel"),
  commissionBps: Bps.make(25),
  ...unpriced,
}

const json = (quote: TimedQuote): string => quotesJson(answered(quote), terms, false).slice(1, -1)

const readBody = Schema.decodeUnknownSync(QuoteBody)

/** What a client reads of a quote. */
const body = (quote: TimedQuote): typeof QuoteBody.Type => readBody(JSON.parse(json(quote)))

const factMembers = ["quoteId", "rank", "time", "reliability"]

const plainMembers = [
  "type",
  "ingressAsset",
  "ingressAmount",
  "ingressAmountNative",
  "egressAsset",
  "egressAmount",
  "egressAmountNative",
  "includedFees",
  "recommendedSlippageTolerancePercent",
  "slippageTolerancePercent",
  "highSlippageWarning",
  "lowLiquidityWarning",
  "poolInfo",
  "estimatedDurationSeconds",
  "estimatedDurationsSeconds",
  "estimatedPrice",
  "expiresAt",
  "startPaths",
  "swapParameters",
  "platform",
]
const routeMembers = ["intermediateAsset", "intermediateAmount", "intermediateAmountNative"]
const dcaMembers = ["chunkIntervalBlocks", "numberOfChunks"]

describe("A quote in an answer", () => {
  it("estimates the time from the credited deposit on, as observed times begin there", () => {
    assert.include(json(full), '"time":{"estimateSeconds":102.5,')
  })

  it("writes every digit of every number", () => {
    const text = json(full)
    assert.include(text, '"egressAmount":8.439758519449979758,"egressAmountNative":"8439758519449979758"')
    assert.include(text, '"estimatedPrice":33.759034077799919032')
    assert.include(text, '"recommendedSlippageTolerancePercent":1.5,')
    assert.include(text, '"estimatedDurationSeconds":1902.5')
    assert.include(text, '"estimatedDurationsSeconds":{"deposit":1800,"swap":12,"egress":90.5}')
    assert.include(text, '"amount":0.000001,"amountNative":"1"')
    assert.include(text, '"fee":{"asset":"btc.btc","amount":0,"amountNative":"0"}')
  })

  it("has the members of a regular quote, and no others", () => {
    assert.sameMembers(Object.keys(body(minimal)), [...factMembers, ...plainMembers])
    assert.strictEqual(body(minimal).type, "regular")
  })

  it("adds route, chunks and boost quote where there are some, with platform as the last member", () => {
    const read = body(full)
    assert.sameMembers(Object.keys(read), [
      ...factMembers,
      ...plainMembers,
      "priceImpactPercent",
      ...routeMembers,
      ...dcaMembers,
      "boostQuote",
    ])
    assert.strictEqual(read.type, "dca")
    assert.strictEqual(Object.keys(read).at(-1), "platform")
  })

  it("leaves from a boost quote what belongs to the plain one (decision 21), and repeats the chunks", () => {
    const { boostQuote } = body(full)
    const without = [
      "type",
      "recommendedSlippageTolerancePercent",
      "slippageTolerancePercent",
      "highSlippageWarning",
      "estimatedPrice",
      "expiresAt",
      "startPaths",
      "platform",
    ]
    assert.isDefined(boostQuote)
    assert.sameMembers(Object.keys(boostQuote), [
      ...plainMembers.filter((name) => !without.includes(name)),
      ...routeMembers,
      ...dcaMembers,
      "estimatedBoostFeeBps",
      "maximumBoostFeeBps",
    ])
    const { dca: _, ...regular } = full
    assert.notProperty(body(regular).boostQuote, "numberOfChunks")
  })

  it("names the endpoints that begin the swap, and gives them the amount where they need it", () => {
    const rows = [
      [beginning(false, "channel"), ["/swap"], undefined],
      [beginning(false, "transaction"), ["/tx-payload/bitcoin"], "25000000"],
      [beginning(false, "channel", "transaction"), ["/swap", "/tx-payload/bitcoin"], undefined],
      [beginning(false), [], "25000000"],
    ] as const
    for (const [beginnings, startPaths, amount] of rows) {
      const [shown] = JSON.parse(
        quotesJson(answered(minimal), { beginnings, commissionBps: undefined, ...unpriced }, true),
      )
      assert.deepStrictEqual(shown.startPaths, startPaths)
      assert.strictEqual(shown.swapParameters.amountNative, amount)
    }
  })

  it("says until when a swap can be opened by it", () => {
    const expiresAt = EpochMillis.make(1_790_692_455_001)
    assert.strictEqual(JSON.parse(json({ ...minimal, expiresAt })).expiresAt, expiresAt)
  })

  it("says what opens this very offer, boosted or not", () => {
    const pair = { sourceAsset: "btc.btc", destinationAsset: "eth.eth", platform: "chainflip" }
    const chunked = { numberOfChunks: 4, chunkIntervalBlocks: 2 }
    const written = (quote: TimedQuote, with_: OpeningTerms) =>
      JSON.parse(quotesJson(answered(quote), with_, true))[0]
    const needsNothing = { beginnings: beginning(false, "channel"), commissionBps: undefined, ...unpriced }
    assert.deepStrictEqual(written(minimal, needsNothing).swapParameters, pair)
    assert.deepStrictEqual(written(minimal, terms).swapParameters, {
      ...pair,
      amountNative: "25000000",
      commissionBps: 25,
    })
    assert.deepStrictEqual(written(full, needsNothing).swapParameters, { ...pair, ...chunked })
    assert.deepStrictEqual(written(full, needsNothing).boostQuote.swapParameters, {
      ...pair,
      ...chunked,
      boostFee: 30,
    })
  })

  it("keeps fees in the provider's order", () => {
    const shown = feeOrder.map((type) =>
      type === "provider" || type === "refund" ? { type: "network", purpose: type } : { type }
    )
    assert.deepStrictEqual(
      body(full).includedFees.map(({ purpose, type }) => ({
        type,
        ...(purpose === undefined ? {} : { purpose }),
      })),
      shown,
    )
  })

  const Amount = Schema.Struct({ asset: AssetId, amount: NativeAmount })
  const Fees = Schema.Array(Schema.Struct({ type: FeeType, asset: AssetId, amount: NativeAmount }))

  const assetOf = (name: string, { object }: Found): AssetId =>
    AssetId.make(
      assetIds().find((id) => id === (object.asset ?? object[name.replace(/AmountNative$/, "Asset")])) ??
        assert.fail(`${name} has no asset`),
    )

  it.prop(
    "says every amount twice, in human and in native units, for every asset",
    [Amount, Amount, Amount, Fees],
    ([ingress, intermediate, egress, fees]) => {
      const pools = fees.map((fee) => ({ baseAsset: fee.asset, quoteAsset: fee.asset, fee }))
      const drawn = { ...figures, ingress, intermediate, egress, fees, pools }
      const bps = { estimatedBoostFeeBps: Bps.make(5), maximumBoostFeeBps: Bps.make(30) }
      const quote = { ...minimal, ...drawn, boostQuote: { ...drawn, ...bps } }
      const written = parseExactly(json(quote))
      assertNothingNull(written)
      const { by, quotes: [shown] } = answered(quote)
      assert.isDefined(shown)
      assert.strictEqual(json(quote), encode(QuoteBody, presentQuote(shown, by, terms)))
      assert.strictEqual(assertAmountTwins(written, assetOf), 2 * (3 + 2 * fees.length) + 1)
    },
  )
})
