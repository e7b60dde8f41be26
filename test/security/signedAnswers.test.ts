import { assert, describe, it as plain } from "@effect/vitest"
import { Effect } from "effect"
import { call, withBroker, withOwnBroker } from "#test/contract/support/call.ts"
import { find, parseJson } from "#test/contract/support/Json.ts"
import { issue, newAccount } from "#test/contract/support/operator.ts"
import { swapParameters } from "#test/contract/support/swaps.ts"
import { send } from "#test/interfaces/mcp/support/agent.ts"
import { testKey } from "#test/support/broker.ts"
import {
  bitsOf,
  type Exchange,
  exchange,
  exchanges,
  formerly,
  type Given,
  javaScript,
  keys,
  ownKey,
  signedAt,
  verifier,
  withBit,
} from "./support/signedAnswers.ts"

/** Every how many bits one is changed; the long gate changes each. */
const stride = 97

describe("the guide's verifiers", () => {
  plain("are of at most fifty lines", () => {
    for (const language of ["js", "python"] as const) {
      assert.isAtMost(verifier(language).trim().split("\n").length, 50, language)
    }
  })
})

/** Whether the verifier of the guide takes an answer, at the time of its signature, and that of version 1. */
const verdicts = Effect.gen(function* () {
  const isSigned = yield* Effect.promise(javaScript)
  const isSignedFormerly = yield* Effect.promise(formerly)
  const known = yield* keys
  return {
    takes: ({ answer, sent }: Exchange) =>
      Effect.promise(() => isSigned(sent, answer, known, signedAt({ answer, sent }))),
    tookFormerly: ({ answer, sent }: Exchange) =>
      Effect.promise(() => isSignedFormerly(sent, answer, known, signedAt({ answer, sent }))),
  }
})

const addressIn = ({ answer }: Exchange) => find(parseJson(new TextDecoder().decode(answer.body)), "address")

