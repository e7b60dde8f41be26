import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { brokerAccounts } from "./support/addresses.ts"
import { call, get, withBroker } from "./support/call.ts"
import { numberAt } from "./support/Json.ts"
import { issue, newAccount, operate } from "./support/operator.ts"
import { assertFailure, faultyParameters } from "./support/problem.ts"
import { openSwap, recordOf, swapParameters } from "./support/swaps.ts"

const accountWithKey = Effect.fnUntraced(function* (terms: Readonly<Record<string, unknown>>) {
  const account = yield* newAccount(terms)
  return { account, ...(yield* issue(account)) }
})

const affiliate = { affiliate1: brokerAccounts[0], affiliate1CommissionBps: "5" }

withBroker()("the terms of an account", (it) => {
  it.effect("set its default commission, a change of which holds for the next swap", () =>
    Effect.gen(function* () {
      const { account, key } = yield* accountWithKey({ commissionBps: 20 })
      const charged = Effect.gen(function* () {
        const record = yield* recordOf(yield* openSwap({}, { key }), { key })
        return numberAt(record, "status", "depositChannel", "brokerCommissionBps")
      })
      assert.strictEqual(yield* charged, "20")
      yield* operate("PATCH", `/accounts/${account}`, { commissionBps: 35 })
      assert.strictEqual(yield* charged, "35")
    }))

  it.effect("allow affiliates or not", () =>
    Effect.gen(function* () {
      const { account, key } = yield* accountWithKey({ affiliates: false })
      const query = swapParameters(affiliate)
      assert.deepStrictEqual(faultyParameters(yield* call("GET", "/swap", { key, query })), ["affiliate1"])
      yield* openSwap({}, { key })
      yield* operate("PATCH", `/accounts/${account}`, { affiliates: true })
      yield* openSwap(affiliate, { key })
    }))

  it.effect("say from which pages it may be called", () =>
    Effect.gen(function* () {
      const { account, key } = yield* accountWithKey({ allowedOrigins: ["https://app.example"] })
      const from = (origin: string) => ({ key, headers: { origin } })
      yield* get("/swaps", {}, { key })
      yield* get("/swaps", {}, from("https://app.example"))
      assertFailure(yield* call("GET", "/swaps", from("https://other.example")), 403)
      yield* operate("PATCH", `/accounts/${account}`, { allowedOrigins: "*" })
      yield* get("/swaps", {}, from("https://other.example"))
    }))
})
