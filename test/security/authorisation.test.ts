import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Scope } from "../../src/domain/Key.ts"
import { call, type Options, withBroker } from "../contract/support/call.ts"
import { issue, newAccount, operate } from "../contract/support/operator.ts"
import { eventually } from "../durability/eventually.ts"
import { type Access, access, endpoints } from "./support/endpoints.ts"

/** What a call comes to: it is let in, refused for what it lacks, or nobody is known by its key. */
type Outcome = "let in" | 403 | 401

/** How a key stands; `live` is one of an account that may do everything. */
type Standing = "live" | "suspended" | "revoked" | "expired"

const scopes = Scope.literals

/** What has to become of a call with a key of these scopes (issue 4, 1 and 2; operation.md, sandbox). */
const expected = (needed: Access, held: ReadonlyArray<Scope>, standing: Standing): Outcome => {
  if (needed === "anybody") return "let in"
  if (standing === "revoked" || standing === "expired") return 401
  if (needed === "any key") return standing === "live" ? "let in" : 403
  const all = typeof needed === "string" ? [needed] : needed
  if (!all.every((scope) => held.includes(scope))) return 403
  const looks = all.every((scope) => scope === "status" || scope === "history")
  return standing === "live" || looks ? "let in" : 403
}

const outcomeOf = (status: number): Outcome => status === 401 || status === 403 ? status : "let in"

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
    const column = endpoints.map(({ name }) =>
      [name, expected(access[name] ?? "operate", held, standing)] as const
    )
    assert.deepStrictEqual(yield* outcomes({ key }), column, `${held} ${standing}`)
  },
)

/** Every scope by itself, none but that of the operator, and all. */
const holdings: ReadonlyArray<readonly [Scope, ...ReadonlyArray<Scope>]> = [
  ...scopes.map((scope): readonly [Scope] => [scope]),
  ["quote", "swap", "status", "history"],
  ["quote", "swap", "status", "history", "operate"],
]

const suspend = (account: string) => operate("PATCH", `/accounts/${account}`, { suspended: true })

/** A key that stands as it is wanted to. */
const keyThatIs = Effect.fnUntraced(function* (standing: Standing, held: ReadonlyArray<Scope>) {
  const account = yield* newAccount()
  if (standing === "expired") {
    const { key } = yield* issue(account, { scopes: held, expiresAt: Date.now() + 500 })
    yield* eventually(call("GET", "/sandbox", { key }), ({ status }) => status === 401)
    return key
  }
  const { id, key } = yield* issue(account, { scopes: held })
  if (standing === "suspended") yield* suspend(account)
  if (standing === "revoked") yield* operate("DELETE", `/keys/${id}`)
  return key
})

withBroker({ RATE_LIMIT: "0", RATE_LIMIT_SWAP: "0", RATE_LIMIT_CREDENTIALS: "0" })(
  "the matrix of authorisation",
  (it) => {
    it.effect("has every endpoint of the contract", () =>
      Effect.sync(() => {
        assert.deepStrictEqual(endpoints.map(({ name }) => name).toSorted(), Object.keys(access).toSorted())
      }))

    for (const standing of ["live", "suspended", "revoked", "expired"] as const) {
      it.effect(`holds for every endpoint and every scope of a key that is ${standing}`, () =>
        Effect.gen(function* () {
          for (const held of holdings) {
            yield* assertColumn(yield* keyThatIs(standing, held), held, standing)
          }
        }))
    }

    it.effect("lets nobody in without a key, with an unknown one, or with one in a place of its own", () =>
      Effect.gen(function* () {
        const { key } = yield* issue(yield* newAccount(), { scopes })
        const column = endpoints.map(({ name }) =>
          [name, expected(access[name] ?? "operate", [], "revoked")] as const
        )
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
      }))
  },
)
