import { assert, describe, it } from "@effect/vitest"
import { listField, nameItem, stringItem } from "#interfaces/requests/structuredFields.ts"

describe("The items of structured fields (RFC 9651)", () => {
  it.each([
    ["near-intents", "near-intents"],
    ["*", "*"],
    ["", '""'],
    ["1st", '"1st"'],
    ["a b", '"a b"'],
    ['a"b\\', '"a\\"b\\\\"'],
    ["limit[]", '"limit[]"'],
    ["größe\r\nSet-Cookie: x", '%"gr%c3%b6%c3%9fe%0d%0aSet-Cookie: x"'],
    ['\u0000%"', '%"%00%25%22"'],
  ])("has the name %j as %s", (name, item) => assert.strictEqual(nameItem(name), item))

  it("has a string in quotes also where it would be a token", () => {
    assert.strictEqual(stringItem("ok"), '"ok"')
    assert.strictEqual(listField(["a", stringItem("b")]), 'a, "b"')
  })
})
