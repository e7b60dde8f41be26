import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { call, get, withBroker } from "./support/call.ts"
import { integerAt, textAt } from "./support/Json.ts"
import { issue, newAccount, operate } from "./support/operator.ts"
import { assertFailure } from "./support/problem.ts"

const scopes = ["quote", "swap", "status", "history", "operate", "withdraw"] as const

/** What a key is told of its account and of itself. */
const told = (key: string): Effect.Effect<unknown, never, Effect.Services<ReturnType<typeof call>>> =>
  Effect.map(call("GET", "/account", { key }), ({ text }) => JSON.parse(text))

withBroker()("/account (decision 66)", (it) => {
  it.effect("tells a key of any scope its own account and itself", function* () {
    const terms = {
      commissionBps: 50,
      affiliates: false,
      allowedOrigins: ["https://app.example"],
      mcp: false,
    }
    const account = yield* newAccount(terms)
    const expiresAt = Date.parse("2100-01-01")
    for (const scope of scopes) {
      const { id, key } = yield* issue(account, { scopes: [scope], label: `for ${scope}`, expiresAt })
      assert.deepStrictEqual(yield* told(key), {
        name: account,
        ...terms,
        key: { id, label: `for ${scope}`, scopes: [scope], expiresAt },
      })
    }
  })

  it.effect("leaves out a label and an end that the key does not have, and follows the operator", function* () {
    const account = yield* newAccount()
    const { id, key } = yield* issue(account, { scopes: ["status"] })
    assert.deepStrictEqual(yield* told(key), {
      name: account,
      commissionBps: 0,
      affiliates: true,
      allowedOrigins: "*",
      mcp: true,
      key: { id, scopes: ["status"] },
    })
    yield* operate("PATCH", `/accounts/${account}`, { commissionBps: 30 })
    assert.strictEqual(integerAt(yield* get("/account", {}, { key }), "commissionBps"), 30)
  })

  it.effect("tells the id of a key whose text does not say it", function* () {
    const id = textAt(yield* get("/account"), "key", "id")
    assert.match(id, /^[a-z2-7]{16}$/)
  })

  it.effect("tells nothing without a key, nor while the account is suspended", function* () {
    assertFailure(yield* call("GET", "/account", { key: null }), 401)
    const account = yield* newAccount()
    const { key } = yield* issue(account)
    yield* operate("PATCH", `/accounts/${account}`, { suspended: true })
    assertFailure(yield* call("GET", "/account", { key }), 403)
  })
})
