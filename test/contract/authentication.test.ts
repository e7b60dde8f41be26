import { assert } from "@effect/vitest"
import { testKey } from "#test/support/broker.ts"
import { type Answer, call, type Options, withBroker } from "./support/call.ts"
import { objectAt } from "./support/Json.ts"
import { assertFailure, faultyParameters } from "./support/problem.ts"

const wrong = "a-key-that-nobody-was-ever-given-0123456789"

/** Every endpoint that needs a key. */
const protectedEndpoints: ReadonlyArray<readonly [method: string, path: string]> = [
  ["GET", "/quotes"],
  ["GET", "/quotes-native"],
  ["GET", "/quote"],
  ["GET", "/quote-native"],
  ["GET", "/swap"],
  ["POST", "/swap"],
  ["GET", "/status-by-id"],
  ["GET", "/status-by-deposit-channel"],
  ["GET", "/status-by-transaction-hash"],
  ["GET", "/swaps"],
  ["GET", "/providers"],
  ["POST", "/providers/chainflip/switch"],
  ["GET", "/operator/accounts"],
  ["POST", "/operator/accounts"],
  ["PATCH", "/operator/accounts/default"],
  ["GET", "/operator/accounts/default/keys"],
  ["POST", "/operator/accounts/default/keys"],
  ["DELETE", "/operator/keys/aaaaaaaaaaaaaaaa"],
  ["GET", "/operator/accounts/default/routes"],
  ["PUT", "/operator/accounts/default/routes"],
  ["DELETE", "/operator/accounts/default/routes"],
  ["GET", "/operator/audit"],
  ["GET", "/sandbox"],
  ["POST", "/sandbox/deposits"],
  ["POST", "/sandbox/time"],
  ["PUT", "/sandbox/faults"],
  ["DELETE", "/sandbox/faults"],
  ["PATCH", "/sandbox/network"],
]

const query = (...pairs: ReadonlyArray<readonly [string, string]>): Options => ({ key: null, query: pairs })
const headers = (all: Readonly<Record<string, string>>): Options => ({ key: null, headers: all })

/** Ways to send the key (decision 1). */
const accepted: ReadonlyArray<readonly [what: string, options: Options]> = [
  ["apiKey in the query", query(["apiKey", testKey])],
  ["apikey in the query", query(["apikey", testKey])],
  ["APIKEY in the query", query(["APIKEY", testKey])],
  ["X-API-Key", headers({ "X-API-Key": testKey })],
  ["Authorization: Bearer", headers({ authorization: `Bearer ${testKey}` })],
  ["Authorization: bearer", headers({ authorization: `bearer ${testKey}` })],
  ["the same in the query twice", query(["apiKey", testKey], ["apiKey", testKey])],
  ["the same in the query in two cases", query(["apiKey", testKey], ["apikey", testKey])],
  ["the same everywhere", {
    key: testKey,
    query: { apiKey: testKey },
    headers: { authorization: `Bearer ${testKey}` },
  }],
]

const unauthenticated: ReadonlyArray<readonly [what: string, options: Options]> = [
  ["no key", { key: null }],
  ["an unknown key in the query", query(["apiKey", wrong])],
  ["an unknown key in X-API-Key", headers({ "x-api-key": wrong })],
  ["an unknown bearer token", headers({ authorization: `Bearer ${wrong}` })],
  ["an empty key", query(["apiKey", ""])],
  ["the key in another case", query(["apiKey", testKey.toUpperCase()])],
  ["the key and a space", query(["apiKey", `${testKey} `])],
  ["another scheme", headers({ authorization: `Basic ${btoa(`user:${wrong}`)}` })],
  ["a very long key", query(["apiKey", "x".repeat(4_000)])],
  ["a key of our form with a wrong checksum", query(["apiKey", `sbk_${"a".repeat(16)}_${"a".repeat(48)}`])],
]

const ambiguous: ReadonlyArray<readonly [what: string, options: Options]> = [
  ["two in the query", query(["apiKey", testKey], ["apiKey", wrong])],
  ["two in the query in two cases", query(["apiKey", testKey], ["apikey", wrong])],
  ["one in the query, another in X-API-Key", { key: wrong, query: { apiKey: testKey } }],
  ["one in X-API-Key, another as bearer", { key: testKey, headers: { authorization: `Bearer ${wrong}` } }],
]

const withoutTrace = ({ body }: Answer) =>
  Object.fromEntries(Object.entries(objectAt(body)).filter(([name]) => name !== "traceId"))

withBroker()("authentication (decision 1)", (it) => {
  for (const [what, options] of accepted) {
    it.effect(`takes ${what}`, function* () {
      const answer = yield* call("GET", "/swaps", options)
      assert.strictEqual(answer.status, 200, answer.text)
    })
  }

  it.effect("refuses what is no key in one and the same way", function* () {
    const first = yield* call("GET", "/swaps", { key: null })
    for (const [what, options] of unauthenticated) {
      const answer = yield* call("GET", "/swaps", options)
      assertFailure(answer, 401)
      assert.strictEqual(answer.headers.get("www-authenticate"), "ApiKey", what)
      assert.notProperty(objectAt(answer.body), "errors")
      assert.deepStrictEqual(withoutTrace(answer), withoutTrace(first), what)
      assert.notInclude(answer.text, wrong)
    }
  })

  for (const [what, options] of ambiguous) {
    it.effect(`refuses different keys: ${what}`, function* () {
      const answer = yield* call("GET", "/swaps", options)
      assert.deepStrictEqual(faultyParameters(answer), ["apiKey"])
      assert.notInclude(answer.text, wrong)
    })
  }

  it.effect("guards every endpoint, before its parameters are looked at", function* () {
    for (const [method, path] of protectedEndpoints) {
      for (const key of [null, wrong]) assertFailure(yield* call(method, path, { key }), 401)
      const withBody = method === "GET" ? {} : { body: "{" }
      assertFailure(yield* call(method, path, { key: null, ...withBody }), 401)
    }
  })

  it.effect("leaves the documentation, the probes and the lists of assets and networks open", function* () {
    for (
      const path of ["/livez", "/readyz", "/openapi.json", "/docs", "/assets", "/networks", "/logos/btc.svg"]
    ) {
      assert.strictEqual((yield* call("GET", path, { key: null })).status, 200, path)
    }
  })
})
