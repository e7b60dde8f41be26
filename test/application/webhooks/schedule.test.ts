import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import { EpochMillis } from "#domain/Time.ts"
import { delayAfter, nextAttemptAt } from "#application/webhooks/schedule.ts"

const hour = 3_600
const seconds = [5, 300, 1_800, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]

const secondsAfter = (attempt: number, random: number) => {
  const delay = delayAfter(attempt, random)
  return delay === undefined ? undefined : Duration.toSeconds(delay)
}

describe("the schedule of attempts", () => {
  it("is that of Standard Webhooks, and then nothing", () => {
    assert.deepStrictEqual(seconds.map((_, index) => secondsAfter(index + 1, 0)), seconds)
    assert.isUndefined(secondsAfter(10, 0))
    assert.isUndefined(secondsAfter(11, 0))
  })

  it("is never early, and late by a tenth at most", () => {
    assert.deepStrictEqual(secondsAfter(2, 0.5), 315)
    assert.deepStrictEqual(secondsAfter(2, 1), 330)
  })

  it("counts from the end of the attempt, and keeps a Retry-After of a day at most", () => {
    const attempt = { at: EpochMillis.make(1_000_000), durationMillis: 10_000 }
    const after = (failed: number, retryAfterSeconds?: number) => {
      const posted = retryAfterSeconds === undefined ? attempt : { ...attempt, retryAfterSeconds }
      const next = nextAttemptAt(posted, failed, 0)
      return next === undefined ? undefined : (next - attempt.at) / 1_000
    }
    assert.strictEqual(after(1), 15)
    assert.strictEqual(after(1, 3), 15)
    assert.strictEqual(after(1, 120), 130)
    assert.strictEqual(after(1, 999_999_999), 24 * hour + 10)
    assert.isUndefined(after(10, 120))
  })
})
