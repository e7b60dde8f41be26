import { assert } from "#test/support/it.ts"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { accountsLayer } from "#application/accounts/mod.ts"
import { requireRoute } from "#application/accounts/RouteRules.ts"
import { RouteRules } from "#application/accounts/RouteRules.ts"
import type { RouteRule } from "#domain/accounts/Route.ts"
import { operator } from "#test/support/account.ts"
import { onStores } from "#test/support/store.ts"
import { accountWithKey, callerOf, latestChanges, newName, replica } from "./support.ts"

const pair = { sourceAsset: "btc.btc", destinationAsset: "eth.eth" } as const
const all = { sourceAsset: "*", destinationAsset: "*" } as const
const denied: RouteRule = { ...pair, allowed: false }

onStores(accountsLayer)("Routes", (it) => {
  it.effect("are none at first, then listed with the most specific first, and logged", function* () {
    const routes = yield* RouteRules
    const { name } = yield* accountWithKey()
    assert.deepStrictEqual(yield* routes.ofAccount(name), [])
    const rules: ReadonlyArray<RouteRule> = [
      denied,
      { ...pair, destinationAsset: "*", allowed: true },
      { ...all, allowed: false },
    ]
    for (const rule of rules.toReversed()) yield* routes.set(name, rule, operator)
    assert.deepStrictEqual(yield* routes.ofAccount(name), rules)
    const allowed = { ...pair, allowed: true }
    yield* routes.set(name, allowed, operator)
    const left = yield* routes.remove(name, all, operator)
    assert.deepStrictEqual(left, [allowed, { ...pair, destinationAsset: "*", allowed: true }])
    assert.deepStrictEqual(yield* latestChanges(3), [
      { action: "route.removed", account: name, before: { ...all, allowed: false } },
      { action: "route.set", account: name, before: denied, after: allowed },
      { action: "route.set", account: name, after: denied },
    ])
  })

  it.effect("log nothing where nothing changes", function* () {
    const routes = yield* RouteRules
    const { name } = yield* accountWithKey()
    yield* routes.set(name, denied, operator)
    const before = yield* latestChanges(1)
    yield* routes.set(name, denied, operator)
    yield* routes.remove(name, all, operator)
    assert.deepStrictEqual(yield* latestChanges(1), before)
  })

  it.effect("are of one account each, and of none that there is not", function* () {
    const routes = yield* RouteRules
    const [one, other] = [yield* accountWithKey(), yield* accountWithKey()]
    yield* routes.set(one.name, denied, operator)
    assert.deepStrictEqual(yield* routes.ofAccount(other.name), [])
    const error = yield* Effect.flip(routes.set(newName(), denied, operator))
    assert.strictEqual(error._tag, "AccountUnknown")
  })

  it.effect("are followed at once by the replica that changed them, and within a second by others", function* () {
    const routes = yield* RouteRules
    const there = yield* replica
    const { name, key } = yield* accountWithKey()
    const asked = Effect.flatMap(callerOf(key), (caller) => requireRoute(caller, "quote", pair))
    const elsewhere = Effect.provide(asked, there)
    yield* asked
    yield* elsewhere
    yield* routes.set(name, denied, operator)
    const error = yield* Effect.flip(asked)
    assert.strictEqual(error.message, "Swaps of btc.btc to eth.eth are not enabled for this account")
    yield* TestClock.adjust("1 second")
    assert.strictEqual((yield* Effect.flip(elsewhere))._tag, "RouteDenied")
    yield* routes.remove(name, pair, operator)
    yield* asked
  })
})
