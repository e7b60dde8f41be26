import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Option } from "effect"
import { type NodeCall, NodeReply, parseJsonText, type ProviderError } from "#exports/domain.ts"
import { type Answer, type Asked, providerOver } from "./fakeChainflip.ts"

const json = (text: string) => Option.getOrThrow(parseJsonText(text))

const call: NodeCall = { method: "cf_supported_assets" }

/** What the provider makes of the node's answer, and what the node was asked. */
const forwarded = (answer: Answer, asking: NodeCall = call) =>
  Effect.gen(function* () {
    const [{ node }, asked] = yield* providerOver({ [asking.method]: answer })
    assert.isDefined(node)
    const ended: ProviderError | NodeReply = yield* Effect.match(node(asking), {
      onSuccess: (reply) => reply,
      onFailure: (error) => error,
    })
    return { ended, asked }
  })

/** A body with the id of the call in it. */
const body = (write: (id: string) => string, status = 200): Answer => ({ call }: Asked) => ({
  status,
  body: write(JSON.stringify(call?.id)),
})

const result = (text: string) => NodeReply.Result({ json: json(text) })
const error = (text: string) => NodeReply.Error({ json: json(text) })

/** Numbers that a double does not hold, members whose order it would not keep, and spaces. */
const exact = '{"10": 340282366920938463463374607431768211455, "2": 1.10, "a" : [1e400, {"x": "\\u00e9]}"}]}'
const refusal = '{"code":-32602, "message":"Swap input amount cannot be zero.","data":{"n":1.0}}'

const replies: ReadonlyArray<readonly [what: string, answer: Answer, reply: NodeReply]> = [
  ["a result", body((id) => `{"jsonrpc":"2.0","id":${id},"result": ${exact} }`), result(exact)],
  ["a result of null", body((id) => `{"jsonrpc":"2.0","result":null,"id":${id}}`), result("null")],
  ["an error", body((id) => `{"jsonrpc":"2.0","id":${id},"error":${refusal}}`), error(refusal)],
  ["an error with a failure status", body((id) => `{"id":${id},"error":${refusal}}`, 500), error(refusal)],
  ["an error to a call that could not be read", body(() => `{"id":null,"error":${refusal}}`), error(refusal)],
  [
    "its own reply among those of a batch",
    body((id) => `[{"id":"other","result":1},{"id":${id},"result":2.50}]`),
    result("2.50"),
  ],
  ["a result beside an error of null", body((id) => `{"id":${id},"error":null,"result":[]}`), result("[]")],
]

const malformed = (detail: string) => ({ _tag: "MalformedBody", detail, reached: true })

const failures: ReadonlyArray<readonly [what: string, answer: Answer, reason: unknown]> = [
  [
    "no JSON",
    { body: "<html>" },
    malformed("body: expected JSON, got 6 characters of something else (node)"),
  ],
  ["too deep JSON", { body: "[".repeat(40) + "]".repeat(40) }, malformed("body: expected less nesting")],
  ["another's reply", { body: '{"id":"other","result":1}' }, malformed("The node did not reply to the call")],
  ["no reply", { body: "[]" }, malformed("The node did not reply to the call")],
  [
    "neither result nor error",
    body((id) => `{"id":${id}}`),
    malformed("result: expected a value, got nothing"),
  ],
  [
    "an error without a message",
    body((id) => `{"id":${id},"error":{"code":1}}`),
    malformed("error.message: expected a value, got nothing"),
  ],
  ["503", { status: 503, headers: { "retry-after": "7" }, body: "" }, {
    _tag: "Unreachable",
    detail: "The node answered 503",
    reached: true,
    retryAfterSeconds: 7,
  }],
  ["429", { status: 429, body: "" }, {
    _tag: "RateLimited",
    detail: "The node takes no more requests for now",
  }],
  ["a result with a failure status", body((id) => `{"id":${id},"result":1}`, 500), {
    _tag: "UpstreamFailed",
    detail: "The node answered 500",
  }],
]

describe("A call that is passed on to the node", () => {
  for (const [what, answer, reply] of replies) {
    it.effect(`comes back with ${what}, to the letter`, function* () {
      assert.deepStrictEqual((yield* forwarded(answer)).ended, reply)
    })
  }

  for (const [what, answer, reason] of failures) {
    it.effect(`fails where the node answers ${what}`, function* () {
      const { ended } = yield* forwarded(answer)
      assert.strictEqual(ended._tag, "ProviderError")
      if (ended._tag !== "ProviderError") return
      assert.strictEqual(ended.operation, "node")
      assert.deepStrictEqual<unknown>({ ...ended.reason }, reason)
    })
  }

  it.effect("goes to the node with the client's parameters, and with an id of our own", function* () {
    const answer = body((id) => `{"id":${id},"result":1}`)
    const params = json('[{"chain":"Bitcoin","asset":"BTC"},"ETH", "0x1", null]')
    const { asked } = yield* forwarded(answer, { method: "cf_swap_rate_v3", params })
    assert.deepStrictEqual(asked.map(({ url }) => url.href), ["http://node.test/chainflip/node/"])
    assert.strictEqual(asked[0]?.headers["content-type"], "application/json")
    assert.deepInclude(asked[0]?.call, {
      method: "cf_swap_rate_v3",
      params: [{ chain: "Bitcoin", asset: "BTC" }, "ETH", "0x1", null],
    })
    assert.match(asked[0]?.call?.id ?? "", /^[0-9a-f-]{36}$/)
  })

  it.effect("goes without parameters where the client gave none", function* () {
    const { asked } = yield* forwarded(body((id) => `{"id":${id},"result":1}`))
    assert.deepStrictEqual(asked[0]?.call?.params, [])
  })
})
