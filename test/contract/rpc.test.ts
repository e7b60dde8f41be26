import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { brokerInProcess, testKey } from "#test/support/broker.ts"
import { call, get, withBroker, withOwnBroker } from "./support/call.ts"
import { find, integerAt, listAt, numberAt, objectAt, textAt } from "./support/Json.ts"
import { issue, newAccount, operate } from "./support/operator.ts"
import { assertFailure, faultyParameters } from "./support/problem.ts"
import { ask, encodeMethod, errorOf, openMethod, openParams, post, resultOf, rpcCall } from "./support/rpc.ts"

const reading = [
  "cf_environment",
  "cf_swap_rate_v3",
  "cf_supported_assets",
  "cf_available_pools",
  "cf_boost_pools_depth",
] as const
const methods = [openMethod, encodeMethod, ...reading]

const openChannels = Effect.map(get("/sandbox"), (view) => integerAt(view, "openChannelCount"))

const bitcoin = { chain: "Bitcoin", asset: "BTC" }
const ether = { chain: "Ethereum", asset: "ETH" }

/** Bodies that are no calls, and the one error that answers for all of each. */
const noCalls: ReadonlyArray<readonly [what: string, body: string, code: number, message: string]> = [
  ["no JSON", "{", -32700, "Parse error"],
  ["nothing", "", -32700, "Parse error"],
  ["a batch of nothing", "[]", -32600, "Invalid request"],
  ["text", '"cf_environment"', -32600, "Invalid request"],
  ["no version", '{"id":1,"method":"cf_environment"}', -32600, "Invalid request"],
  [
    "more calls than a batch may have",
    JSON.stringify(Array(6).fill(rpcCall("x"))),
    -32010,
    "The batch request was too large",
  ],
]

withOwnBroker({ RPC_BATCH_MOST: "5" })("JSON-RPC 2.0 on /rpc/{apiKey}", (it) => {
  for (const [what, body, code, message] of noCalls) {
    it.effect(`answers ${what} with ${code}, and 200`, function* () {
      const { body: reply, status, text } = yield* post(body)
      assert.strictEqual(status, 200, text)
      assert.strictEqual(integerAt(reply, "error", "code"), code)
      assert.strictEqual(textAt(reply, "error", "message"), message)
      assert.isTrue(text.startsWith('{"jsonrpc":"2.0","id":') && find(reply, "result") === undefined, text)
    })
  }

  it.effect("answers a batch in its order, each call by its id, and nothing to notifications", function* () {
    const { body, status, text } = yield* post([
      rpcCall("cf_supported_assets", [], "a"),
      { jsonrpc: "2.0", method: "cf_supported_assets" },
      rpcCall("no_such_method", [], 12_345),
      1,
      rpcCall("cf_available_pools", undefined, null),
    ])
    assert.strictEqual(status, 200)
    const replies = listAt(body)
    assert.deepStrictEqual(replies.map((reply) => find(reply, "id")), ["a", find(body, 1, "id"), null, null])
    assert.strictEqual(numberAt(body, 1, "id"), "12345")
    assert.isNotEmpty(listAt(body, 0, "result"))
    assert.strictEqual(integerAt(body, 1, "error", "code"), -32601)
    assert.strictEqual(integerAt(body, 2, "error", "code"), -32600)
    assert.isNotEmpty(listAt(body, 3, "result"), text)
  })

  it.effect("answers a batch of one with a list, and an id as it was written", function* () {
    const { text } = yield* post('[{"jsonrpc":"2.0","id":12345678901234567890,"method":"nothing"}]')
    assert.strictEqual(
      text,
      '[{"jsonrpc":"2.0","id":12345678901234567890,"error":{"code":-32601,"message":"Method not found"}}]',
    )
  })

  it.effect("answers notifications with nothing, and does nothing for them", function* () {
    const before = yield* openChannels
    const notification = { jsonrpc: "2.0", method: openMethod, params: openParams() }
    for (const body of [notification, [notification, notification]]) {
      const { status, text } = yield* post(body)
      assert.strictEqual(status, 204)
      assert.strictEqual(text, "")
    }
    assert.strictEqual(yield* openChannels, before)
  })

  it.effect("knows no other method, by whatever name", function* () {
    for (
      const name of ["cf_account_info", "state_getRuntimeVersion", "broker_withdraw_fees", "constructor", ""]
    ) {
      assert.strictEqual((yield* errorOf(name, [])).code, -32601)
    }
  })
})

