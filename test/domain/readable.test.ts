import { assert, describe, it } from "@effect/vitest"
import { isReadable } from "#domain/readable.ts"

/** One of each kind that no reader sees: fillers, joiners, marks of direction, tags, selectors, blanks, controls. */
const unseen = [
  0x3164,
  0x115f,
  0x1160,
  0xffa0,
  0x2800,
  0x034f,
  0x00ad,
  0x061c,
  0x17b4,
  0x180b,
  0x180e,
  0x200b,
  0x200d,
  0x202e,
  0x2028,
  0x2060,
  0x2064,
  0x2069,
  0xfe00,
  0xfe0f,
  0xfeff,
  0xe0041,
  0xe0100,
  0x1d173,
  0x0000,
  0x0085,
  0xd800,
]

describe("a text that people read", () => {
  it("has no character that nobody sees, alone or among others", () => {
    for (const code of unseen) {
      const character = String.fromCodePoint(code)
      for (const text of [character, `wallet${character}one`, `${character}a`]) {
        assert.isFalse(isReadable(text), `U+${code.toString(16)}`)
      }
    }
  })

  it("has something to see", () => {
    for (const text of ["", " ", "\u0301", "\u3000"]) assert.isFalse(isReadable(text))
  })

  it("is in any writing, with marks, signs and pictures", () => {
    for (
      const text of [
        "Acme",
        "Größe 7",
        "東京",
        "한국",
        "दिल्ली",
        "שלום",
        "Z\u0301",
        "❤\ufe0f App",
        "🦊",
        "✈\ufe0f",
        "$",
        "¼",
      ]
    ) {
      assert.isTrue(isReadable(text), text)
    }
  })

  it("is read in one pass, however long it is", () => {
    assert.isFalse(isReadable(`${"❤\ufe0f".repeat(32_000)}\u3164`))
  })
})
