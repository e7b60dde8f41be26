import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { Bps } from "#domain/money/Bps.ts"
import type { Control } from "#sandbox/engine/Command.ts"
import type { QuoteRefusal } from "#sandbox/engine/Refusal.ts"
import * as Network from "#sandbox/engine/Network.ts"
import {
  assertDecimal,
  makeNetwork,
  native,
  present,
  quoteOf,
  refused,
  succeed,
  turn,
  units,
} from "./support.ts"

describe("a quote", () => {
  it("of 0.25 BTC for ETH is what the pools and fees come to by hand", () => {
    const network = makeNetwork()
    const [regular, dca] = succeed(
      quoteOf(network, { amount: native(25_000_000n), commissionBps: Bps.make(25) }),
    )
    // Pool of BTC: 60 000 000 USDC and floor(60e12 × 1e8 / 64 550e6) sat; of ETH: 50 000 000 USDC and 50e12 × 1e18 / 1904e6 wei.
    const bitcoin = 60_000_000_000_000n * 10n ** 8n / 64_550_000_000n
    const ether = 50_000_000_000_000n * 10n ** 18n / 1_904_000_000n
    const usdc = 60_000_000_000_000n * 24_999_690n / (bitcoin + 24_999_690n)
    const networkFee = usdc / 1_000n
    const brokerFee = (usdc - networkFee) * 25n / 10_000n
    const passed = usdc - networkFee - brokerFee
    const gross = ether * passed / (50_000_000_000_000n + passed)
    assert.deepStrictEqual(present(regular).fees, [
      { type: "ingress", asset: "btc.btc", amount: native(310n) },
      { type: "network", asset: "usdc.eth", amount: native(networkFee) },
      { type: "broker", asset: "usdc.eth", amount: native(brokerFee) },
      { type: "egress", asset: "eth.eth", amount: native(141_203_311_900_000n) },
    ])
    assert.deepStrictEqual(present(regular).intermediate, { asset: "usdc.eth", amount: native(passed) })
    assert.strictEqual(present(regular).egress.amount, gross - 141_203_311_900_000n)
    assert.strictEqual(present(regular).totalDuration, 1_614_000)
    assert.isFalse(present(regular).lowLiquidityWarning)
    assert.deepStrictEqual(present(dca).dca, { numberOfChunks: 2, chunkIntervalBlocks: 2 })
    assert.isTrue(present(dca).egress.amount > present(regular).egress.amount)
  })

  it("names the pools of its route, which take nothing today", () => {
    const network = makeNetwork()
    const nothing = native(0n)
    const [offer] = succeed(quoteOf(network, { amount: units("btc.btc", "0.01") }))
    assert.deepStrictEqual(present(offer).pools, [
      { baseAsset: "btc.btc", quoteAsset: "usdc.eth", fee: { asset: "btc.btc", amount: nothing } },
      { baseAsset: "eth.eth", quoteAsset: "usdc.eth", fee: { asset: "usdc.eth", amount: nothing } },
    ])
  })

  it("has no intermediate amount and no broker's fee where there is none", () => {
    const network = makeNetwork()
    for (
      const route of [
        { sourceAsset: "usdc.eth", destinationAsset: "eth.eth", amount: units("usdc.eth", "500") },
        { sourceAsset: "eth.eth", destinationAsset: "usdc.eth", amount: units("eth.eth", "1") },
      ] as const
    ) {
      const [offer] = succeed(quoteOf(network, route))
      assert.notProperty(present(offer), "intermediate")
      assert.strictEqual(present(offer).pools.length, 1)
      assert.deepStrictEqual(present(offer).fees.map(({ type }) => type), ["ingress", "network", "egress"])
    }
  })

  it("takes USDC's fees before its only leg", () => {
    const network = makeNetwork()
    const amount = units("usdc.eth", "1000")
    const [offer] = succeed(
      quoteOf(network, { sourceAsset: "usdc.eth", amount, commissionBps: Bps.make(100) }),
    )
    // 1000 − 0.152 = 999.848; 0.1 % = 0.999848; 1 % of the rest 9.988481 (floor of 9.98848152).
    assert.deepStrictEqual(present(offer).fees.slice(0, 3).map((fee) => fee.amount), [
      native(152_000n),
      native(999_848n),
      native(9_988_481n),
    ])
  })

  it("of less than ten thousand dollars, or without chunks, is a regular one", () => {
    const network = makeNetwork()
    const usdc = (amount: string) => ({ sourceAsset: "usdc.eth", amount: units("usdc.eth", amount) }) as const
    assert.strictEqual(succeed(quoteOf(network, usdc("10000"))).length, 1)
    assert.strictEqual(succeed(quoteOf(network, usdc("10000.000001"))).length, 2)
    assert.strictEqual(succeed(quoteOf(network, { ...usdc("50000"), dcaEnabled: false })).length, 1)
  })

  it("offers one chunk for each ten thousand dollars, and none that would take longer than a day", () => {
    const network = makeNetwork()
    turn(network, { _tag: "SetDepth", asset: "usdt.eth", usdc: units("usdc.eth", "500000000") })
    const usdc = (amount: string) =>
      succeed(quoteOf(network, {
        sourceAsset: "usdc.eth",
        destinationAsset: "usdt.eth",
        amount: units("usdc.eth", amount),
      })).map(({ dca }) => dca?.numberOfChunks)
    assert.deepStrictEqual(usdc("30000"), [undefined, 3])
    assert.deepStrictEqual(usdc("30001"), [undefined, 4])
    assert.deepStrictEqual(usdc("72000000"), [undefined, 7_200])
    assert.deepStrictEqual(usdc("72000001"), [undefined])
  })

  it("has chunks only where the pools hold a chunk but not the whole", () => {
    const network = makeNetwork()
    const amount = units("usdc.eth", "400000")
    const offers = succeed(
      quoteOf(network, { sourceAsset: "usdc.eth", destinationAsset: "flip.eth", amount }),
    )
    assert.deepStrictEqual(offers.map(({ dca }) => dca?.numberOfChunks), [40])
  })

  it("warns when the payment is worth 95 % of the deposit or less", () => {
    const network = makeNetwork()
    const flip = (amount: string) =>
      present(
        succeed(quoteOf(network, {
          sourceAsset: "usdc.eth",
          destinationAsset: "flip.eth",
          amount: units("usdc.eth", amount),
        }))[0],
      ).lowLiquidityWarning
    assert.isFalse(flip("5000"))
    assert.isTrue(flip("20000"))
  })

  it("adds a message's gas budget to the egress fee", () => {
    const network = makeNetwork()
    const amount = units("btc.btc", "0.01")
    const [plain] = succeed(quoteOf(network, { amount }))
    const [message] = succeed(quoteOf(network, { amount, ccmGasBudget: native(1_000n) }))
    assert.strictEqual(present(plain).egress.amount - present(message).egress.amount, 1_000n)
  })

  it("is boosted only for Bitcoin, and only as far as the boost pools go", () => {
    const network = makeNetwork()
    const boostOf = (amount: string) =>
      present(succeed(quoteOf(network, { amount: units("btc.btc", amount), dcaEnabled: false }))[0])
        .boostQuote
    const boost = present(boostOf("1"))
    assert.deepStrictEqual(boost.fees[0], { type: "boost", asset: "btc.btc", amount: native(50_000n) })
    assert.strictEqual(boost.durations.deposit, 306_000)
    assertDecimal(boost.recommendedSlippageTolerancePercent, "1")
    assert.isDefined(boostOf("17"))
    assert.isUndefined(boostOf("17.00000001"))
    turn(network, { _tag: "SetAsset", asset: "btc.btc", boostEnabled: false })
    assert.isUndefined(boostOf("1"))
    const [ether] = succeed(quoteOf(network, {
      sourceAsset: "eth.eth",
      destinationAsset: "btc.btc",
      amount: units("eth.eth", "1"),
    }))
    assert.notProperty(present(ether), "boostQuote")
  })
})

