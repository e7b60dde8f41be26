import { assert, describe, it } from "@effect/vitest"
import { startsWanted } from "#domain/swaps/Start.ts"

describe("The ways to begin that a caller wants", () => {
  it.each(
    [
      [["channel", "transaction"], "any", ["channel", "transaction"]],
      [["channel", "transaction"], "transaction", ["transaction", "channel"]],
      [["channel"], "channel", ["channel"]],
      [["channel"], "transaction", []],
      [["transaction"], "channel", []],
    ] as const,
  )("of %j, %s: %j", (starts, wish, expected) => {
    assert.deepStrictEqual(startsWanted(starts, wish), [...expected])
  })
})
