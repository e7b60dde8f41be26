import { assert, describe, it } from "@effect/vitest"
import { failingSince } from "#interfaces/dashboard/providers/healthNote.tsx"
import { EpochMillis } from "#domain/Time.ts"
import type { Hour } from "#interfaces/pages/values.tsx"

const day = (...hours: ReadonlyArray<Hour>) => ({
  hours: hours.map((was, index) => ({
    at: EpochMillis.make(index),
    was,
    calls: 1,
    failed: 0,
    refused: 0,
    rejected: 0,
  })),
})

describe("the hour since which a provider fails", () => {
  it("is the first of the failing ones that go on until now, whatever hours had no calls", () => {
    assert.strictEqual(failingSince(day("failing", "fine", "failing", "none", "failing", "none")), 2)
    assert.strictEqual(failingSince(day("failing", "failing")), 0)
  })

  it("is none where the last calls went well, or none was made", () => {
    assert.isUndefined(failingSince(day("failing", "slow", "none")))
    assert.isUndefined(failingSince(day("fine")))
    assert.isUndefined(failingSince(day("none")))
    assert.isUndefined(failingSince(day()))
  })
})
