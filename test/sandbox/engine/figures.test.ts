import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import { shareOf } from "#domain/money/Bps.ts"
import { Price } from "#domain/money/Price.ts"
import {
  durationsOf,
  estimatedPrice,
  livePriceSlippageTolerance,
  retryDurationMinutes,
  slippageTolerance,
} from "#sandbox/engine/quotes.ts"
import {
  egressFee,
  passageFees,
  refundFee,
  reservesAt,
  saturatingSubtract,
  type Trade,
  trade,
} from "#sandbox/engine/pools.ts"
import { assertDecimal, makeNetwork, present, refused, succeed } from "./support.ts"

const commission = (bps: number) => (usdc: bigint) => shareOf(usdc, bps)

describe("the fees of the USDC between the legs", () => {
  it("are those of the recorded example: 0.1 % to the network, then 0.25 % to the broker", () => {
    assert.deepStrictEqual(passageFees(16_130_204_411n, commission(25)), {
      networkFee: 16_130_204n,
      brokerFee: 40_285_185n,
      passed: 16_073_789_022n,
    })
  })

  it("are half a dollar to the network at least, and never more than there is", () => {
    assert.strictEqual(passageFees(499_999_999n, commission(0)).networkFee, 500_000n)
    assert.strictEqual(passageFees(501_000_000n, commission(0)).networkFee, 501_000n)
    assert.deepStrictEqual(passageFees(499_999n, commission(25)), {
      networkFee: 499_999n,
      brokerFee: 0n,
      passed: 0n,
    })
  })

  it("leave the network's part out when a simulation asks so", () => {
    assert.deepStrictEqual(passageFees(1_000_000n, commission(100), false), {
      networkFee: 0n,
      brokerFee: 10_000n,
      passed: 990_000n,
    })
  })
})

describe("other fees", () => {
  const network = makeNetwork()

  it("never leave less than nothing", () => {
    assert.strictEqual(saturatingSubtract(5n, 3n), 2n)
    assert.strictEqual(saturatingSubtract(3n, 5n), 0n)
  })

  it("of a payment include the gas budget, converted where it is not in the asset itself", () => {
    assert.strictEqual(egressFee(network, "eth.eth"), 141_203_311_900_000n)
    assert.strictEqual(egressFee(network, "eth.eth", 1_000n), 141_203_311_901_000n)
    // 0.001 ETH at 1904 USDC is 1.904 USDC.
    assert.strictEqual(egressFee(network, "usdc.eth", 10n ** 15n), 274_000n + 1_904_000n)
  })

  it("of a refund are half a dollar in the source asset, and never more than there is", () => {
    assert.strictEqual(refundFee(network, "usdc.eth", 10n ** 9n), 500_000n)
    // 0.5 USDC at 64 550 is 774.59… sat.
    assert.strictEqual(refundFee(network, "btc.btc", 10n ** 9n), 774n)
    assert.strictEqual(refundFee(network, "btc.btc", 700n), 700n)
  })
})

describe("a pool", () => {
  const read = () => ({ base: 1_000n, quote: 5_000n })

  it("keeps the product constant and rounds what it gives down", () => {
    const sold = succeed(trade(read, "btc.btc", "sell", 100n))
    assert.strictEqual(sold.output, 454n) // 5000 × 100 / 1100 = 454.54…
    assert.deepStrictEqual(sold.after, { base: 1_100n, quote: 4_546n })
    const bought = succeed(trade(read, "btc.btc", "buy", 100n))
    assert.strictEqual(bought.output, 19n) // 1000 × 100 / 5100 = 19.6…
    assert.deepStrictEqual(bought.after, { base: 981n, quote: 5_100n })
  })

  it("gives half of what it holds at most", () => {
    assert.strictEqual(succeed(trade(read, "btc.btc", "sell", 1_000n)).output, 2_500n)
    assert.strictEqual(refused(trade(read, "btc.btc", "sell", 1_001n)), "InsufficientLiquidity")
    assert.strictEqual(refused(trade(read, "btc.btc", "buy", 5_001n)), "InsufficientLiquidity")
  })

  it("holds as much on both sides by the reference price", () => {
    // 64 550 000 USDC against 1000 BTC at 64 550.
    const reserves = reservesAt("btc.btc", { price: 64_550_000_000n, depth: 64_550_000_000_000n })
    assert.deepStrictEqual(reserves, { base: 100_000_000_000n, quote: 64_550_000_000_000n })
  })
})

describe("the estimated price", () => {
  it("is that of the recorded example to its last digit", () => {
    const price = estimatedPrice("btc.btc", "eth.eth", {
      swappedInput: 25_000_000n - 310n,
      grossOutput: 8_439_758_519_449_979_758n + 141_203_311_900_000n,
    })
    assertDecimal(price, "33.76001751526470831438")
  })

  it("is rounded half up at the twentieth place", () => {
    assertDecimal(
      estimatedPrice("btc.btc", "usdc.eth", { swappedInput: 300_000_000n, grossOutput: 2_000_000n }),
      "0.66666666666666666667",
    )
  })
})

