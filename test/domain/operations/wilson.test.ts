import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { emptyRecord, lowerBoundPpm, trackRecord } from "#domain/operations/TrackRecord.ts"

/** The bound by floating point, apart from the product's own way. */
const bound = (k: number, n: number): number => {
  const z = 1.96
  const p = k / n
  return (p + z * z / (2 * n) - z * Math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))) / (1 + z * z / n)
}

describe("the lower Wilson bound", () => {
  it.each([
    // Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
    [81, 263, 0.2553],
    [15, 148, 0.0624],
    [0, 20, 0],
    [1, 29, 0.0061],
    // All of them completed: n / (n + z²).
    [20, 20, 0.8389],
    [1_000, 1_000, 0.9962],
  ])("of %d of %d is %d", (completed, n, expected) => {
    assert.closeTo(lowerBoundPpm(completed, n) / 1e6, expected, 0.00005)
  })

  const Count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))

  it.prop("is that of floating point, rounded down to millionths", [Count, Count], ([one, other]) => {
    const [k, n] = [Math.min(one, other), Math.max(one, other, 1)]
    const exact = bound(k, n) * 1e6
    const found = lowerBoundPpm(k, n)
    assert.isTrue(Number.isInteger(found))
    assert.isAtMost(found, Math.max(0, exact) + 0.01)
    assert.isAbove(found, exact - 1.01)
  })
})

describe("a track record", () => {
  it("has no bound below 20 swaps, and none of the times where none is known", () => {
    const ends = { completed: 19, refunded: 0, failed: 0, stalled: 0 }
    assert.notProperty(trackRecord(ends, []), "lowerBoundPpm")
    assert.notProperty(trackRecord(ends, []), "times")
    assert.property(trackRecord({ ...ends, stalled: 1 }, []), "lowerBoundPpm")
    assert.strictEqual(emptyRecord.n, 0)
  })

  it("counts everything that did not complete against the provider", () => {
    const record = trackRecord({ completed: 80, refunded: 10, failed: 6, stalled: 4 }, [])
    assert.strictEqual(record.n, 100)
    assert.strictEqual(record.lowerBoundPpm, lowerBoundPpm(80, 100))
  })

  it("tells the nearest ranks of the times", () => {
    const { times } = trackRecord({ completed: 10, refunded: 0, failed: 0, stalled: 0 }, [
      9,
      1,
      8,
      2,
      7,
      3,
      6,
      4,
      5,
      10,
    ])
    assert.deepStrictEqual(times, { p50: 5, p90: 9, n: 10 })
    assert.deepStrictEqual(trackRecord({ ...emptyRecord }, [7]).times, { p50: 7, p90: 7, n: 1 })
  })
})
