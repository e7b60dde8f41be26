import { assert, describe, it } from "@effect/vitest"
import { distanceWithin } from "#domain/nearest.ts"

describe("distanceWithin", () => {
  it.each(
    [
      ["", "", 0],
      ["price", "price", 0],
      ["price", "pice", 1],
      ["price", "pprice", 1],
      ["price", "prixe", 1],
      ["price", "pirce", 1],
      ["price", "rpcie", 2],
      ["price", "slice", 2],
      ["", "ab", 2],
    ] as const,
  )("needs as many steps from %s to %s as %i, either way", (one, other, steps) => {
    for (const [from, to] of [[one, other], [other, one]] as const) {
      assert.isTrue(distanceWithin(from, to, steps))
      assert.isFalse(distanceWithin(from, to, steps - 1))
    }
  })
})
