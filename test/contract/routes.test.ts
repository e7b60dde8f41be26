import { Effect } from "effect"
import { call, withBroker } from "./support/call.ts"
import { issue, newAccount, operate, setRoute } from "./support/operator.ts"
import { assertFailure } from "./support/problem.ts"
import { swapParameters } from "./support/swaps.ts"
import { assert } from "@effect/vitest"

const quotePaths = [["/quotes", "0.1"], ["/quote", "0.1"], ["/quotes-native", "10000000"], [
  "/quote-native",
  "10000000",
]] as const

/** That a pair can be quoted and opened, each in every way that there is. */
const assertAllowed = Effect.fnUntraced(
  function* (key: string, sourceAsset: string, destinationAsset: string) {
    const pair = { sourceAsset, destinationAsset }
    for (const [path, amount] of quotePaths) {
      const { status, text } = yield* call("GET", path, { key, query: { ...pair, amount } })
      assert.strictEqual(status, 200, text)
    }
    for (const method of ["GET", "POST"]) {
      const { status, text } = yield* call(method, "/swap", { key, query: swapParameters(pair) })
      assert.strictEqual(status, 200, text)
    }
  },
)

/** That neither is allowed: quotes say so with a code, openings without (decision 34). */
const assertDenied = Effect.fnUntraced(
  function* (key: string, sourceAsset: string, destinationAsset: string) {
    const pair = { sourceAsset, destinationAsset }
    for (const [path, amount] of quotePaths) {
      assertFailure(yield* call("GET", path, { key, query: { ...pair, amount } }), 403, "route_disabled")
    }
    const parameters = swapParameters(pair)
    assertFailure(yield* call("GET", "/swap", { key, query: parameters }), 403)
    assertFailure(yield* call("POST", "/swap", { key, query: parameters }), 403)
    assertFailure(yield* call("POST", "/swap", { key, body: parameters }), 403)
  },
)

const accountWithKey = Effect.gen(function* () {
  const account = yield* newAccount()
  return { account, ...(yield* issue(account)) }
})

withBroker()("route access (decision 34)", (it) => {
  it.effect("is there for every pair without a rule", function* () {
    const { key } = yield* accountWithKey
    yield* assertAllowed(key, "btc.btc", "eth.eth")
  })

  it.effect("is taken from a pair, one way only, and given back at once", function* () {
    const { account, key } = yield* accountWithKey
    yield* setRoute(account, "btc.btc", "eth.eth", false)
    yield* assertDenied(key, "btc.btc", "eth.eth")
    yield* assertAllowed(key, "btc.btc", "usdc.eth")
    yield* setRoute(account, "btc.btc", "eth.eth", true)
    yield* assertAllowed(key, "btc.btc", "eth.eth")
  })

  it.effect("goes by the most specific rule", function* () {
    const { account, key } = yield* accountWithKey
    yield* setRoute(account, "*", "*", false)
    yield* assertDenied(key, "btc.btc", "usdc.eth")
    yield* setRoute(account, "btc.btc", "*", true)
    yield* assertAllowed(key, "btc.btc", "usdc.eth")
    yield* setRoute(account, "*", "usdc.eth", false)
    yield* assertDenied(key, "btc.btc", "usdc.eth")
    yield* setRoute(account, "btc.btc", "usdc.eth", true)
    yield* assertAllowed(key, "btc.btc", "usdc.eth")
    yield* operate("DELETE", `/accounts/${account}/routes?sourceAsset=btc.btc&destinationAsset=usdc.eth`)
    yield* assertDenied(key, "btc.btc", "usdc.eth")
  })

  it.effect("is each account's own", function* () {
    const [one, other] = [yield* accountWithKey, yield* accountWithKey]
    yield* setRoute(one.account, "*", "*", false)
    yield* assertDenied(one.key, "btc.btc", "eth.eth")
    yield* assertAllowed(other.key, "btc.btc", "eth.eth")
  })

  it.effect("is looked at after the parameters: their faults are told first", function* () {
    const { account, key } = yield* accountWithKey
    yield* setRoute(account, "*", "*", false)
    const query = { sourceAsset: "btc.btc", destinationAsset: "gold.eth", amount: "x" }
    assertFailure(yield* call("GET", "/quotes", { key, query }), 400)
  })
})
