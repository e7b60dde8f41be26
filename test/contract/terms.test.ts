import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { brokerUrl } from "#test/support/broker.ts"
import { brokerAccounts } from "./support/addresses.ts"
import { call, get, withBroker } from "./support/call.ts"
import { numberAt } from "./support/Json.ts"
import { payloadParameters } from "./support/payloads.ts"
import { issue, newAccount, operate } from "./support/operator.ts"
import { assertFailure, faultyParameters } from "./support/problem.ts"
import { openSwap, recordOf, swapParameters } from "./support/swaps.ts"

const accountWithKey = Effect.fnUntraced(function* (terms: Readonly<Record<string, unknown>>) {
  const account = yield* newAccount(terms)
  return { account, ...(yield* issue(account)) }
})

const affiliate = { affiliate1: brokerAccounts[0], affiliate1CommissionBps: "5" }

withBroker()("the terms of an account", (it) => {
  it.effect("set its default commission, a change of which holds for the next swap", function* () {
    const { account, key } = yield* accountWithKey({ commissionBps: 20 })
    const charged = Effect.gen(function* () {
      const record = yield* recordOf(yield* openSwap({}, { key }), { key })
      return numberAt(record, "status", "depositChannel", "brokerCommissionBps")
    })
    assert.strictEqual(yield* charged, "20")
    yield* operate("PATCH", `/accounts/${account}`, { commissionBps: 35 })
    assert.strictEqual(yield* charged, "35")
  })

  it.effect("allow affiliates or not", function* () {
    const { account, key } = yield* accountWithKey({ affiliates: false })
    const query = swapParameters(affiliate)
    assert.deepStrictEqual(faultyParameters(yield* call("GET", "/swap", { key, query })), ["affiliate1"])
    yield* openSwap({}, { key })
    yield* operate("PATCH", `/accounts/${account}`, { affiliates: true })
    yield* openSwap(affiliate, { key })
  })

  it.effect("say from which pages it may be called", function* () {
    const { account, key } = yield* accountWithKey({ allowedOrigins: ["https://app.example"] })
    const from = (origin: string) => ({ key, headers: { origin } })
    yield* get("/swaps", {}, { key })
    yield* get("/swaps", {}, from("https://app.example"))
    assertFailure(yield* call("GET", "/swaps", from("https://other.example")), 403)
    yield* operate("PATCH", `/accounts/${account}`, { allowedOrigins: "*" })
    yield* get("/swaps", {}, from("https://other.example"))
  })

  it.effect("begin no swap but for a page that is listed (decision 46)", function* () {
    const { account, key } = yield* accountWithKey({ allowedOrigins: ["https://app.example"] })
    const listed = { origin: "https://app.example", "sec-fetch-site": "cross-site" }
    const nowhere: ReadonlyArray<Readonly<Record<string, string>>> = [
      {},
      { "sec-fetch-site": "cross-site", "sec-fetch-dest": "image" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "none" },
      { "sec-fetch-site": "same-origin" },
      { origin: "null" },
      { origin: "https://other.example" },
    ]
    const begin = (
      path: string,
      query: Readonly<Record<string, string>>,
      headers: Readonly<Record<string, string>>,
    ) => call("GET", path, { query: { ...query, apiKey: key }, key: null, headers })
    const payload = payloadParameters("evm")
    for (const headers of nowhere) {
      assertFailure(yield* begin("/swap", swapParameters(), headers), 403)
      assertFailure(yield* begin("/tx-payload/evm", payload, headers), 403)
      const body = { jsonrpc: "2.0", id: 1, method: "broker_requestSwapDepositAddress", params: {} }
      assertFailure(yield* call("POST", `/rpc/${key}`, { key: null, headers, body }), 403)
    }
    assert.strictEqual((yield* begin("/swap", swapParameters(), listed)).status, 200)
    assert.strictEqual((yield* begin("/tx-payload/evm", payload, listed)).status, 200)
    const { origin } = yield* brokerUrl
    yield* operate("PATCH", `/accounts/${account}`, { allowedOrigins: ["https://app.example", origin] })
    const own = { "sec-fetch-site": "same-origin" }
    assert.strictEqual((yield* begin("/swap", swapParameters(), own)).status, 200)
    yield* get("/swaps", {}, { key })
    yield* operate("PATCH", `/accounts/${account}`, { allowedOrigins: [] })
    yield* openSwap({}, { key })
    const image = { "sec-fetch-site": "cross-site" }
    assertFailure(yield* begin("/swap", swapParameters(), image), 403)
  })
})
