import { assert, describe, it } from "@effect/vitest"
import { parseJson } from "./Json.ts"
import { resolve, schemaFaults } from "./JsonSchema.ts"

const document = parseJson(`{"schemas":{"Amount":{"type":"string","pattern":"^[0-9]+$","minLength":1}}}`)

/** A schema, a value that fits and those that do not. */
const rows: ReadonlyArray<readonly [schema: string, fits: string, misfits: ReadonlyArray<string>]> = [
  [`{"type":"integer","minimum":0,"maximum":5}`, "5", ["6", "-1", "1.5", `"1"`, "null"]],
  [`{"type":"number","exclusiveMinimum":0}`, "0.5", ["0", "true"]],
  [`{"type":["string","null"]}`, "null", ["1"]],
  [`{"enum":["a","b"]}`, `"b"`, [`"c"`, "1"]],
  [`{"$ref":"#/schemas/Amount"}`, `"12"`, [`""`, `"-1"`, "12"]],
  [`{"type":"array","items":{"$ref":"#/schemas/Amount"}}`, `["1","2"]`, [`["1",2]`, "{}"]],
  [`{"type":"array","maxItems":1}`, "[1]", ["[1,2]"]],
  [`{"type":"object","required":["a"],"properties":{"a":{"type":"boolean"}}}`, `{"a":true,"b":1}`, [
    "{}",
    `{"a":1}`,
    "[]",
  ]],
  [`{"type":"object","additionalProperties":{"type":"string"}}`, `{"a":"x"}`, [`{"a":1}`]],
  [`{"type":"object","properties":{},"additionalProperties":false}`, "{}", [`{"a":1}`]],
  [`{"anyOf":[{"type":"string"},{"type":"boolean"}]}`, "true", ["1"]],
  [`{"allOf":[{"type":"integer"},{"minimum":2}]}`, "2", ["1", "2.5"]],
]

describe("the JSON Schema check of the contract tests", () => {
  for (const [schema, fits, misfits] of rows) {
    it(`finds what does not fit ${schema}`, () => {
      assert.deepStrictEqual(schemaFaults(document, parseJson(schema), parseJson(fits)), [])
      for (const misfit of misfits) {
        assert.isNotEmpty(schemaFaults(document, parseJson(schema), parseJson(misfit)), misfit)
      }
    })
  }

  it("does not pass over a keyword that it does not know", () => {
    assert.isNotEmpty(schemaFaults(document, parseJson(`{"multipleOf":2}`), parseJson("2")))
  })

  it("does not follow a reference that leads nowhere", () => {
    assert.throws(() => resolve(document, "#/schemas/Nothing"))
    assert.throws(() => resolve(document, "https://example.com/schema"))
  })
})
