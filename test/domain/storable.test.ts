import { assert, describe, it } from "@effect/vitest"
import { keepBody } from "#domain/swaps/Journal.ts"
import { parseStorable, storableJson, storableText } from "#domain/storable.ts"

const zero = "\0"
const high = "\ud83d"
const low = "\ude00"

describe("Text that is stored", () => {
  it("has U+FFFD for each zero character and each half of a pair", () => {
    assert.strictEqual(storableText(`a${zero}b${high}c${low}${zero}`), "a\uFFFDb\uFFFDc\uFFFD\uFFFD")
    assert.strictEqual(storableText(`${high}${low} 日本 \t\n`), "😀 日本 \t\n")
  })

  it("is so everywhere in JSON, names included, however the escapes are written", () => {
    const json = String
      .raw`{"a\u0000":["\uD83D","\ud83d\ude00",{"b":"\u0000\uDE00"}],"c":1,"d":null,"e":true}`
    const value = { "a\uFFFD": ["\uFFFD", "😀", { b: "\uFFFD\uFFFD" }], c: 1, d: null, e: true }
    assert.deepStrictEqual(parseStorable(json), value)
    assert.deepStrictEqual(JSON.parse(storableJson(json)), value)
  })

  it("leaves JSON as it is that holds neither, and what only looks like an escape", () => {
    const json = String.raw`{"a":"\\u0000","b":"\ud83d\ude00", "c" : 10000000000000000001 }`
    assert.deepStrictEqual(parseStorable(json), { a: "\\u0000", b: "😀", c: 10_000_000_000_000_000_001 })
    const plain = `{"c" : 10000000000000000001 }`
    assert.strictEqual(storableJson(plain), plain)
  })

  it("is what is kept of a body", () => {
    assert.deepStrictEqual(keepBody(`a${zero}${high}`), { text: "a\uFFFD\uFFFD", length: 3 })
  })
})
