import { assert, describe, it } from "@effect/vitest"
import { contract } from "#tools/client/packages.ts"
import { planOf } from "#tools/client/operations.ts"
import { makeShapes } from "#tools/client/shapes.ts"
import { readJson, type Shape, type Shapes, writeJson } from "#tools/client/typescript/json.ts"
import { fromNative, toNative } from "#tools/client/typescript/amounts.ts"

const table: Shapes = makeShapes(planOf(contract())).table

/** Numbers that come out alike each time that they are asked for. */
const sequence = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor(state / 2 ** 32 * below)
  }
}

type Below = ReturnType<typeof sequence>

const digits = (below: Below, length: number): string =>
  Array.from({ length }, () => `${below(10)}`).join("").replace(/^0+(?=\d)/, "")

const decimalText = (below: Below): string => {
  const fraction = below(3) === 0 ? "" : `.${Array.from({ length: 1 + below(30) }, () => below(10)).join("")}`
  return `${below(9) === 0 ? "-" : ""}${digits(below, 1 + below(30))}${fraction}`
}

const words = ["", "12.50", '"1.0"', "\\", "9007199254740993", "\u{1f4b0}\n", '\\"3.14"', "__proto__"]

/** A JSON text, and what has to be read of it. */
interface Body {
  readonly text: string
  readonly value: unknown
}

/** Whitespace that JSON allows between its parts. */
const gap = (below: Below): string => [" ", "\n", "", "\t"][below(4)] ?? ""

const list = (below: Below, items: ReadonlyArray<Body>): Body => ({
  text: `[${gap(below)}${items.map(({ text }) => text).join(`${gap(below)},${gap(below)}`)}]`,
  value: items.map(({ value }) => value),
})

const bodyOf = (below: Below, shape: Shape | undefined, depth: number): Body => {
  if (shape === "d") {
    const text = decimalText(below)
    return { text, value: text }
  }
  if (shape === "n") {
    const text = `${below(5) === 0 ? "-" : ""}${digits(below, 1 + below(40))}`
    return { text: JSON.stringify(text), value: BigInt(text) }
  }
  if (typeof shape === "string") return bodyOf(below, table[shape], depth)
  if (shape === undefined) {
    const word = words[below(words.length)] ?? ""
    const huge = `${digits(below, 20)}1.5000`
    return [
      { text: JSON.stringify(word), value: word },
      { text: "null", value: null },
      { text: "1785337464000", value: 1_785_337_464_000 },
      // What no member of the contract is: a double would lose digits of it.
      { text: huge, value: huge },
    ][below(4)] ?? { text: "true", value: true }
  }
  const items = shape["[]"]
  if (items !== undefined) {
    const count = depth > 4 ? 0 : below(3)
    return list(below, Array.from({ length: count }, () => bodyOf(below, items, depth + 1)))
  }
  const members = [
    ...Object.entries(shape).filter(() => depth < 5 && below(3) > 0),
    // A member that is newer than the client.
    [`newer${below(9)}`, undefined] as const,
  ].map(([name, part]) => ({ name, body: bodyOf(below, part, depth + 1) }))
  return {
    text: `{${
      members.map(({ body, name }) => `${JSON.stringify(name)}${gap(below)}:${gap(below)}${body.text}`).join(
        ",",
      )
    }}`,
    value: Object.fromEntries(members.map(({ body, name }) => [name, body.value])),
  }
}

const read = (text: string, shape?: Shape): unknown => {
  const found = readJson(text, shape, table)
  return "fault" in found ? assert.fail(found.fault) : found.value
}

describe("bodies", () => {
  it("are read without losing a digit, 10,000 random ones of all kinds", () => {
    const below = sequence(4711)
    const names = Object.keys(table)
    for (let count = 0; count < 10_000; count++) {
      const { text, value } = bodyOf(below, names[count % names.length], 0)
      assert.deepStrictEqual(read(text, names[count % names.length]), value, text)
    }
  })

  it("have text or bigint wherever the contract has an amount, whatever the text of the number", () => {
    const quote = read('{"egressAmount":1,"egressAmountNative":"1000000000000000000","position":3}', "Quote")
    assert.deepStrictEqual(quote, { egressAmount: "1", egressAmountNative: 10n ** 18n, position: 3 })
  })

  it("are refused where an amount is none", () => {
    for (const amount of ['"1e"', "true", "[]", '""']) {
      assert.property(readJson(`{"egressAmount":${amount}}`, "Quote", table), "fault", amount)
    }
    assert.property(readJson('{"egressAmountNative":"1.5"}', "Quote", table), "fault")
    assert.property(readJson('{"includedFees":{}}', "Quote", table), "fault")
  })

  it("are JSON exactly where the runtime says so", () => {
    const texts = [
      ...[
        "01",
        "1.",
        ".5",
        "+1",
        "-",
        "--1",
        "1 2",
        "1e",
        "1e5",
        "-0",
        "1.5.5",
        "0x1",
        "NaN",
        "[1,]",
        "[1 2]",
      ],
      ...[
        "{}",
        '{"a":1,"a":2}',
        "tru1e",
        '"a',
        '"\\',
        "",
        "[",
        "1\u00a0",
        '["\\u12"]',
        '{"1":1}',
        "1-1",
        "12-3",
      ],
    ]
    const isJson = (text: string): boolean => {
      try {
        JSON.parse(text)
        return true
      } catch {
        return false
      }
    }
    assert.deepStrictEqual(
      texts.map((text) => "value" in readJson(text, undefined, table)),
      texts.map(isJson),
    )
  })

  it("cannot reach the prototypes of objects", () => {
    const body = read('{"__proto__":{"polluted":1.50},"constructor":{"prototype":2.50}}')
    assert.isFalse("polluted" in {})
    assert.strictEqual(
      writeJson(body),
      '{"__proto__":{"polluted":"1.50"},"constructor":{"prototype":"2.50"}}',
    )
  })

  it("are written with native amounts as text", () => {
    assert.strictEqual(
      writeJson({ amountNative: 2n ** 128n, amount: "0.25" }),
      `{"amountNative":"${2n ** 128n}","amount":"0.25"}`,
    )
  })
})

describe("amounts", () => {
  it("go from the smallest unit to a decimal and back", () => {
    for (
      const [decimal, decimals, native] of [
        ["0.25", 8, 25_000_000n],
        ["0", 18, 0n],
        [
          "123456789012345678901234567890.000000000000000001",
          18,
          123456789012345678901234567890000000000000000001n,
        ],
        ["-1.5", 6, -1_500_000n],
        ["7", 0, 7n],
      ] as const
    ) {
      assert.strictEqual(toNative(decimal, decimals), native)
      assert.strictEqual(fromNative(native, decimals), decimal)
    }
  })

  it("are refused where digits would be lost, or where it is no plain decimal", () => {
    for (const text of ["0.000000001", "1e5", "", ".5", "1.", "0x10", " 1"]) {
      assert.throws(() => toNative(text, 8), RangeError, undefined, text)
    }
  })
})
