import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { call, type Options, withOwnBroker } from "./support/call.ts"
import { find, integerAt, type Json, listAt, textAt } from "./support/Json.ts"
import { assertMembers, list, text, time } from "./support/members.ts"
import { issue, newAccount, operate } from "./support/operator.ts"
import { assertFailure, faultyParameters } from "./support/problem.ts"
import { post, rpcCall } from "./support/rpc.ts"
import { swapParameters } from "./support/swaps.ts"

/** What is told of failures, without times: endpoint, status, failure, count and parameters. */
const rows = (errors: Json) =>
  listAt(errors).map((one) => [
    textAt(one, "endpoint"),
    integerAt(one, "status"),
    textAt(one, "kind"),
    integerAt(one, "count"),
    find(one, "parameters"),
  ])

const own = (key: string) => Effect.map(call("GET", "/errors", { key }), ({ body }) => rows(body))

const secret = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"

withOwnBroker({ RATE_LIMIT_SWAP: "3" })("the failed requests of an account", (it) => {
  it.effect("are listed by endpoint, status and kind, for the account and for the operator", function* () {
    const account = yield* newAccount()
    const { key } = yield* issue(account)
    const asked = (options: Options) => call("GET", "/swap", { ...options, key })
    yield* asked({ query: { boostFee: "101" } })
    yield* asked({ query: { ...swapParameters, boostFee: "many" } })
    yield* call("GET", "/operator/accounts", { key })
    yield* call("GET", "/status-by-id", { key, query: { swapId: "999999" } })
    const found = yield* call("GET", "/errors", { key })
    assert.strictEqual(found.status, 200)
    assert.deepStrictEqual(rows(found.body), [
      ["openSwap", 400, "InvalidRequest", 2, [
        "boostFee",
        "destinationAddress",
        "destinationAsset",
        "sourceAsset",
      ]],
      ["getStatusById", 404, "SwapNotFound", 1, []],
      ["listAccounts", 403, "ScopeMissing", 1, []],
    ])
    for (const one of listAt(found.body)) {
      assertMembers(one, {
        endpoint: text,
        status: () => true,
        kind: text,
        count: () => true,
        lastAt: time,
        parameters: list,
        example: text,
      }, ["code"])
    }
    assert.deepStrictEqual(yield* operate("GET", `/accounts/${account}/errors`), found.body)
  })

  it.effect("have limits among them, and calls of the face for the upstream's clients", function* () {
    const { key } = yield* issue(yield* newAccount())
    // It counts as an opening, so it goes before those that use the limit up.
    yield* post(rpcCall("broker_request_swap_parameter_encoding", { boost_fee: secret }), { key })
    const answers = yield* Effect.forEach([1, 2, 3, 4], () => call("GET", "/swap", { key }))
    const limited = answers.filter(({ status }) => status === 429).length
    assert.isAtLeast(limited, 1)
    yield* post(rpcCall("no_such_method"), { key })
    assert.sameDeepMembers((yield* own(key)).map((row) => row.slice(0, 4)), [
      ["openSwap", 400, "InvalidRequest", 4 - limited],
      ["openSwap", 429, "LimitReached", limited],
      ["callRpc", 400, "JSON-RPC -32602", 1],
      ["callRpc", 400, "JSON-RPC -32601", 1],
    ])
  })

  it.effect("hold no value and no name that a request brought", function* () {
    const account = yield* newAccount()
    const { key } = yield* issue(account)
    const marks = ["wunderbar", "Zweitausend-Mark", secret, "0x2222222222222222222222222222222222222222"]
    for (const mark of marks) {
      yield* call("GET", "/quotes", { key, query: { sourceAsset: mark, amount: mark, [mark]: mark } })
      yield* call("POST", "/swap", { key, body: { ...swapParameters, [mark]: mark, refundaddres: mark } })
      yield* call("POST", "/webhooks", { key, body: { url: mark, types: [mark], [mark]: 1 } })
      yield* call("GET", `/webhooks/${encodeURIComponent(mark)}`, { key })
      yield* call("GET", "/swap", { key, headers: { "idempotency-key": `${mark}\u00e9` } })
      yield* post(rpcCall("broker_request_swap_deposit_address", { [mark]: mark, boost_fee: mark }), { key })
    }
    const { text: told } = yield* call("GET", "/errors", { key })
    for (const mark of marks) assert.notInclude(told.toLowerCase(), mark.toLowerCase())
    assert.include(told, "(other)")
  })

  it.effect("are nobody else's", function* () {
    const [one, other] = [yield* newAccount(), yield* newAccount()]
    const { key } = yield* issue(one)
    const { key: stranger } = yield* issue(other)
    yield* call("GET", "/quotes", { key })
    assert.deepStrictEqual(yield* own(stranger), [])
    assertFailure(yield* call("GET", `/operator/accounts/${one}/errors`, { key: stranger }), 403)
    assertFailure(yield* call("GET", "/operator/accounts/nobody/errors"), 404)
    const { key: quoting } = yield* issue(one, { scopes: ["quote"] })
    assertFailure(yield* call("GET", "/errors", { key: quoting }), 403)
  })

  it.effect("are asked for by time, with every fault told at once", function* () {
    const account = yield* newAccount()
    const { key } = yield* issue(account)
    yield* call("GET", "/quotes", { key })
    const hour = 3_600_000
    const now = Date.now()
    const within = (query: Readonly<Record<string, string>>) =>
      Effect.map(call("GET", `/operator/accounts/${account}/errors`, { query }), ({ body }) => rows(body))
    assert.lengthOf(yield* within({ from: `${now}` }), 1)
    assert.deepStrictEqual(yield* within({ to: `${now - 2 * hour}` }), [])
    assert.deepStrictEqual(yield* within({ from: `${now + 2 * hour}`, to: `${now + 3 * hour}` }), [])
    const wrong = yield* call("GET", "/errors", { key, query: { from: "x", to: "-1", limit: "501" } })
    assert.deepStrictEqual(faultyParameters(wrong), ["from", "limit", "to"])
    const reversed = yield* call("GET", "/errors", { key, query: { from: "2", to: "1" } })
    assert.deepStrictEqual(faultyParameters(reversed), ["from"])
  })
})
