import { assert, describe, it as plain } from "@effect/vitest"
import { Effect } from "effect"
import { call, withBroker, withOwnBroker } from "../contract/support/call.ts"
import { send } from "../mcp/support/agent.ts"
import { bitsOf, exchanges, javaScript, keys, verifier, withBit } from "./support/signedAnswers.ts"

/** Every how many bits one is changed; the long gate changes each. */
const stride = 97

describe("the guide's verifiers", () => {
  plain("are of at most fifty lines", () => {
    for (const language of ["js", "python"] as const) {
      assert.isAtMost(verifier(language).trim().split("\n").length, 50, language)
    }
  })
})

withBroker()("answers where swaps begin", (it) => {
  it.effect("are signed with what was sent, and no bit of either can be another", function* () {
    const isSigned = yield* Effect.promise(javaScript)
    const known = yield* keys
    for (const whole of yield* exchanges) {
      const holds = ({ answer, sent } = whole, now?: number) =>
        Effect.promise(() => isSigned(sent, answer, known, now))
      const now = Number(/created=(\d+)/.exec(whole.answer.swapSignature)?.[1])
      assert.isTrue(yield* holds(whole, now), whole.sent.target)
      assert.isTrue(yield* holds(whole, now + 300))
      assert.isFalse(yield* holds(whole, now + 301))
      assert.isFalse(yield* holds(whole, now - 301))
      assert.isFalse(yield* Effect.promise(() => isSigned(whole.sent, whole.answer, [], now)))
      for (let bit = 0; bit < bitsOf(whole); bit += stride) {
        assert.isFalse(yield* holds(withBit(whole, bit), now), `${whole.sent.target} ${bit}`)
      }
    }
  })

  it.effect("of an opening that is repeated are signed as the first was", function* () {
    const [whole] = yield* exchanges
    const target = whole?.sent.target ?? ""
    const headers = { "idempotency-key": crypto.randomUUID() }
    const [first, again] = [yield* call("GET", target, { headers }), yield* call("GET", target, { headers })]
    assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
    assert.strictEqual(again.headers.get("content-digest"), first.headers.get("content-digest"))
    assert.match(again.headers.get("swap-signature") ?? "", /^input=\(/)
  })

  it.effect("of agents are signed, and all others are not", function* () {
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}'
    assert.isTrue((yield* send({ body })).headers.has("swap-signature"))
    assert.isFalse((yield* call("GET", "/swaps")).headers.has("swap-signature"))
  })
})

withOwnBroker()("a key in the URL", (it) => {
  it.effect("is no part of what is signed", function* () {
    const isSigned = yield* Effect.promise(javaScript)
    const known = yield* keys
    const { headers, status, text } = yield* call("GET", "/swap?amount=1&apiKey=none-that-is-known-000", {
      key: null,
    })
    assert.strictEqual(status, 401)
    const answer = {
      status,
      contentDigest: headers.get("content-digest") ?? "",
      swapSignature: headers.get("swap-signature") ?? "",
      body: new TextEncoder().encode(text),
    }
    const sent = { method: "GET", target: "/swap?amount=1", body: new Uint8Array() }
    const now = Number(/created=(\d+)/.exec(answer.swapSignature)?.[1])
    assert.isTrue(yield* Effect.promise(() => isSigned(sent, answer, known, now)))
  })
})
