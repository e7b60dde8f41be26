import { assert, describe, it } from "@effect/vitest"
import { UtcDay } from "#domain/money/Commission.ts"
import type { HistoryFigures, HistoryPart } from "#domain/operations/ProviderHistory.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { byDay, type ProviderFacts, reportCard } from "#domain/operations/ReportCard.ts"
import { EpochMillis } from "#domain/Time.ts"

const provider = ProviderName.make("chainflip")
const [first, second, third] = ["2026-02-27", "2026-02-28", "2026-03-01"].map((day) => UtcDay.make(day))
if (first === undefined || second === undefined || third === undefined) throw new Error("Three days")

const at = (day: UtcDay, time = "00:00") => EpochMillis.make(Date.parse(`${day}T${time}:00Z`))

const calls = (day: UtcDay, operation: string, figures: HistoryFigures): HistoryPart => ({
  operation,
  at: at(day),
  figures,
})

const facts: ProviderFacts = {
  calls: [
    calls(first, "quote", { succeeded: 90, refused: 5, timedOut: 3, rejected: 2, took50: 50, took100: 50 }),
    calls(first, "open", { succeeded: 1, cancelled: 7 }),
    calls(first, "treasury", { upstreamFailed: 1_000 }),
    calls(third, "quote", { succeeded: 2, took250: 2, offered: 3, best: 1 }),
  ],
  ended: [
    { at: at(first, "12:00"), platform: provider, outcome: "completed", swaps: 7 },
    { at: at(third), platform: provider, outcome: "completed", swaps: 2 },
    { at: at(third), platform: provider, outcome: "refunded", swaps: 1 },
  ],
  stalled: [{ day: second, stalls: 4 }],
  commission: [
    { day: first, asset: "usdc.eth", amount: 30n, kept: 10n, isEstimate: false, swaps: 2 },
    { day: first, asset: "btc.btc", amount: 1n, kept: 2n, isEstimate: true, swaps: 1 },
    { day: third, asset: "usdc.eth", amount: 10n, kept: 30n, isEstimate: false, swaps: 1 },
  ],
}

describe("A report card", () => {
  const card = reportCard({ provider, from: first, to: third }, byDay(facts))

  it("has every day, also those without anything", () => {
    assert.deepStrictEqual(card.days.map(({ day }) => day), [first, second, third])
    assert.deepStrictEqual(card.days[1], {
      day: second,
      calls: 0,
      uptimePpm: undefined,
      p50Millis: undefined,
      p90Millis: undefined,
      offered: 0,
      best: 0,
      swaps: { completed: 0, refunded: 0, failed: 0 },
      stalls: 4,
      kept: [],
    })
  })

  it("has what the provider kept of what payers were charged, by asset and day", () => {
    assert.deepStrictEqual(card.days[2]?.kept, [{ asset: "usdc.eth", ppm: 750_000, isEstimate: false }])
  })

  it("counts refusals as answers, calls that were not made as none, and what is the operator's own not at all", () => {
    const [day] = card.days
    assert.strictEqual(day?.calls, 101)
    assert.strictEqual(day?.uptimePpm, Math.floor(96 * 1_000_000 / 101))
    assert.strictEqual(day?.p50Millis, 50)
    assert.strictEqual(day?.p90Millis, 90)
  })

  it("sums all days, with times over all their calls", () => {
    assert.deepStrictEqual(card.total, {
      calls: 103,
      uptimePpm: Math.floor(98 * 1_000_000 / 103),
      p50Millis: 51,
      p90Millis: 92,
      offered: 3,
      best: 1,
      swaps: { completed: 9, refunded: 1, failed: 0 },
      stalls: 4,
      kept: [
        { asset: "btc.btc", ppm: 666_666, isEstimate: true },
        { asset: "usdc.eth", ppm: 500_000, isEstimate: false },
      ],
    })
  })

  it("leaves out what lies before or after its days", () => {
    const { days, total } = reportCard({ provider, from: second, to: second }, byDay(facts))
    assert.strictEqual(days.length, 1)
    assert.strictEqual(total.calls, 0)
    assert.strictEqual(total.swaps.completed, 0)
    assert.strictEqual(total.stalls, 4)
  })
})
