import { assert, describe, it } from "#test/support/it.ts"
import { Effect } from "effect"
import { EpochMillis } from "#domain/Time.ts"
import { barsOf, periodOf } from "#interfaces/dashboard/overview/period.ts"

const at = (text: string) => EpochMillis.make(Date.parse(text))
const shown = (millis: number) => new Date(millis).toISOString().slice(0, 16)

/** A Tuesday in the afternoon. */
const now = at("2026-11-24T14:12:00Z")

const rows = [
  ["24h", "2026-11-23T15:00", "2026-11-24T14:12", "2026-11-22T15:00", "2026-11-23T14:12", 24],
  ["7d", "2026-11-18T00:00", "2026-11-24T14:12", "2026-11-11T00:00", "2026-11-17T14:12", 7],
  ["last-week", "2026-11-16T00:00", "2026-11-23T00:00", "2026-11-09T00:00", "2026-11-16T00:00", 7],
  ["30d", "2026-10-26T00:00", "2026-11-24T14:12", "2026-09-26T00:00", "2026-10-25T14:12", 30],
  ["last-month", "2026-10-01T00:00", "2026-11-01T00:00", "2026-09-01T00:00", "2026-10-01T00:00", 31],
] as const

describe("a period of the overview", () => {
  for (const [name, from, before, comparedFrom, comparedBefore, bars] of rows) {
    it.effect(`${name} is of whole days or hours (UTC)`, function* () {
      const period = periodOf(name, now)
      assert.deepStrictEqual(
        [period.from, period.before, period.compared.from, period.compared.before].map(shown),
        [from, before, comparedFrom, comparedBefore],
      )
      assert.strictEqual(barsOf(period).length, bars)
      assert.strictEqual(period.goesOn, before === "2026-11-24T14:12")
      yield* Effect.void
    })
  }

  it.effect("begins a week on Monday, also on a Monday and a Sunday", function* () {
    assert.strictEqual(shown(periodOf("last-week", at("2026-11-23T00:00:00Z")).from), "2026-11-16T00:00")
    assert.strictEqual(shown(periodOf("last-week", at("2026-11-22T23:59:59Z")).from), "2026-11-09T00:00")
    yield* Effect.void
  })

  it.effect("is the last 7 days where the address names none, or something else", function* () {
    for (const name of [undefined, "", "8d", "toString", "__proto__"]) {
      assert.strictEqual(periodOf(name, now).name, "7d")
    }
    yield* Effect.void
  })

  it.effect("has a bar for the hour or the day that has just begun", function* () {
    assert.strictEqual(barsOf(periodOf("7d", at("2026-11-24T00:00:00Z"))).length, 6)
    assert.strictEqual(barsOf(periodOf("7d", at("2026-11-24T00:00:01Z"))).length, 7)
    yield* Effect.void
  })
})