withBroker()("the node's methods on /rpc/{apiKey}", (it) => {
  it.effect("pass on what the node says", function* () {
    assert.deepInclude(listAt(yield* resultOf("cf_supported_assets")), bitcoin)
    const pools = listAt(yield* resultOf("cf_available_pools", {}))
    assert.deepInclude(pools, { base: ether, quote: { chain: "Ethereum", asset: "USDC" } })
    assert.match(textAt(yield* resultOf("cf_boost_pools_depth", []), 0, "available_amount"), /^0x[0-9a-f]+$/)
    const environment = yield* resultOf("cf_environment", [null])
    assert.hasAllKeys(objectAt(environment), ["ingress_egress", "swapping", "funding", "pools"])
    const minimums = objectAt(environment, "ingress_egress", "minimum_deposit_amounts")
    assert.strictEqual(numberAt(minimums, "Bitcoin", "BTC"), "40000")
    const rate = yield* resultOf("cf_swap_rate_v3", [bitcoin, ether, "0x989680", 25, null, null, null, null])
    assert.match(textAt(rate, "output"), /^0x[0-9a-f]+$/)
    assert.deepStrictEqual(find(rate, "egress_fee", "chain"), "Ethereum")
  })

  it.effect("pass on the node's own errors", function* () {
    const { code, error } = yield* errorOf("cf_swap_rate_v3", [bitcoin, ether, "0x0", 0])
    assert.strictEqual(code, -32602)
    assert.strictEqual(textAt(error, "message"), "Swap input amount cannot be zero.")
    assert.strictEqual((yield* errorOf("cf_swap_rate_v3", [])).code, -32602)
  })

  it.effect("say why they are not called while the provider is switched off, as openings do", function* () {
    const set = (enabled: boolean) =>
      call("POST", "/providers/chainflip/switch", { body: { enabled, reason: "a test" } })
    const asking = Effect.gen(function* () {
      // Neither calls of the node nor openings have such a code (decision 33).
      for (const method of ["cf_environment", openMethod]) {
        const { error } = yield* errorOf(method, method === openMethod ? openParams() : [])
        assert.strictEqual(integerAt(error, "code"), -32020)
        assert.include(textAt(error, "message"), "switched off by the operator: a test")
        assert.isUndefined(find(error, "data", "code"))
        assert.strictEqual(integerAt(error, "data", "status"), 503)
        assert.match(textAt(error, "data", "traceId"), /^[0-9a-f]{32}$/)
      }
    })
    yield* Effect.acquireUseRelease(set(false), () => asking, () => set(true))
    yield* resultOf("cf_environment")
  })
})

withBroker()("who may call /rpc/{apiKey}", (it) => {
  it.effect("is told before anything is read: 401, 413, 415, and 405 for another method", function* () {
    for (const key of ["a-key-that-nobody-was-ever-given-0123456789", `${testKey}x`, "%"]) {
      const answer = yield* post("{", { key })
      assertFailure(answer, 401)
      assert.strictEqual(answer.headers.get("www-authenticate"), "ApiKey")
    }
    assertFailure(yield* post(" ".repeat(70_000)), 413)
    assertFailure(yield* post("{}", { headers: { "content-type": "text/plain" } }), 415)
    assertFailure(yield* call("GET", `/rpc/${testKey}`, { key: null }), 405)
    assertFailure(yield* call("POST", "/rpc", { body: rpcCall("cf_environment") }), 404)
    assertFailure(yield* call("POST", `/rpc/${testKey}/more`, { key: null, body: {} }), 404)
  })

  it.effect("is one account: the same key twice is fine, another one is not", function* () {
    const body = rpcCall("cf_supported_assets")
    assert.strictEqual((yield* post(body, { headers: { "x-api-key": testKey } })).status, 200)
    const { key } = yield* issue(yield* newAccount())
    assert.deepStrictEqual(faultyParameters(yield* post(body, { headers: { "x-api-key": key } })), ["apiKey"])
  })

  it.effect("is decided by the scopes of all calls, before the first is made", function* () {
    const account = yield* newAccount()
    const quoting = yield* issue(account, { scopes: ["quote"] })
    const swapping = yield* issue(account, { scopes: ["swap"] })
    const before = yield* openChannels
    const open = rpcCall(openMethod, openParams())
    const encode = rpcCall(encodeMethod, [])
    for (const body of [open, encode, [rpcCall("cf_environment"), open]]) {
      assertFailure(yield* post(body, quoting), 403)
    }
    for (const method of reading) assertFailure(yield* post([open, rpcCall(method)], swapping), 403)
    assert.strictEqual(yield* openChannels, before)
    yield* resultOf("cf_supported_assets", [], quoting)
    yield* resultOf(openMethod, openParams(), swapping)
    assert.strictEqual((yield* errorOf("no_such_method", [], swapping)).code, -32601)
  })

  it.effect("is nobody of a suspended account", function* () {
    const account = yield* newAccount()
    const { key } = yield* issue(account)
    yield* operate("PATCH", `/accounts/${account}`, { suspended: true })
    for (const method of methods) assertFailure(yield* post(rpcCall(method), { key }), 403)
  })
})

layer(brokerInProcess({ PROVIDERS: "near-intents" }), { excludeTestServices: true })(
  "/rpc/{apiKey} where no provider speaks its protocol",
  (it) => {
    it.effect("says of every method that it is not available", function* () {
      for (const method of methods) {
        const { code, error } = yield* errorOf(method, [])
        assert.strictEqual(code, -32601)
        assert.strictEqual(
          textAt(error, "message"),
          "Method not available: no provider that speaks this protocol is enabled on this broker",
        )
      }
      assert.strictEqual(textAt(yield* ask("no_such_method"), "error", "message"), "Method not found")
    })
  },
)