describe("a quote is refused", () => {
  const refusalOf = (
    query: Parameters<typeof quoteOf>[1],
    ...controls: ReadonlyArray<Control>
  ): QuoteRefusal => {
    const network = makeNetwork()
    controls.forEach((control) => turn(network, control))
    return refused(quoteOf(network, query))
  }
  const amount = units("btc.btc", "0.01")

  it("below the minimum deposit and above the maximum swap", () => {
    assert.deepStrictEqual(refusalOf({ amount: native(39_999n) }), {
      _tag: "BelowMinimum",
      minimum: native(40_000n),
    })
    const maximum = native(100_000n)
    const limit = { _tag: "SetAsset", asset: "btc.btc", maximumSwap: maximum } as const
    assert.deepStrictEqual(refusalOf({ amount: native(100_001n) }, limit), { _tag: "AboveMaximum", maximum })
  })

  it("when the ingress fee is more than the amount", () => {
    const ingressFee = native(50_000n)
    const control = { _tag: "SetAsset", asset: "btc.btc", ingressFee } as const
    assert.deepStrictEqual(refusalOf({ amount: native(49_999n) }, control), {
      _tag: "IngressFeeNotCovered",
      ingressFee,
    })
  })

  it("when the output does not cover the egress fee, or leaves dust", () => {
    const egressFee = units("eth.eth", "1")
    assert.deepStrictEqual(refusalOf({ amount }, { _tag: "SetAsset", asset: "eth.eth", egressFee }), {
      _tag: "EgressFeeNotCovered",
      egressFee,
    })
    const egressDustLimit = units("eth.eth", "1")
    const dust = refusalOf({ amount }, { _tag: "SetAsset", asset: "eth.eth", egressDustLimit })
    assert.strictEqual(dust._tag, "EgressBelowMinimum")
    const [offer] = succeed(quoteOf(makeNetwork(), { amount }))
    assert.deepStrictEqual(dust, {
      _tag: "EgressBelowMinimum",
      amount: present(offer).egress.amount,
      minimum: egressDustLimit,
    })
  })

  it("when a gas budget is more than any amount", () => {
    const most = native(2n ** 128n - 1n)
    assert.deepStrictEqual(refusalOf({ amount, ccmGasBudget: most }), {
      _tag: "EgressFeeNotCovered",
      egressFee: most,
    })
  })

  it("when neither the whole nor a chunk finds liquidity", () => {
    const control = { _tag: "SetDepth", asset: "eth.eth", usdc: units("usdc.eth", "500") } as const
    assert.deepStrictEqual(refusalOf({ amount }, control), { _tag: "InsufficientLiquidity" })
    assert.deepStrictEqual(refusalOf({ amount: units("btc.btc", "1") }, control), {
      _tag: "InsufficientLiquidity",
    })
  })

  it("for an asset with itself", () => {
    assert.deepStrictEqual(refusalOf({ amount, destinationAsset: "btc.btc" }), {
      _tag: "AssetsCannotBeSwapped",
    })
  })

  it("for assets that are switched off, and in maintenance", () => {
    const off = (control: Control) => refusalOf({ amount }, control)
    const source = { _tag: "AssetDisabled", asset: "btc.btc" } as const
    assert.deepStrictEqual(off({ _tag: "SetAsset", asset: "btc.btc", depositEnabled: false }), source)
    assert.deepStrictEqual(off({ _tag: "SetAsset", asset: "btc.btc", creationEnabled: false }), source)
    assert.deepStrictEqual(off({ _tag: "SetAsset", asset: "eth.eth", egressEnabled: false }), {
      _tag: "AssetDisabled",
      asset: "eth.eth",
    })
    assert.deepStrictEqual(off({ _tag: "SetMaintenance", quoting: true }), { _tag: "QuotingMaintenance" })
  })

  it("but not for swapping maintenance, which is another gate", () => {
    const network = makeNetwork()
    turn(network, { _tag: "SetMaintenance", swapping: true })
    assert.isTrue(Result.isSuccess(quoteOf(network, { amount })))
    assert.isTrue(Network.switches(network).swappingMaintenance)
  })
})
