import { assert, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import { impactPercent } from "#providers/upstream/prices.ts"

it.each([
  [10_000n, 10_000n, "0"],
  [10_000n, 12_000n, "0"],
  [10_000n, 9_999n, "0.01"],
  [100_001n, 100_000n, "0"],
  [10_000n, 9_450n, "5.5"],
  [10_000n, 500n, "95"],
  [10_000n, 0n, "100"],
])("of %s at the price of a small amount, that comes to %s: %s %%", (atSmallPrice, comesTo, percent) => {
  const impact = impactPercent(atSmallPrice, comesTo)
  assert.strictEqual(impact === undefined ? undefined : BigDecimal.format(impact), percent)
})

it("is not known where nothing tells the price of a small amount", () => {
  assert.isUndefined(impactPercent(0n, 1n))
})
