import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import { delayAfter } from "../../src/webhooks/schedule.ts"

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
})
