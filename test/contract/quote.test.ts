import { assert } from "@effect/vitest"
import { Struct } from "effect"
import { assertFees, assertTwins, chainflipAssets, human, nativeAt, typicalAmount } from "./support/assets.ts"
import { get, withOwnBroker } from "./support/call.ts"
import { withoutValues } from "./support/journals.ts"
import { at, integerAt, type Json, listAt, numberAt, objectAt, pick, textAt } from "./support/Json.ts"
import {
  amount,
  assertMembers,
  assetId,
  boolean,
  equal,
  integer,
  list,
  number,
  object,
} from "./support/members.ts"
import { network } from "./support/swaps.ts"

/** Every member that is there whatever the route. */
const figures = {
  ingressAsset: assetId,
  ...amount("ingressAmount"),
  egressAsset: assetId,
  ...amount("egressAmount"),
  includedFees: list,
  lowLiquidityWarning: boolean,
  poolInfo: list,
  estimatedDurationSeconds: number,
  estimatedDurationsSeconds: object,
}
const plain = { ...figures, recommendedSlippageTolerancePercent: number, estimatedPrice: number }
const intermediate = { intermediateAsset: equal("usdc.eth"), ...amount("intermediateAmount") }
const chunks = { chunkIntervalBlocks: integer, numberOfChunks: integer }

const quotes = (sourceAsset: string, destinationAsset: string, amountNative: string, commissionBps = "0") =>
  get("/quotes-native", { sourceAsset, destinationAsset, amount: amountNative, commissionBps })

const ofType = (all: Json, type: string): Json => pick(all, (quote) => textAt(quote, "type") === type)

const feeTypes = (quote: Json): ReadonlyArray<string> =>
  listAt(quote, "includedFees").map((fee) => textAt(fee, "type"))

const feeOf = (quote: Json, type: string): bigint =>
  nativeAt(pick(at(quote, "includedFees"), (fee) => textAt(fee, "type") === type), "amountNative")

/** Native twins of everything that a quote says, its pools and fees included. */
const assertExact = (quote: Json, source: string, destination: string): void => {
  assertTwins(quote, { ingressAmount: source, egressAmount: destination })
  assertFees(listAt(quote, "includedFees"))
  for (const pool of listAt(quote, "poolInfo")) {
    assertMembers(pool, { baseAsset: assetId, quoteAsset: equal("usdc.eth"), fee: object })
    assertTwins(at(pool, "fee"), { amount: textAt(pool, "fee", "asset") })
  }
}