describe("estimated durations", () => {
  const base = { sourceAsset: "btc.btc", destinationAsset: "eth.eth", boosted: false } as const

  it("of Bitcoin to Ethereum are 1506, 12 and 96 seconds", () => {
    assert.deepStrictEqual(durationsOf(base), { deposit: 1_506_000, swap: 12_000, egress: 96_000 })
  })

  it("of a boosted deposit leave the confirmations out", () => {
    assert.strictEqual(durationsOf({ ...base, boosted: true }).deposit, 306_000)
  })

  it("of Ethereum to Arbitrum are fractional where blocks are short", () => {
    const durations = durationsOf({ ...base, sourceAsset: "eth.eth", destinationAsset: "usdc.arb" })
    assert.deepStrictEqual(durations, { deposit: 60_000, swap: 12_000, egress: 90_130 })
  })

  it("of chunks add the intervals between them", () => {
    const dca = { numberOfChunks: 4, chunkIntervalBlocks: 2 }
    assert.strictEqual(durationsOf({ ...base, dca }).swap, 12_000 + 36_000)
  })
})

describe("the recommended slippage tolerance", () => {
  const leg = (output: bigint, available: bigint): Trade => ({
    base: "btc.btc",
    side: "sell",
    input: 1n,
    output,
    available,
    after: { base: 1n, quote: 1n },
  })
  const middling = leg(20n, 100n)
  const quoted = {
    sourceAsset: "btc.btc",
    destinationAsset: "eth.eth",
    boosted: false,
    estimatedPrice: Price.make(BigDecimal.make(33n, 0)),
    trades: [middling],
  } as const
  const ethereum = { ...quoted, sourceAsset: "eth.eth", destinationAsset: "sol.sol" } as const

  it("is 1 and a term for waiting, a whole percent for two Bitcoin blocks", () => {
    assertDecimal(slippageTolerance(quoted), "2")
    assertDecimal(slippageTolerance({ ...quoted, boosted: true }), "1.5")
    assertDecimal(slippageTolerance(ethereum), "1") // 1.05, in quarters
  })

  it("grows by half of the share beyond half of the liquidity, the larger leg's counting", () => {
    assertDecimal(slippageTolerance({ ...ethereum, trades: [middling, leg(90n, 100n)] }), "1.5")
    assertDecimal(slippageTolerance({ ...quoted, trades: [leg(100n, 100n)] }), "2.5")
  })

  it("shrinks by a half for amounts that are small against the liquidity in reserve", () => {
    assertDecimal(slippageTolerance({ ...ethereum, trades: [leg(4n, 100n), leg(1n, 100n)] }), "0.5")
    assertDecimal(slippageTolerance({ ...ethereum, trades: [leg(4n, 100n), middling] }), "1")
  })

  it("is 10 with FLIP on either side", () => {
    assertDecimal(slippageTolerance({ ...quoted, destinationAsset: "flip.eth" }), "10")
    assertDecimal(slippageTolerance({ ...quoted, sourceAsset: "flip.eth" }), "10")
  })

  it("follows the price between stable coins and between assets of one ticker", () => {
    const stable = { ...quoted, sourceAsset: "usdt.eth", destinationAsset: "usdc.eth" } as const
    const at = (value: bigint) => Price.make(BigDecimal.make(value, 4))
    assertDecimal(slippageTolerance({ ...stable, estimatedPrice: at(9_998n) }), "0.5")
    assertDecimal(slippageTolerance({ ...stable, estimatedPrice: at(9_000n) }), "0.5")
    // 1 − 0.995 / 1.01 = 1.485 %
    assertDecimal(slippageTolerance({ ...stable, estimatedPrice: at(10_100n) }), "1.49")
    const same = { ...quoted, sourceAsset: "eth.eth", destinationAsset: "eth.arb" } as const
    assertDecimal(slippageTolerance({ ...same, estimatedPrice: at(10_000n) }), "0.5")
  })
})

describe("other recommendations", () => {
  const network = makeNetwork()

  it("against the oracles' prices add up the legs' protections, where both assets have one", () => {
    const route = { sourceAsset: "btc.btc", destinationAsset: "eth.eth" } as const
    assertDecimal(present(livePriceSlippageTolerance(network, route)), "1.1")
    const oneLeg = { ...route, destinationAsset: "usdc.eth" } as const
    assertDecimal(present(livePriceSlippageTolerance(network, oneLeg)), "0.6")
    assert.isUndefined(livePriceSlippageTolerance(network, { ...route, destinationAsset: "flip.eth" }))
  })

  it("say half an hour of retries with Bitcoin, else five minutes", () => {
    assert.strictEqual(retryDurationMinutes("eth.eth", "btc.btc"), 30)
    assert.strictEqual(retryDurationMinutes("eth.eth", "wbtc.eth"), 5)
  })
})
