import { assert, collectLogs, describe, it } from "../support.ts"
import { BigDecimal, Effect } from "effect"
import { formatDecimal, NativeAmount } from "#exports/domain.ts"
import { providerOver, reasonOf, type Reply } from "./fakeChainflip.ts"
import { boosted, dca, figures, regular, singleLeg } from "./fixtures/quotes.ts"
import { everythingOn } from "./fixtures/environment.ts"
import { quoteRequest } from "./requests.ts"

const path = "/chainflip/backend/v2/quote"

const quotesOf = (body: unknown, request = quoteRequest) =>
  Effect.flatMap(providerOver({ [path]: { body } }), ([provider]) => provider.quotes(request))

const faultOf = (reply: Reply) =>
  Effect.flatMap(providerOver({ [path]: reply }), ([provider]) => reasonOf(provider.quotes(quoteRequest)))

describe("Chainflip quotes", () => {
  it.effect("asks for regular and DCA quotes with the whole commission", function* () {
    const [provider, asked] = yield* providerOver({ [path]: { body: [regular] } })
    yield* provider.quotes(quoteRequest)
    const sent = asked.find(({ url }) => url.pathname === path)
    assert.deepStrictEqual(Object.fromEntries(sent?.url.searchParams ?? []), {
      srcChain: "Bitcoin",
      srcAsset: "BTC",
      destChain: "Ethereum",
      destAsset: "ETH",
      amount: "25000000",
      brokerCommissionBps: "25",
      isVaultSwap: "false",
      isOnChain: "false",
      dcaEnabled: "true",
      dcaV2Enabled: "true",
      brokerAccount: "cFOurOperatorsAccount",
      brokerIdSs58: "cFOurOperatorsAccount",
    })
    assert.notProperty(sent?.headers, "traceparent")
  })

  it.effect("reads every member of a regular quote", function* () {
    const [quote] = yield* quotesOf([regular])
    assert.isDefined(quote)
    assert.strictEqual(quote.platform, "chainflip")
    assert.notProperty(quote, "dca")
    assert.deepStrictEqual(quote.ingress, { asset: "btc.btc", amount: NativeAmount.make(25_000_000n) })
    assert.deepStrictEqual(quote.intermediate, {
      asset: "usdc.eth",
      amount: NativeAmount.make(16_073_789_022n),
    })
    assert.strictEqual(quote.egress.amount, NativeAmount.make(8_439_758_519_449_979_758n))
    assert.strictEqual(formatDecimal(quote.estimatedPrice), "33.76001751526470831438")
    assert.strictEqual(formatDecimal(quote.recommendedSlippageTolerancePercent), "2.5")
    assert.isFalse(quote.lowLiquidityWarning)
    assert.deepStrictEqual(quote.durations, { deposit: 906_000, swap: 12_000, egress: 96_000 })
    assert.strictEqual(quote.totalDuration, 1_014_000)
    assert.deepStrictEqual(
      quote.pools.map(({ baseAsset, quoteAsset, fee }) => [baseAsset, quoteAsset, fee.asset, fee.amount]),
      [["btc.btc", "usdc.eth", "btc.btc", 0n], ["eth.eth", "usdc.eth", "usdc.eth", 0n]],
    )
  })

  it.effect("lists fees in the contract's order with one liquidity fee for each pool", function* () {
    const shuffled = { ...regular, includedFees: figures.includedFees.toReversed() }
    const [quote] = yield* quotesOf([shuffled])
    assert.deepStrictEqual(
      quote?.fees.map(({ type, asset, amount }) => [type, asset, amount]),
      [
        ["ingress", "btc.btc", 310n],
        ["network", "usdc.eth", 16_130_204n],
        ["broker", "usdc.eth", 40_285_185n],
        ["egress", "eth.eth", 141_203_311_900_000n],
        ["liquidity", "btc.btc", 0n],
        ["liquidity", "usdc.eth", 0n],
      ],
    )
  })

  it.effect("reads the boost quote without liquidity fees, the boost fee first", function* () {
    const [quote] = yield* quotesOf([regular])
    assert.strictEqual(quote?.boostQuote?.estimatedBoostFeeBps, 5)
    assert.deepStrictEqual(
      quote?.boostQuote?.fees.map(({ type }) => type),
      ["boost", "ingress", "network", "broker", "egress"],
    )
    assert.deepStrictEqual(quote?.boostQuote?.durations, { deposit: 12_500, swap: 12_000, egress: 96_000 })
    assert.strictEqual(quote?.boostQuote?.totalDuration, 120_500)
    const { estimatedPrice } = quote?.boostQuote ?? {}
    assert.strictEqual(estimatedPrice && formatDecimal(estimatedPrice), boosted.estimatedPrice)
  })

  it.effect("takes a boost quote without a price", function* () {
    for (const estimatedPrice of [undefined, null]) {
      const [quote] = yield* quotesOf([{ ...regular, boostQuote: { ...boosted, estimatedPrice } }])
      assert.isDefined(quote?.boostQuote)
      assert.notProperty(quote?.boostQuote, "estimatedPrice")
    }
  })

  it.effect("keeps the highest fee of a boost beside its estimate, and never below it", function* () {
    for (const [estimate, most, kept] of [[5, 30, 30], [5, 5, 5], [10, 5, 10]]) {
      const fees = { estimatedBoostFeeBps: estimate, maxBoostFeeBps: most }
      const [quote] = yield* quotesOf([{ ...regular, boostQuote: { ...boosted, ...fees } }])
      assert.strictEqual(quote?.boostQuote?.estimatedBoostFeeBps, estimate)
      assert.strictEqual(quote?.boostQuote?.maximumBoostFeeBps, kept)
    }
  })

  it.effect("has no boost quote where the highest fee is unknown, or nothing is boosted now", function* () {
    const { maxBoostFeeBps: _, ...unbounded } = boosted
    const { lines, value: [unknown] } = yield* collectLogs(quotesOf([{ ...regular, boostQuote: unbounded }]))
    assert.notProperty(unknown, "boostQuote")
    assert.include(lines.join(), "Left out a boost quote")
    const assets = everythingOn.assets.map((row) => ({ ...row, boostDepositsEnabled: false }))
    const [provider] = yield* providerOver({
      [path]: { body: [regular] },
      "/chainflip/backend/api/networkInfo": { body: { ...everythingOn, assets } },
    })
    const [off] = yield* provider.quotes(quoteRequest)
    assert.isDefined(off)
    assert.notProperty(off, "boostQuote")
  })

  it.effect("reads a DCA quote beside the regular one", function* () {
    const quotes = yield* quotesOf([regular, dca])
    assert.deepStrictEqual(quotes.map((quote) => quote.dca), [
      undefined,
      { numberOfChunks: 4, chunkIntervalBlocks: 2 },
    ])
  })

  it.effect("reads a route of one leg with fractional durations and without a price feed", function* () {
    const [quote] = yield* quotesOf([singleLeg], {
      ...quoteRequest,
      sourceAsset: "eth.arb",
      destinationAsset: "usdc.eth",
      amount: NativeAmount.make(10n ** 18n),
    })
    assert.isDefined(quote)
    assert.notProperty(quote, "intermediate")
    assert.notProperty(quote, "boostQuote")
    assert.isFalse(quote.lowLiquidityWarning)
    assert.deepStrictEqual(quote.durations, { deposit: 6_390, swap: 12_000, egress: 91_500 })
    assert.strictEqual(quote.totalDuration, 114_390)
    assert.isTrue(
      BigDecimal.equals(quote.recommendedSlippageTolerancePercent, BigDecimal.fromStringUnsafe("0.75")),
    )
  })

  it.effect("answers nothing when the upstream has no quotes", function* () {
    assert.deepStrictEqual(yield* quotesOf([]), [])
  })

  it.effect("leaves out quotes and fees of types that it does not know, whatever else is in them", function* () {
    const odd = { ...regular, includedFees: [{ ...figures.includedFees[0], type: "TITHE" }] }
    const quotes = yield* quotesOf([{ type: "AUCTION", bids: [] }, odd])
    assert.deepStrictEqual(quotes.map(({ fees }) => fees.map(({ type }) => type)), [[
      "liquidity",
      "liquidity",
    ]])
  })

  it.effect("ignores unknown members and accepts every way of writing an amount", function* () {
    const [quote] = yield* quotesOf([{
      ...regular,
      depositAmount: 25_000_000,
      egressAmount: "0x7520251ae5d3ceee",
      intermediateAmount: null,
      surprise: { deep: true },
    }])
    assert.strictEqual(quote?.ingress.amount, NativeAmount.make(25_000_000n))
    assert.strictEqual(quote?.egress.amount, NativeAmount.make(0x7520251ae5d3ceeen))
    assert.notProperty(quote, "intermediate")
  })

  const unknown = { chain: "Neptune", asset: "TRI" }
  it.effect.each<readonly [name: string, more: object, line: string | undefined]>([
    [
      "a fee in an asset that is new to us",
      { includedFees: [...figures.includedFees, { type: "NETWORK", ...unknown, amount: "1" }] },
      "Left out a quote's fee in the unknown asset Neptune/TRI",
    ],
    [
      "a pool of an asset that is new to us",
      { poolInfo: [...figures.poolInfo, { ...figures.poolInfo[0], baseAsset: unknown }] },
      "Left out a quote's pool of an unknown asset",
    ],
    ["no pools", { poolInfo: null }, undefined],
    ["another in chunks that are not told", {}, "Left out a quote in chunks without their number"],
  ])("stands with %s", function* ([name, more, line]) {
    const others = name.includes("chunks") ? [{ ...dca, dcaParams: null }] : []
    const { lines, value } = yield* collectLogs(quotesOf([{ ...regular, ...more }, ...others]))
    assert.strictEqual(value.length, 1)
    assert.strictEqual(`${value[0]?.egress.amount}`, regular.egressAmount)
    assert.deepStrictEqual(lines, line === undefined ? [] : [line])
  })

  it.effect.each<readonly [name: string, body: unknown, detail: string]>([
    [
      "is for another amount",
      [{ ...regular, depositAmount: "25000001" }],
      "[0].depositAmount: expected 25000000, got 25000001",
    ],
    [
      "has a boost for another amount",
      [{ ...regular, boostQuote: { ...boosted, depositAmount: "1" } }],
      "[0].boostQuote.depositAmount: expected 25000000, got 1",
    ],
    [
      "has a boost to another asset",
      [{ ...regular, boostQuote: { ...boosted, destAsset: { chain: "Ethereum", asset: "FLIP" } } }],
      "[0].boostQuote.destAsset: expected eth.eth, got flip.eth",
    ],
    [
      "has a price of 10^999",
      [{ ...regular, estimatedPrice: "1e999" }],
      `[0].estimatedPrice: expected a price as decimal text, got "1e999"`,
    ],
    [
      "is not JSON",
      "<html>oops</html>",
      "body: expected JSON, got 17 characters of something else (swap backend)",
    ],
    ["is no array", { quotes: [] }, "body: expected array, got an object"],
    [
      "lacks an amount",
      [{ ...regular, egressAmount: undefined }],
      "[0].egressAmount: expected a value, got nothing",
    ],
    [
      "has a number that lost digits",
      `[${
        JSON.stringify({ ...regular, depositAmount: 0 }).replace(
          `"depositAmount":0`,
          `"depositAmount":9007199254740993`,
        )
      }]`,
      "[0].depositAmount: expected an amount (safe integer, 0x hex or digits), got 9007199254740992",
    ],
    [
      "has a fraction for an amount",
      [{ ...regular, depositAmount: "1.5" }],
      `[0].depositAmount: expected an amount (safe integer, 0x hex or digits), got "1.5"`,
    ],
    [
      "has a negative amount",
      [{ ...regular, depositAmount: -1 }],
      "[0].depositAmount: expected an amount (safe integer, 0x hex or digits), got -1",
    ],
    [
      "has a word deep inside a fee",
      [{
        ...regular,
        includedFees: [...figures.includedFees, { ...figures.includedFees[0], amount: "much" }],
      }],
      `[0].includedFees[4].amount: expected an amount (safe integer, 0x hex or digits), got "much"`,
    ],
    [
      "names an asset that nobody knows",
      [{ ...regular, destAsset: { chain: "Neptune", asset: "TRI" } }],
      `[0].destAsset: expected a known asset, got "Neptune/TRI"`,
    ],
    [
      "is broken in the boost quote",
      [regular, { ...regular, boostQuote: { ...boosted, estimatedBoostFeeBps: "five" } }],
      `[1].boostQuote.estimatedBoostFeeBps: expected basis points (0 to 10000), got "five"`,
    ],
    [
      "is for another pair",
      [{ ...regular, destAsset: { chain: "Ethereum", asset: "FLIP" } }],
      "[0].destAsset: expected eth.eth, got flip.eth",
    ],
  ])("names the path when a body %s", function* ([, body, detail]) {
    const reason = yield* faultOf({ body })
    assert.strictEqual(reason._tag, "MalformedBody")
    assert.deepInclude(reason, { detail, reached: true })
  })
})
