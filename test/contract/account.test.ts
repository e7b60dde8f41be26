import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { call, get, withBroker } from "./support/call.ts"
import { integerAt, textAt } from "./support/Json.ts"
import { issue, newAccount, operate } from "./support/operator.ts"
import { assertFailure, faultyParameters } from "./support/problem.ts"

const scopes = ["quote", "swap", "status", "history", "operate", "withdraw"] as const

/** What the settings of the suite's service give. */
const defaults = {
  requestsPerMinute: 1_000_000,
  openingsPerMinute: 1_000_000,
  maximumOpenChannels: 1_000_000,
  maximumWebhooks: 10,
  maximumSlippageToleranceBps: 500,
}

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
      requestsPerMinute: 3_000,
      providers: { use: "only", providers: ["chainflip"] },
      boostEstimatedPrice: true,
    }
    const account = yield* newAccount(terms)
    const expiresAt = Date.parse("2100-01-01")
    for (const scope of scopes) {
      const { id, key } = yield* issue(account, { scopes: [scope], label: `for ${scope}`, expiresAt })
      assert.deepStrictEqual(yield* told(key), {
        name: account,
        ...defaults,
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
      ...defaults,
      key: { id, scopes: ["status"] },
    })
    yield* operate("PATCH", `/accounts/${account}`, { commissionBps: 30, maximumWebhooks: 3 })
    yield* operate("PATCH", `/accounts/${account}`, { maximumOpenChannels: 7 })
    const own = yield* get("/account", {}, { key })
    assert.strictEqual(integerAt(own, "commissionBps"), 30)
    assert.strictEqual(integerAt(own, "maximumWebhooks"), 3)
    assert.strictEqual(integerAt(own, "maximumOpenChannels"), 7)
    yield* operate("PATCH", `/accounts/${account}`, { maximumWebhooks: "default" })
    assert.strictEqual(integerAt(yield* get("/account", {}, { key }), "maximumWebhooks"), 10)
  })

  it.effect("refuses terms that make no sense, by their names, and changes nothing", function* () {
    const account = yield* newAccount({ requestsPerMinute: 5 })
    const choice = { use: "preferred", provider: "chainflip", unlessBps: 50 }
    for (
      const [name, ...values] of [
        ["requestsPerMinute", 0, -1, 1.5, "5", "\u0663", 1e30, {}],
        ["openingsPerMinute", 0],
        ["maximumOpenChannels", 1_000_001],
        ["maximumDailyVolumeUsd", 0.5, "1000"],
        ["maximumWebhooks", 1_001, true],
        ["maximumSlippageToleranceBps", -1, 5_001],
        ["boostEstimatedPrice", "yes"],
        ["providers", "chainflip", { use: "only", providers: [] }, { use: "only", providers: ["nobody"] }],
        ["providers", { use: "only", providers: ["relay", "relay"] }, { ...choice, unlessBps: -1 }],
        ["providers", { ...choice, unlessBps: undefined }, { ...choice, provider: "Relay\u200b" }],
        ["providers.also", { ...choice, also: 1 }],
      ] as const
    ) {
      const [member = ""] = name.split(".")
      for (const value of values) {
        const answer = yield* call("PATCH", `/operator/accounts/${account}`, {
          body: { mcp: false, [member]: value },
        })
        assert.deepStrictEqual(faultyParameters(answer), [name])
      }
    }
    const { key } = yield* issue(account)
    assert.deepInclude(yield* told(key), { mcp: true, requestsPerMinute: 5 })
  })

  it.effect("lets no account change its own terms", function* () {
    const account = yield* newAccount()
    const { key } = yield* issue(account)
    const change = { key, body: { requestsPerMinute: 1_000_000 } }
    assertFailure(yield* call("PATCH", `/operator/accounts/${account}`, change), 403)
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
