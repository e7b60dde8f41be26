import { assert, describe, it } from "@effect/vitest"
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { twox128, twox64 } from "#domain/chains/payload/twox.ts"

/** The hash as it is usually written, the highest byte first. */
const usual = (text: string): string => bytesToHex(twox64(utf8ToBytes(text)).toReversed())

describe("the hashes of storage keys", () => {
  it("are those of the hash's public test vectors, of every length", () => {
    for (
      const [text, hash] of [
        ["", "ef46db3751d8e999"],
        ["a", "d24ec4f1a98c6e5b"],
        ["abc", "44bc2cf5ad770999"],
        ["Nobody inspects the spammish repetition", "fbcea83c8a378bf1"],
      ] as const
    ) assert.strictEqual(usual(text), hash, text)
  })

  it("make the keys that every node of this kind has", () => {
    const keyOf = (module: string, item: string) => bytesToHex(concatBytes(twox128(module), twox128(item)))
    assert.strictEqual(
      keyOf("System", "Events"),
      "26aa394eea5630e07c48ae0c9558cef780d41e5e16056765bc8461851072c9d7",
    )
    assert.strictEqual(
      keyOf("Timestamp", "Now"),
      "f0c365c3cf59d671eb72da0e7a4113c49f1f0515f462cdcf84e0f1d6045dfcbb",
    )
  })
})