withOwnBroker()("a quote (decisions 18 to 22)", (it) => {
  it.effect("regular: has every member, those of two legs, and none of a DCA", function* () {
    const [quote = null, ...others] = listAt(yield* quotes("btc.btc", "eth.eth", "10000001", "25"))
    assert.lengthOf(others, 0)
    assertMembers(quote, { type: equal("regular"), ...plain, ...intermediate, boostQuote: object }, [
      "chunkIntervalBlocks",
      "numberOfChunks",
      "estimatedBoostFeeBps",
    ])
    assertExact(quote, "btc.btc", "eth.eth")
    assertTwins(quote, { intermediateAmount: "usdc.eth" })
    assert.deepStrictEqual(listAt(quote, "poolInfo").map((pool) => textAt(pool, "baseAsset")), [
      "btc.btc",
      "eth.eth",
    ])
    assert.strictEqual(textAt(quote, "ingressAmountNative"), "10000001")
  })

  it.effect("dca: says chunks and their interval, in its boost quote, too", function* () {
    const all = yield* quotes("btc.btc", "eth.eth", "100000000")
    assert.lengthOf(listAt(all), 2)
    const dca = ofType(all, "dca")
    assertMembers(dca, { ...plain, ...intermediate, ...chunks, boostQuote: object })
    assertMembers(at(dca, "boostQuote"), chunks)
    assert.strictEqual(numberAt(dca, "boostQuote", "numberOfChunks"), numberAt(dca, "numberOfChunks"))
    assert.notProperty(objectAt(ofType(all, "regular"), "boostQuote"), "numberOfChunks")
    assert.isAtLeast(integerAt(dca, "numberOfChunks"), 2)
    assert.isAtLeast(integerAt(dca, "chunkIntervalBlocks"), 2)
    // The pauses between chunks are part of the estimate (chainflip/wire.md 3.3).
    const pauses = (integerAt(dca, "numberOfChunks") - 1) * integerAt(dca, "chunkIntervalBlocks") * 6
    assert.strictEqual(integerAt(dca, "estimatedDurationsSeconds", "swap"), 12 + pauses)
  })

  it.effect("boost quote: has the figures, a boost fee first, and is noticeably faster (decision 21)", function* () {
    const all = yield* quotes("btc.btc", "eth.eth", "100000000", "25")
    for (const quote of listAt(all)) {
      const boost = at(quote, "boostQuote")
      const bps = { estimatedBoostFeeBps: integer, maximumBoostFeeBps: integer }
      assertMembers(boost, { ...figures, ...intermediate, ...bps }, [
        "type",
        "recommendedSlippageTolerancePercent",
        "estimatedPrice",
        "boostQuote",
        "platform",
      ])
      assertExact(boost, "btc.btc", "eth.eth")
      assert.deepStrictEqual(feeTypes(boost), ["boost", "ingress", "network", "broker", "egress"])
      const expected = 100_000_000n * BigInt(numberAt(boost, "estimatedBoostFeeBps")) / 10_000n
      assert.strictEqual(feeOf(boost, "boost"), expected)
      assert.isBelow(
        integerAt(boost, "estimatedDurationSeconds"),
        integerAt(quote, "estimatedDurationSeconds") / 2,
      )
    }
  })

  it.effect("boost quote: only of Bitcoin, and only while the pools can lend", function* () {
    assert.notProperty(objectAt(yield* quotes("wbtc.eth", "eth.eth", "10000000"), 0), "boostQuote")
    yield* network("setAsset", { asset: "btc.btc", boostEnabled: false })
    assert.notProperty(objectAt(yield* quotes("btc.btc", "eth.eth", "10000000"), 0), "boostQuote")
    yield* network("setAsset", { asset: "btc.btc", boostEnabled: true })
  })

  it.effect("one leg: has no intermediate amount and one pool", function* () {
    for (const [source, destination] of [["btc.btc", "usdc.eth"], ["usdc.eth", "eth.arb"]] as const) {
      const quote = at(yield* quotes(source, destination, typicalAmount(source)), 0)
      assertMembers(quote, plain, Object.keys(intermediate))
      assert.lengthOf(listAt(quote, "poolInfo"), 1)
      assert.deepStrictEqual(feeTypes(quote), ["ingress", "network", "egress", "liquidity"])
    }
  })

  it.effect("fees: in order, the broker's where there is one, one liquidity fee for each pool (decision 22)", function* () {
    const liquidity = ["liquidity", "liquidity"]
    const free = at(yield* quotes("sol.sol", "dot.hub", "10000000000"), 0)
    assert.deepStrictEqual(feeTypes(free), ["ingress", "network", "egress", ...liquidity])
    const charged = at(yield* quotes("sol.sol", "dot.hub", "10000000000", "25"), 0)
    assert.deepStrictEqual(feeTypes(charged), ["ingress", "network", "broker", "egress", ...liquidity])
    const pools = listAt(charged, "poolInfo").map((pool) => textAt(pool, "fee", "asset"))
    const liquidityFees = listAt(charged, "includedFees").filter((fee) => textAt(fee, "type") === "liquidity")
    assert.deepStrictEqual(liquidityFees.map((fee) => textAt(fee, "asset")), pools)
    assert.deepStrictEqual(pools, ["sol.sol", "usdc.eth"])
    const assetsOf = listAt(charged, "includedFees").map((fee) => textAt(fee, "asset"))
    assert.deepStrictEqual(assetsOf.slice(0, 4), ["sol.sol", "usdc.eth", "usdc.eth", "dot.hub"])
  })

  it.effect("fees: the broker's share and the price are what the other figures make them", function* () {
    const quote = at(yield* quotes("btc.btc", "eth.eth", "10000001", "33"), 0)
    const broker = feeOf(quote, "broker")
    const afterNetwork = nativeAt(quote, "intermediateAmountNative") + broker
    assert.strictEqual(broker, afterNetwork * 33n / 10_000n)
    const gross = nativeAt(quote, "egressAmountNative") + feeOf(quote, "egress")
    const swapped = 10_000_001n - feeOf(quote, "ingress")
    // Both in human units, to the twenty places that the price has (chainflip/wire.md 3.3).
    const price = (2n * gross * 10n ** 8n * 10n ** 20n / (swapped * 10n ** 18n) + 1n) / 2n
    assert.strictEqual(numberAt(quote, "estimatedPrice"), decimal(price, 20))
  })

  it.effect("durations: the parts make the whole", function* () {
    const quote = at(yield* quotes("btc.btc", "eth.eth", "10000001"), 0)
    assertMembers(at(quote, "estimatedDurationsSeconds"), { deposit: number, swap: number, egress: number })
    const parts = ["deposit", "swap", "egress"].map((part) =>
      integerAt(quote, "estimatedDurationsSeconds", part)
    )
    assert.strictEqual(
      parts.reduce((one, other) => one + other),
      integerAt(quote, "estimatedDurationSeconds"),
    )
  })

  it.effect("amounts: exact in both forms for every asset, in and out", function* () {
    const offersOf = (quotes: Json) =>
      // Prices that come between two requests are in the second one's answer alone.
      listAt(withoutValues(quotes)).map((quote) => Struct.omit(objectAt(quote), ["quoteId", "expiresAt"]))
    for (const asset of Object.keys(chainflipAssets).filter((id) => id !== "usdc.eth")) {
      for (const [source, destination] of [[asset, "usdc.eth"], ["usdc.eth", asset]] as const) {
        const native = typicalAmount(source)
        const inNative = yield* quotes(source, destination, native)
        const inHuman = yield* get("/quotes", {
          sourceAsset: source,
          destinationAsset: destination,
          amount: human(source, native),
          commissionBps: "0",
        })
        assert.deepStrictEqual(offersOf(inHuman), offersOf(inNative))
        assertExact(at(inNative, 0), source, destination)
        assert.strictEqual(textAt(inNative, 0, "ingressAmountNative"), native)
      }
    }
  })

  it.effect("low liquidity: is a warning, true when most of the value would be lost", function* () {
    const fine = yield* quotes("usdc.eth", "flip.eth", "1000000000")
    assert.isFalse(at(fine, 0, "lowLiquidityWarning"))
    const thin = yield* quotes("usdc.eth", "flip.eth", "150000000000")
    assert.isTrue(at(ofType(thin, "regular"), "lowLiquidityWarning"))
  })

  it.effect("platform: is the last member (decision 18)", function* () {
    for (const quote of listAt(yield* quotes("btc.btc", "eth.eth", "100000000"))) {
      assert.strictEqual(textAt(quote, "platform"), "chainflip")
      assert.strictEqual(Object.keys(objectAt(quote)).at(-1), "platform")
    }
  })

  it.effect("order: the most output first, whichever kind that is (decision 18)", function* () {
    const orderOf = (all: Json) => listAt(all).map((quote) => textAt(quote, "type"))
    const assertDescending = (all: Json) => {
      const [first = 0n, second = 0n] = listAt(all).map((quote) => nativeAt(quote, "egressAmountNative"))
      assert.isTrue(first >= second, `${first} before ${second}`)
    }
    const shallow = yield* quotes("btc.btc", "eth.eth", "100000000")
    assert.deepStrictEqual(orderOf(shallow), ["dca", "regular"])
    assertDescending(shallow)
    const depth = { usdc: `${10n ** 24n}` }
    yield* network("setDepth", { asset: "usdc.arb", ...depth })
    const deep = yield* quotes("usdc.eth", "usdc.arb", "50000000007")
    assert.deepStrictEqual(orderOf(deep), ["regular", "dca"])
    assertDescending(deep)
  })
})

/** Digits with a point before the last so many. */
const decimal = (value: bigint, places: number): string => {
  const digits = `${value}`.padStart(places + 1, "0")
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`.replace(/\.?0+$/, "")
}
