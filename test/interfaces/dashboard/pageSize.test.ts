import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import { earnedChart } from "#interfaces/dashboard/treasury/commission.tsx"
import { callsSection, causesSection } from "#interfaces/dashboard/providers/providerPage.tsx"
import { operations } from "#interfaces/dashboard/providers/providerParts.tsx"
import { UtcDay } from "#domain/money/Commission.ts"
import { UsdValue } from "#domain/money/UsdValue.ts"
import { historyFigures, tellPart } from "#domain/operations/ProviderHistory.ts"
import { EpochMillis } from "#domain/Time.ts"
import { lastHours } from "#interfaces/pages/charts.tsx"
import { script, style } from "#interfaces/pages/style.ts"

/** What is left of the 60 kB of a page beside its files, with 10 kB for its frame and its other parts. */
const most = 60_000 - style.length - script.length - 10_000

describe("a page stays small", () => {
  it("where a provider did and failed at everything in each hour", () => {
    const now = EpochMillis.make(Date.parse("2026-07-29T14:04:24Z"))
    const figures = Object.fromEntries(historyFigures.map((name, index) => [name, 1_234_567 + index]))
    const parts = lastHours(now).flatMap((at) =>
      operations.map((operation) => tellPart({ operation, at, figures }))
    )
    const text = `${callsSection({ parts }, now)}${causesSection({ parts })}`
    assert.isAbove(text.length, 5_000)
    assert.isAtMost(text.length, most)
  })

  it("where commission was earned on each day of a year, which is told by month", () => {
    const day = (number: number) => UtcDay.make(new Date(number * 86_400_000).toISOString().slice(0, 10))
    const earned = Array.from({ length: 365 }, (_, number) => ({
      day: day(20_000 + number),
      asset: "usdc.eth" as const,
      amount: 123_456_789n,
      kept: 0n,
      isEstimate: false,
      swaps: 12,
      value: UsdValue.make(BigDecimal.fromStringUnsafe("123.456789")),
      unvalued: 1,
    }))
    const text = `${earnedChart({ from: day(20_000), to: day(20_364), goesOn: false }, earned)}`
    assert.isAtMost(text.length, most)
    assert.include(text, "Nov 2024: commission ≈ USD $3,703.70")
    const month = `${earnedChart({ from: day(20_000), to: day(20_029), goesOn: false }, earned.slice(0, 30))}`
    assert.include(month, "5 Oct: commission ≈ USD $123.46")
  })
})
