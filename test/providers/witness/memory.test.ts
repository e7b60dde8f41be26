import { assert, describe, it } from "@effect/vitest"
import { EpochMillis, ProviderName } from "#exports/domain.ts"
import type { WireMemory } from "#domain/operations/WireRound.ts"
import { remember } from "#providers/witness/WireWitness.ts"
import type { MetMember } from "#providers/witness/checkNotes.ts"

const member = (there: number, absent: number, pattern = "rows[*].fee"): MetMember => ({
  provider: ProviderName.make("upstream"),
  operation: "quote",
  call: "GET /quote",
  pattern,
  there,
  absent,
})

const hour = 3_600_000

/** What is gone in each of several rounds, an hour after each other. */
const goneIn = (rounds: ReadonlyArray<MetMember>): ReadonlyArray<boolean> => {
  let members: WireMemory["members"] = {}
  return rounds.map((met, index) => {
    const after = remember(members, [met], EpochMillis.make(index * hour))
    members = after.members
    return after.gone.length > 0
  })
}

describe("A member that is read where it is there", () => {
  it("is gone once it was in every answer before, and is in none", () => {
    assert.deepStrictEqual(goneIn([member(9, 0), member(9, 0), member(0, 9), member(0, 2), member(9, 0)]), [
      false,
      false,
      true,
      true,
      false,
    ])
  })

  it("is not gone where some answers had none, or have one", () => {
    assert.deepStrictEqual(goneIn([member(8, 1), member(0, 9)]), [false, false])
    assert.deepStrictEqual(goneIn([member(0, 9), member(9, 0), member(0, 9)]), [false, false, false])
    assert.deepStrictEqual(goneIn([member(9, 0), member(1, 8), member(0, 9)]), [false, false, false])
  })

  it("counts as left out for good after a day", () => {
    const gone = goneIn([member(9, 0), ...Array.from({ length: 30 }, () => member(0, 9))])
    assert.deepStrictEqual(gone.map((is, index) => is ? index : 0).filter((index) => index > 0).at(-1), 25)
  })

  it("is one of so many at most, whatever an upstream calls its members", () => {
    const many = Array.from({ length: 20_000 }, (_, index) => member(1, 0, `row${index}`))
    const { members } = remember({}, [...many, member(1, 0, "x".repeat(1_000))], EpochMillis.make(0))
    assert.strictEqual(Object.keys(members["GET /quote"] ?? {}).length, 5_000)
  })
})
