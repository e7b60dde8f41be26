import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { EpochMillis, toIsoDate } from "#domain/Time.ts"

describe("toIsoDate", () => {
  it.effect.each(
    [
      [0, "1970-01-01T00:00:00+00:00"],
      [1_785_333_864_000, "2026-07-29T14:04:24+00:00"],
      [1_785_333_864_842, "2026-07-29T14:04:24.842+00:00"],
      [1_785_333_864_840, "2026-07-29T14:04:24.84+00:00"],
      [1_785_333_864_800, "2026-07-29T14:04:24.8+00:00"],
      [1_785_333_864_002, "2026-07-29T14:04:24.002+00:00"],
      [1_785_333_860_000, "2026-07-29T14:04:20+00:00"],
    ] as const,
  )(
    "writes %s as %s",
    ([millis, text]) => Effect.sync(() => assert.strictEqual(toIsoDate(EpochMillis.make(millis)), text)),
  )

  it.effect.prop("writes the same moment for every time", [EpochMillis], ([millis]) =>
    Effect.sync(() => {
      const moment = EpochMillis.make(millis % 253_402_300_800_000)
      assert.strictEqual(Date.parse(toIsoDate(moment)), moment)
    }))
})
