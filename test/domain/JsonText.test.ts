import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Option, Schema } from "effect"
import {
  isListText,
  isObjectText,
  itemsOf,
  type JsonText,
  membersOf,
  parseJsonText,
  readExactly,
  repeatedMembers,
} from "#domain/JsonText.ts"

const parsed = (text: string): JsonText => Option.getOrThrow(parseJsonText(text))

/** Puts JSON together again out of its parts, at every depth. */
const rebuilt = (json: JsonText): string => {
  if (isListText(json)) return `[${itemsOf(json).map(rebuilt).join(",")}]`
  if (!isObjectText(json)) return json
  const members = [...membersOf(json)].map(([name, member]) => `${JSON.stringify(name)}:${rebuilt(member)}`)
  return `{${members.join(",")}}`
}

const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth)

describe("JsonText", () => {
  it.each(["", "{", "[1,]", "{a:1}", "'x'", "NaN", "1 2", "\u0000", "[1] x"])("is not made of %j", (text) => {
    assert.isTrue(Option.isNone(parseJsonText(text)))
  })

  it("has no spaces around it, and all of them within", () => {
    assert.strictEqual(parsed(' \n{"a": [1 , 2]}\t'), '{"a": [1 , 2]}')
  })

  it("is nested 32 levels deep at most, however much of it there is", () => {
    assert.isTrue(Option.isSome(parseJsonText(nested(32))))
    assert.isTrue(Option.isNone(parseJsonText(nested(33))))
    assert.isTrue(Option.isNone(parseJsonText(nested(30_000))))
    assert.isTrue(Option.isSome(parseJsonText(JSON.stringify("[".repeat(1_000)))))
  })

  it("gives the items of a list to the letter", () => {
    assert.deepStrictEqual<unknown>(itemsOf(parsed('[ 1.50 , "a,]b" ,{"x":[1,2]}, [ ] ,null]')), [
      "1.50",
      '"a,]b"',
      '{"x":[1,2]}',
      "[ ]",
      "null",
    ])
    assert.deepStrictEqual<unknown>(itemsOf(parsed("[ ]")), [])
    assert.deepStrictEqual<unknown>(itemsOf(parsed("{}")), [])
  })

  it.each(
    [
      ['{"a":1,"b":{"a":1},"c":[{"a":1},{"a":2}]}', []],
      ['{"a":1,"a":1}', ["a"]],
      ['{"a":1,"\\u0061":2,"a":3}', ["a"]],
      ['[{"x":{"a":1,"b":2,"a":3}}]', ["[0].x.a"]],
      ['{"a":{"b":1,"b":2},"a":1}', ["a", "a.b"]],
      ['{"__proto__":1,"__proto__":2}', ["__proto__"]],
      ['"a"', []],
    ] as const,
  )("tells which members of %s stand twice", (json, paths) => {
    assert.deepStrictEqual(repeatedMembers(parsed(json)), paths)
  })

  it("gives the members of an object to the letter, whatever their names hold", () => {
    const json = parsed('{"a:b" : 1e400, "c\\"}" :"\\\\", "\\u0064":{ "e": [0.10] },"__proto__":7, "a:b":2}')
    assert.deepStrictEqual<unknown>([...membersOf(json)], [
      ["a:b", "2"],
      ['c"}', '"\\\\"'],
      ["d", '{ "e": [0.10] }'],
      ["__proto__", "7"],
    ])
    assert.strictEqual(membersOf(parsed("[1]")).size, 0)
  })

  it("reads numbers that a double cannot hold, or that are written another way, as text", () => {
    const json = parsed(
      '[1, -7, 9007199254740993, 1.0, 1e3, -0, 0.1, "2", true, null, {"a": 340282366920938463463}]',
    )
    assert.deepStrictEqual(readExactly(json), [
      1,
      -7,
      "9007199254740993",
      "1.0",
      "1000",
      "-0",
      "0.1",
      "2",
      true,
      null,
      { a: "340282366920938463463" },
    ])
  })

  it.prop(
    "can be taken apart and put together again, whatever it is",
    [Arbitrary.schema(Schema.Json)],
    ([value]) => {
      const text = JSON.stringify(value)
      assert.deepStrictEqual(JSON.parse(rebuilt(parsed(JSON.stringify(value, null, 2)))), JSON.parse(text))
      assert.strictEqual(parsed(text), text)
    },
  )
})
