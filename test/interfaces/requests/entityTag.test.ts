import { assert, describe, it } from "@effect/vitest"
import { entityTag, isKnownTag } from "#interfaces/requests/compressible.ts"

const tag = '"abc-_1"'

const rows: ReadonlyArray<readonly [ifNoneMatch: string, isKnown: boolean]> = [
  [tag, true],
  [`W/${tag}`, true],
  [` ${tag} `, true],
  ["*", true],
  [" * ", true],
  [`"other", ${tag}`, true],
  [`"other",${tag}`, true],
  [`W/"other" , W/${tag},"third"`, true],
  [`"with, comma", ${tag}`, true],
  ["", false],
  ['"other"', false],
  ['"ABC-_1"', false],
  ["abc-_1", false],
  ['"abc-_1', false],
  ['"abc-_1 "', false],
  ['"other, abc-_1"', false],
  ["**", false],
  ['"*"', false],
]

describe("entityTag", () => {
  it("is strong, the same for the same body, and another for another", () => {
    assert.match(entityTag("a body"), /^"[\w-]{27}"$/)
    assert.strictEqual(entityTag("a body"), entityTag("a body"))
    assert.notStrictEqual(entityTag("a body"), entityTag("a body "))
  })
})

describe("isKnownTag", () => {
  for (const [ifNoneMatch, isKnown] of rows) {
    it(`${isKnown ? "finds" : "does not find"} ${tag} in If-None-Match: ${ifNoneMatch}`, () => {
      assert.strictEqual(isKnownTag(ifNoneMatch, tag), isKnown)
    })
  }
})
