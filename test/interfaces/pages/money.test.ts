import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Schema } from "effect"
import { formatUnits, maximumNativeAmount } from "#domain/money/Amount.ts"
import { AssetId, assetIds } from "#domain/chains/Asset.ts"
import {
  changeText,
  compact,
  dollarText,
  fullAmount,
  grouped,
  listAmount,
  pointsText,
  rate,
  share,
} from "#interfaces/pages/values.tsx"

/** The number that a written one stands for, as a machine writes it. */
const ungrouped = (text: string): string => text.replaceAll(",", "").replace("−", "-")

const exact = (text: string): BigDecimal.BigDecimal => BigDecimal.fromStringUnsafe(ungrouped(text))

const Native = Schema.BigInt.check(
  Schema.isBetweenBigInt({ minimum: -maximumNativeAmount, maximum: maximumNativeAmount }),
)

const usd = (text: string) => BigDecimal.fromStringUnsafe(text)

describe("numbers in pages", () => {
  it.prop("of amounts in full lose and change no digit", [AssetId, Native], ([asset, native]) => {
    assert.strictEqual(ungrouped(fullAmount(asset, native)), formatUnits(asset, native))
  })

  it.prop(
    "of amounts in lists are the exact ones, rounded to the nearest",
    [AssetId, Native],
    ([asset, native]) => {
      const shown = listAmount(asset, native)
      const size = BigDecimal.abs(exact(formatUnits(asset, native)))
      const bound = /^[<>](.*)$/.exec(shown)?.[1]
      if (bound !== undefined) {
        assert.isTrue(native !== 0n && BigDecimal.isLessThan(size, BigDecimal.abs(exact(bound))), shown)
        return
      }
      const [, fraction = ""] = shown.split(".")
      const off = BigDecimal.abs(BigDecimal.subtract(exact(shown), exact(formatUnits(asset, native))))
      assert.isTrue(BigDecimal.isLessThanOrEqualTo(off, BigDecimal.make(5n, fraction.length + 1)), shown)
      assert.strictEqual(shown.startsWith("−"), native < 0n)
    },
  )

  it("of amounts in lists have the decimals of what a unit is worth", () => {
    const written = ([asset, native]: readonly [AssetId, bigint]) => listAmount(asset, native)
    assert.deepStrictEqual(
      ([
        ["btc.btc", 20_147_599n],
        ["btc.btc", 15_000_000n],
        ["btc.btc", 499n],
        ["btc.btc", 0n],
        ["eth.eth", 4_518_852_320_000_000_000n],
        ["eth.arb", 14_750_000_000_000_000_000n],
        ["usdc.eth", 38_207_576_400n],
        ["usdt.tron", 9_999n],
        ["sol.sol", 412_000_000_000n],
        ["usdc.eth", -1_234_567_899n],
        ["usdc.eth", -1n],
      ] as const).map(written),
      [
        "0.20148",
        "0.15000",
        "<0.00001",
        "0.00000",
        "4.5189",
        "14.7500",
        "38,207.58",
        "0.01",
        "412.000",
        "−1,234.57",
        ">−0.01",
      ],
    )
    assert.isAbove(assetIds().length, 10)
  })

  it("have commas between thousands, and none in the fraction", () => {
    assert.deepStrictEqual(
      ["0", "999", "1000", "-1234567.8901", "0.123456789", "1000000"].map(grouped),
      ["0", "999", "1,000", "−1,234,567.8901", "0.123456789", "1,000,000"],
    )
  })

  it("of dollars are rounded to the nearest, and are never nothing where there is something", () => {
    assert.deepStrictEqual(
      ["1142.5", "1260378", "0", "0.4", "-3.5", "-0.2"].map((text) => dollarText(usd(text), "whole")),
      ["$1,143", "$1,260,378", "$0", "<$1", "−$4", ">−$1"],
    )
    assert.deepStrictEqual(
      ["3024.899", "57.06684", "0.001", "11.3", "-0.41"].map((text) => dollarText(usd(text), "cents")),
      ["$3,024.90", "$57.07", "<$0.01", "$11.30", "−$0.41"],
    )
  })

  it.prop("of dollars differ from the exact by half a cent at most", [Schema.BigInt], ([value]) => {
    const whole = BigDecimal.make(value, 5)
    const shown = dollarText(whole, "cents")
    if (/^[<>]/.test(shown)) return
    const apart = BigDecimal.abs(BigDecimal.subtract(whole, exact(shown.replace("$", ""))))
    assert.isTrue(BigDecimal.isLessThanOrEqualTo(apart, usd("0.005")), shown)
  })

  it("of shares have one decimal, those of rates below 2 % two, and not all is not all", () => {
    assert.deepStrictEqual(
      [
        share(656, 695),
        share(1, 3),
        share(0, 5),
        share(5, 5),
        share(99_999, 100_000),
        share(1, 100_000),
        share(0, 0),
      ],
      ["94.4\u00a0%", "33.3\u00a0%", "0\u00a0%", "100.0\u00a0%", "99.9\u00a0%", "<0.1\u00a0%", undefined],
    )
    assert.deepStrictEqual(
      [rate(8, 695), rate(2, 100), rate(1_904, 44_871), rate(1, 1_000_000), rate(0, 9)],
      ["1.15\u00a0%", "2.0\u00a0%", "4.2\u00a0%", "<0.01\u00a0%", "0\u00a0%"],
    )
  })

  it("of changes have a sign", () => {
    assert.deepStrictEqual(
      [
        changeText(1_260_378, 1_142_905),
        changeText(1, 2),
        changeText(5, 5),
        changeText(5, 0),
        changeText(30, 1),
      ],
      ["+10.3\u00a0%", "−50.0\u00a0%", "±0.0\u00a0%", undefined, "+2,900.0\u00a0%"],
    )
    assert.deepStrictEqual([pointsText(1.15, 0.76), pointsText(3, 99.9)], ["+0.39 points", "−96.90 points"])
  })

  it("where there is little room are short, and never of the wrong unit", () => {
    assert.deepStrictEqual(
      [0, 2.5, 9_600, 9_999, 9_999.9, 10_000, 12_500, 999_949, 999_999, 1e6, 2.5e6, 1e9, 3e13].map(compact),
      [
        "0",
        "2.5",
        "9,600",
        "9,999",
        "10 k",
        "10 k",
        "12.5 k",
        "999.9 k",
        "1 M",
        "1 M",
        "2.5 M",
        "1 B",
        "30 T",
      ],
    )
  })
})
