import { assert, describe, it } from "#test/support/it.ts"
import { Array, Effect } from "effect"
import { TestClock } from "effect/testing"
import { warnSparsely } from "#infrastructure/platform/rateLimitedLog.ts"
import { collectLogs } from "#test/support/collectLogs.ts"

describe("warnings of one kind", () => {
  it.effect("are so many a second, and tell how many were left out", function* () {
    const flood = Effect.forEach(
      Array.range(1, 17_868),
      (number) => warnSparsely("a test's flood", 2, `line ${number}`),
      { discard: true },
    )
    const { lines } = yield* collectLogs(Effect.gen(function* () {
      yield* flood
      yield* warnSparsely("another kind", 2, "of another kind")
      yield* TestClock.adjust("1 second")
      yield* flood
    }))
    assert.deepStrictEqual(lines, [
      "line 1",
      "line 2",
      "of another kind",
      "line 1 (17866 more like this were left out)",
      "line 2",
    ])
  })

  it.effect("go on at once where the clock was set back", function* () {
    const { lines } = yield* collectLogs(Effect.gen(function* () {
      yield* TestClock.adjust("1 hour")
      yield* warnSparsely("a test's clock", 1, "before")
      yield* warnSparsely("a test's clock", 1, "too many")
      yield* TestClock.setTime(0)
      yield* warnSparsely("a test's clock", 1, "after")
    }))
    assert.deepStrictEqual(lines, ["before", "after (1 more like this were left out)"])
  })
})
