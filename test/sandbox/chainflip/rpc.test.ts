import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { startSandbox } from "../support.ts"

const node = "/chainflip/node"
const call = (id: unknown, method: string, params?: unknown) => ({ jsonrpc: "2.0", id, method, params })

describe("the JSON-RPC servers", () => {
  it.effect("answer a single call with an object and the caller's id", () =>
    Effect.gen(function* () {
      const client = yield* startSandbox()
      const { json, status } = yield* client.send("POST", node, call("one", "cf_lending_pools", []))
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(json, { jsonrpc: "2.0", id: "one", result: [] })
    }))

  it.effect("answer a batch with an array, call by call, faults among results", () =>
    Effect.gen(function* () {
      const client = yield* startSandbox()
      const { json } = yield* client.send("POST", node, [
        call("a", "cf_lending_pools", [null]),
        call("b", "cf_nothing", []),
        { id: "c" },
        call(4, "cf_lending_pools", {}),
      ])
      assert.deepStrictEqual(json, [
        { jsonrpc: "2.0", id: "a", result: [] },
        { jsonrpc: "2.0", id: "b", error: { code: -32601, message: "Method not found" } },
        { jsonrpc: "2.0", id: null, error: { code: -32600, message: "Invalid request" } },
        { jsonrpc: "2.0", id: 4, result: [] },
      ])
    }))

  const broken: ReadonlyArray<readonly [string, string, number, string]> = [
    ["a body that is not JSON", "{", -32700, "Parse error"],
    ["an empty batch", "[]", -32600, "Invalid request"],
    ["a body that is no call", "5", -32600, "Invalid request"],
  ]
  it.effect.each(broken)(
    "answer %s with an error and no id",
    ([, body, code, message]) =>
      Effect.gen(function* () {
        const client = yield* startSandbox()
        const { json, status } = yield* client.send("POST", node, body)
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(json, { jsonrpc: "2.0", id: null, error: { code, message } })
      }),
  )

  it.effect("take nothing but POST", () =>
    Effect.gen(function* () {
      const client = yield* startSandbox()
      assert.strictEqual((yield* client.get(node)).status, 405)
      assert.strictEqual((yield* client.get("/chainflip/broker")).status, 405)
    }))

  it.effect("refuse a body of more than a mebibyte", () =>
    Effect.gen(function* () {
      const client = yield* startSandbox()
      assert.strictEqual((yield* client.send("POST", node, " ".repeat(1_048_577))).status, 413)
    }))
})