withBroker()("answers where swaps begin", (it) => {
  it.effect("are signed with what was sent, and no bit of either can be another", function* () {
    const isSigned = yield* Effect.promise(javaScript)
    const known = yield* keys
    for (const whole of yield* exchanges) {
      const holds = ({ answer, sent }: Given, now?: number) =>
        Effect.promise(() => isSigned(sent, answer, known, now))
      const now = signedAt(whole)
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

  it.effect("are signed by Swap-Signature, too, as verifiers of version 1 have it", function* () {
    const { tookFormerly } = yield* verdicts
    for (const whole of yield* exchanges) {
      assert.isTrue(yield* tookFormerly(whole), whole.sent.target)
      const body = whole.answer.body.map((byte) => byte === 49 ? 50 : byte)
      assert.isFalse(yield* tookFormerly({ ...whole, answer: { ...whole.answer, body } }), whole.sent.target)
    }
  })

  it.effect("of another account to the same request pass by Swap-Signature, and not by Signature", function* () {
    const { takes, tookFormerly } = yield* verdicts
    const [zero, mallory] = yield* Effect.forEach(
      [yield* newAccount(), yield* newAccount({ commissionBps: 50 })],
      (account) => issue(account),
    )
    const underKey = crypto.randomUUID()
    const asked = [
      { target: `/swap?${new URLSearchParams(swapParameters())}` },
      { target: "/swap", body: { ...swapParameters() } },
      { target: `/swap?${new URLSearchParams(swapParameters())}`, idempotencyKey: underKey },
    ]
    for (const asking of asked) {
      const [own, hers] = [
        yield* exchange({ ...asking, ...(zero === undefined ? {} : { as: zero }) }),
        yield* exchange({ ...asking, ...(mallory === undefined ? {} : { as: mallory }) }),
      ]
      assert.isTrue(yield* takes(own))
      assert.isTrue(yield* takes(hers))
      assert.notDeepEqual(addressIn(own), addressIn(hers))
      // Somebody on the way sends zero's request with mallory's key, and gives zero the answer.
      const stolen = { sent: own.sent, answer: hers.answer }
      assert.isTrue(yield* tookFormerly(stolen))
      assert.isFalse(yield* takes(stolen))
      const headers = new Headers(hers.answer.headers)
      headers.set("swap-key-id", own.sent.keyId)
      assert.isFalse(yield* takes({ sent: own.sent, answer: { ...hers.answer, headers } }))
    }
  })

  it.effect("are refused where an Idempotency-Key was dropped, added or changed on the way", function* () {
    const { takes, tookFormerly } = yield* verdicts
    const target = `/swap?${new URLSearchParams(swapParameters())}`
    const plain = yield* exchange({ target })
    const keyed = yield* exchange({ target, idempotencyKey: crypto.randomUUID() })
    const other = yield* exchange({ target, idempotencyKey: crypto.randomUUID() })
    assert.isTrue((yield* takes(plain)) && (yield* takes(keyed)) && (yield* takes(other)))
    const changed = {
      dropped: { sent: keyed.sent, answer: plain.answer },
      added: { sent: plain.sent, answer: keyed.answer },
      "another's": { sent: keyed.sent, answer: other.answer },
    }
    for (const [how, whole] of Object.entries(changed)) {
      assert.isTrue(yield* tookFormerly(whole), how)
      assert.isFalse(yield* takes(whole), how)
    }
    // In quotes it is the same key of the same account, but not what was sent.
    const quoted = yield* exchange({ target, idempotencyKey: `"${keyed.sent.idempotencyKey}"` })
    assert.strictEqual(quoted.answer.headers.get("idempotent-replayed"), "true")
    assert.isTrue(yield* takes(quoted))
    assert.isFalse(yield* takes({ sent: keyed.sent, answer: quoted.answer }))
  })

  it.effect("that are repeated are signed for the request and the key that ask now", function* () {
    const { takes } = yield* verdicts
    const account = yield* newAccount()
    const [first, second] = [yield* issue(account), yield* issue(account)]
    const asking = {
      target: `/swap?${new URLSearchParams(swapParameters())}`,
      idempotencyKey: crypto.randomUUID(),
    }
    const opened = yield* exchange({ ...asking, as: first })
    const again = yield* exchange({ ...asking, as: second })
    assert.strictEqual(again.answer.headers.get("idempotent-replayed"), "true")
    assert.deepStrictEqual(again.answer.body, opened.answer.body)
    assert.strictEqual(again.answer.headers.get("swap-key-id"), second.id)
    assert.isTrue((yield* takes(opened)) && (yield* takes(again)))
    assert.isFalse(yield* takes({ sent: again.sent, answer: opened.answer }))
  })

  it.effect("of agents are signed, and all others are not", function* () {
    const { takes } = yield* verdicts
    const body = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }
    const { headers, status, text } = yield* send({ body: JSON.stringify(body) })
    const utf8 = (text: string) => new TextEncoder().encode(text)
    const sent = {
      method: "POST",
      target: "/mcp",
      body: utf8(JSON.stringify(body)),
      keyId: (yield* ownKey).id,
    }
    assert.isTrue(yield* takes({ sent, answer: { status, headers, body: utf8(text) } }))
    const other = yield* call("GET", "/swaps")
    for (const name of ["signature", "signature-input", "swap-key-id", "swap-signature"]) {
      assert.isFalse(other.headers.has(name), name)
    }
  })

  it.effect("to an unknown key are signed for none", function* () {
    const { headers, status } = yield* call("GET", "/swap?amount=1", { key: "none-that-is-known-000" })
    assert.strictEqual(status, 401)
    assert.isNull(headers.get("swap-key-id"))
    assert.notInclude(headers.get("signature-input") ?? "", "swap-key-id")
    assert.match(headers.get("signature") ?? "", /^swap=:/)
  })
})

withOwnBroker()("a key in the URL", (it) => {
  it.effect("is no part of what is signed", function* () {
    const isSigned = yield* Effect.promise(javaScript)
    const known = yield* keys
    const { id } = yield* ownKey
    const { headers, status, text } = yield* call("GET", `/swap?amount=1&apiKey=${testKey}`, { key: null })
    assert.strictEqual(status, 400)
    const answer = { status, headers, body: new TextEncoder().encode(text) }
    const sent = { method: "GET", target: "/swap?amount=1", body: new Uint8Array(), keyId: id }
    assert.isTrue(yield* Effect.promise(() => isSigned(sent, answer, known, signedAt({ answer, sent }))))
  })
})
