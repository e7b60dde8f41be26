import { assert, describe, it } from "#test/support/it.ts"
import { BigDecimal } from "effect"
import { TestClock } from "effect/testing"
import { trackRecord } from "#domain/operations/TrackRecord.ts"
import { withReadableTimes } from "#interfaces/mcp/Tool.ts"
import { outlookOf } from "#interfaces/mcp/tools/estimateText.ts"
import { presentReliability, presentTime } from "#interfaces/requests/present/quotes.ts"

/** What is told of a quote of 27 minutes, where so many swaps completed in these seconds and some were refunded. */
const told = (seconds: ReadonlyArray<number>, refunded = 0) => {
  const record = trackRecord({ completed: seconds.length, refunded, failed: 0, stalled: 0 }, seconds)
  return outlookOf({
    estimatedDurationSeconds: BigDecimal.make(1_620n, 0),
    time: presentTime(120_000, record),
    reliability: presentReliability(record),
  })
}

describe("what agents are told of a quote", () => {
  it("is the share of swaps that ended well, and their times, where there are enough", () => {
    const { reliability, time } = told([...Array(30)].map((_, index) => 60 * (index + 1)), 10)
    assert.strictEqual(reliability.text, "Swaps of this broker that ended well: 30 of 40 (75 %).")
    assert.match(time.text, /^About 27 min from the deposit to the payout/)
    assert.match(time.text, /half of 30 took up to 15 min, nine in ten up to 27 min\.$/)
  })

  it("is unknown below twenty swaps, however they ended", () => {
    const { reliability, time } = told([...Array(19)].map(() => 60))
    assert.match(reliability.text, /: unknown: 19 so far, and 20 are needed to tell\.$/)
    assert.match(time.text, /: unknown: 19 so far/)
    assert.match(told([]).time.text, /: unknown: 0 so far/)
  })

  it("rounds no share up to all", () => {
    assert.match(told([...Array(999)].map(() => 60), 1).reliability.text, /999 of 1000 \(99 %\)/)
  })
})

const now = Date.parse("2026-07-29T14:00:00Z")

describe("times in answers", () => {
  it.effect("have the time in ISO 8601 and its distance beside them, wherever they stand", function* () {
    yield* TestClock.setTime(now)
    const body = {
      expiresAt: now + 14 * 60_000,
      swaps: [{ openedAt: "2026-07-29T13:57:00+00:00" }],
      amountNative: "1790692455000",
      full: { expiresAt: now },
    }
    assert.deepStrictEqual(yield* withReadableTimes(body), {
      expiresAt: now + 14 * 60_000,
      expiresAtDate: "2026-07-29T14:14:00+00:00",
      expiresAtRelative: "in 14 min",
      swaps: [{ openedAt: "2026-07-29T13:57:00+00:00", openedAtRelative: "3 min ago" }],
      amountNative: "1790692455000",
      full: { expiresAt: now },
    })
  })

  it.effect("never say of what has happened that it will, and say nothing of what is no time", function* () {
    yield* TestClock.setTime(now)
    const told = yield* withReadableTimes({
      since: now + 60_000,
      at: "some day",
      openedAt: null,
      expiresAt: -1,
    })
    assert.strictEqual(told.sinceRelative, "now")
    assert.sameMembers(Object.keys(told), [
      "since",
      "sinceDate",
      "sinceRelative",
      "at",
      "openedAt",
      "expiresAt",
    ])
  })
})
