import { assert, describe } from "@effect/vitest"
import { eachInSandbox, inSandbox } from "../inSandbox.ts"

const node = "/chainflip/node"
const call = (id: unknown, method: string, params?: unknown) => ({ jsonrpc: "2.0", id, method, params })

describe("the JSON-RPC servers", () => {
  inSandbox("answer a single call with an object and the caller's id", function* (client) {
    const { json, status } = yield* client.send("POST", node, call("one", "cf_lending_pools", []))
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(json, { jsonrpc: "2.0", id: "one", result: [] })
  })

  inSandbox("answer a batch with an array, call by call, faults among results", function* (client) {
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
  })

  const broken: ReadonlyArray<readonly [string, string, number, string]> = [
    ["a body that is not JSON", "{", -32700, "Parse error"],
    ["an empty batch", "[]", -32600, "Invalid request"],
    ["a body that is no call", "5", -32600, "Invalid request"],
  ]
  eachInSandbox(broken)("answer %s with an error and no id", function* (client, [, body, code, message]) {
    const { json, status } = yield* client.send("POST", node, body)
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(json, { jsonrpc: "2.0", id: null, error: { code, message } })
  })

  inSandbox("take nothing but POST", function* (client) {
    assert.strictEqual((yield* client.get(node)).status, 405)
    assert.strictEqual((yield* client.get("/chainflip/broker")).status, 405)
  })

  inSandbox("refuse a body of more than a mebibyte", function* (client) {
    assert.strictEqual((yield* client.send("POST", node, " ".repeat(1_048_577))).status, 413)
  })
})
