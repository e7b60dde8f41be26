import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Scope } from "#domain/accounts/Key.ts"
import { call, type Options, withOwnBroker } from "#test/contract/support/call.ts"
import { issue, newAccount } from "#test/contract/support/operator.ts"
import {
  holdings,
  keyThatIs,
  type Outcome,
  outcomeOf,
  type Standing,
  standings,
  unlimited,
} from "./support/callers.ts"
import { type Access, accessOf, endpoints, ruleCount, ruleOf } from "./support/endpoints.ts"

/** What has to become of a call with a key of these scopes. */
const expected = (needed: Access, held: ReadonlyArray<Scope>, standing: Standing): Outcome => {
  if (needed === "anybody") return "let in"
  if (standing === "revoked" || standing === "expired") return 401
  if (needed === "any key") return standing === "live" ? "let in" : 403
  const all = typeof needed === "string" ? [needed] : needed
  if (!all.every((scope) => held.includes(scope))) return 403
  const looks = all.every((scope) => scope === "status" || scope === "history")
  return standing === "live" || looks ? "let in" : 403
}

/** Sends each endpoint a request that is of no use, so that none changes anything. */
const outcomes = (options: Options) =>
  Effect.forEach(
    endpoints,
    ({ method, name, path }) =>
      Effect.map(
        call(method, path, method === "GET" || method === "DELETE" ? options : { ...options, body: "{" }),
        ({ status }) => [name, outcomeOf(status)] as const,
      ),
    { concurrency: 8 },
  )

/** The whole column of the matrix for one key. */
const assertColumn = Effect.fnUntraced(
  function* (key: string, held: ReadonlyArray<Scope>, standing: Standing) {
    const column = endpoints.map(({ name }) => [name, expected(accessOf(name), held, standing)] as const)
    assert.deepStrictEqual(yield* outcomes({ key }), column, `${held} ${standing}`)
  },
)

withOwnBroker(unlimited)(
  "the matrix of authorisation",
  (it) => {
    it.effect("has every endpoint of the contract, and no rule without one", () =>
      Effect.sync(() => {
        assert.deepStrictEqual(endpoints.filter(({ name }) => ruleOf(name) === -1), [])
        assert.strictEqual(new Set(endpoints.map(({ name }) => ruleOf(name))).size, ruleCount)
      }))

    for (const standing of standings) {
      it.effect(`holds for every endpoint and every scope of a key that is ${standing}`, function* () {
        for (const held of holdings) {
          yield* assertColumn(yield* keyThatIs(standing, held), held, standing)
        }
      })
    }

    it.effect("lets nobody in without a key, with an unknown one, or with one in a place of its own", function* () {
      const { key } = yield* issue(yield* newAccount(), { scopes: Scope.literals })
      const column = endpoints.map(({ name }) => [name, expected(accessOf(name), [], "revoked")] as const)
      const ways: ReadonlyArray<Options> = [
        { key: null },
        { key: `${key.slice(0, -1)}${key.endsWith("a") ? "b" : "a"}` },
        { key: `${key.slice(0, 21)}${"a".repeat(48)}` },
        { key: null, headers: { cookie: `apiKey=${key}` } },
        { key: null, headers: { authorization: `Basic ${btoa(`${key}:`)}` } },
        { key: null, headers: { "x-forwarded-for": "127.0.0.1", "x-account": "default" } },
      ]
      for (const options of ways) {
        assert.deepStrictEqual(yield* outcomes(options), column, JSON.stringify(options))
      }
    })
  },
)
