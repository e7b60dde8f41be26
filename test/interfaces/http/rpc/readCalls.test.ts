import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { readCalls } from "#interfaces/http/rpc/readCalls.ts"

const most = 3

/** Each item as what it is for: `id method params`, or the code of its error. */
const items = (body: string) =>
  Result.match(readCalls(body, most), {
    onFailure: ({ code }) => code,
    onSuccess: ({ items }) =>
      items.map((item) =>
        Result.match(item, {
          onFailure: ({ error, id }) => `${id} ${error.code}`,
          onSuccess: ({ id, method, params }) => `${id} ${method} ${params}`,
        })
      ),
  })

const call = (members: string) => `{"jsonrpc":"2.0",${members}}`

const rows: ReadonlyArray<readonly [what: string, body: string, expected: unknown]> = [
  ["no JSON", "{", -32700],
  ["nothing", "", -32700],
  ["JSON nested without an end", "[".repeat(30_000) + "]".repeat(30_000), -32700],
  ["an empty batch", " [ ] ", -32600],
  ["a batch that is too large", `[${Array(4).fill(call('"method":"m","id":1')).join()}]`, -32010],
  ["a call with positional parameters", call('"id":"a","method":"m","params":[1.50, {}]'), [
    '"a" m [1.50, {}]',
  ]],
  ["a call with named parameters", call('"id":1,"method":"m","params":{"a":1}'), ['1 m {"a":1}']],
  ["a call without parameters", call('"id":-1,"method":"m"'), ["-1 m undefined"]],
  ["a call whose parameters are null", call('"id":1,"method":"m","params":null'), ["1 m undefined"]],
  ["an id that no double holds", call('"id":12345678901234567890,"method":"m"'), [
    "12345678901234567890 m undefined",
  ]],
  ["an id of null, which is one", call('"id":null,"method":"m"'), ["null m undefined"]],
  ["a notification", call('"method":"m"'), ["undefined m undefined"]],
  ["an encoded method", call('"id":1,"m\\u0065thod":"\\u006d"'), ["1 m undefined"]],
  ["a batch", `[${call('"id":1,"method":"m"')},1,${call('"id":2')}]`, [
    "1 m undefined",
    "undefined -32600",
    "2 -32600",
  ]],
  ["a number", "7", ["undefined -32600"]],
  ["text", '"jsonrpc"', ["undefined -32600"]],
  ["another version", '{"jsonrpc":"1.0","id":1,"method":"m"}', ["1 -32600"]],
  ["no version", '{"id":1,"method":"m"}', ["1 -32600"]],
  ["a method that is no text", call('"id":1,"method":{}'), ["1 -32600"]],
  ["no method", call('"id":1'), ["1 -32600"]],
  ["an id that is none", call('"id":{},"method":"m"'), ["undefined -32600"]],
  ["an id of true", call('"id":true,"method":"m"'), ["undefined -32600"]],
  ["parameters that are none", call('"id":1,"method":"m","params":"a"'), ["1 -32600"]],
  ["prototype names", call('"id":1,"method":"constructor","params":{"__proto__":1}'), [
    '1 constructor {"__proto__":1}',
  ]],
]

describe("readCalls", () => {
  for (const [what, body, expected] of rows) {
    it(`reads ${what}`, () => assert.deepStrictEqual<unknown>(items(body), expected))
  }

  it("knows a batch from a call, also where it has one item", () => {
    const one = call('"id":1,"method":"m"')
    const isBatch = (body: string) => Result.map(readCalls(body, most), ({ isBatch }) => isBatch)
    assert.deepStrictEqual(isBatch(one), Result.succeed(false))
    assert.deepStrictEqual(isBatch(`[${one}]`), Result.succeed(true))
  })
})
