import { assert } from "#test/support/it.ts"
import { Effect, Exit, Layer, Random, Scope } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AccountId } from "#domain/accounts/Account.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { OnBehalfOf } from "#infrastructure/platform/Bulkhead.ts"
import { CallUrgency } from "#infrastructure/platform/Budget.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { Budgets } from "#providers/Budgets.ts"
import { keepBudgets } from "#providers/keepBudgets.ts"
import { onStores } from "#test/support/store.ts"

const perMinute = 100
/** What there can be at once, and what becomes free in a second. */
const [atOnce, aSecond] = [15, 83 / 60]
const limits = { name: ProviderName.make("upstream"), limits: [{ name: "requests", perMinute }] }

/** A service, an hour after the one before, and its upstream, which notes when it is called. */
const service = Effect.gen(function* () {
  yield* TestClock.adjust("1 hour")
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM upstream_budgets`
  const called: Array<number> = []
  let accounts = 0
  /** A process of it: how many of so many accounts that are new have a quote at once, and its end. */
  const process = Effect.gen(function* () {
    const scope = yield* Scope.make()
    const layer = Layer.provideMerge(keepBudgets, Layer.fresh(Budgets.layer))
    const budgets = yield* Effect.provide(Budgets, yield* Layer.buildWithScope(layer, scope))
    const client = budgets.limited(limits)(
      HttpClient.make((request) =>
        Effect.map(currentMillis, (now) => {
          called.push(now)
          return HttpClientResponse.fromWeb(request, new Response("{}"))
        })
      ),
    )
    const made = (count: number) =>
      Effect.forEach(
        Array.from({ length: count }, () => AccountId.make(accounts += 1)),
        (account) =>
          Effect.isSuccess(client.execute(HttpClientRequest.get("https://one.test/"))).pipe(
            Effect.provideService(OnBehalfOf, account),
            Effect.provideService(CallUrgency, "asked"),
          ),
      ).pipe(
        Effect.map((all) => all.filter((isMade) => isMade).length),
        // The note of what is left is written meanwhile.
        Effect.tap(() => Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 40)))),
      )
    return { made, end: Scope.close(scope, Exit.void) }
  })
  return { called, process }
})

/** Calls that quotes of new accounts leave to more urgent ones. */
const kept = 0.05 * atOnce

onStores(Layer.empty)("The budget of a process", (it) => {
  it.effect("is full where none has ended within a minute", function* () {
    const { process } = yield* service
    const first = yield* process
    assert.strictEqual(yield* first.made(40), Math.floor(atOnce - kept))
    yield* first.end
    yield* TestClock.adjust("61 seconds")
    assert.strictEqual(yield* (yield* process).made(40), Math.floor(atOnce - kept))
  })

  it.effect("is what the one before left, and what has become free since", function* () {
    const { process } = yield* service
    const first = yield* process
    yield* first.made(10)
    yield* first.end
    const second = yield* process
    assert.strictEqual(yield* second.made(40), Math.floor(atOnce - 10 - kept))
    yield* second.end
    yield* TestClock.adjust("4 seconds")
    assert.strictEqual(yield* (yield* process).made(40), Math.floor(1 + 4 * aSecond - kept))
  })

  it.effect("is nothing after one that was killed, which may have spent all after its last note", function* () {
    const { process } = yield* service
    yield* (yield* process).made(1)
    const second = yield* process
    assert.strictEqual(yield* second.made(40), 0)
    yield* TestClock.adjust("5 seconds")
    assert.strictEqual(yield* second.made(40), Math.floor(2 * aSecond - kept))
  })

  it.effect("never has an upstream called more often in any minute, however often it is started anew", function* () {
    const { called, process } = yield* service
    const random = yield* Random.Random.pipe(Random.withSeed("restarts"))
    const draw = (most: number) => Math.floor(random.nextDoubleUnsafe() * most)
    for (let start = 0; start < 12; start++) {
      const one = yield* process
      for (let asked = 0; asked < 8; asked++) {
        yield* one.made(draw(60))
        yield* TestClock.adjust(draw(4_000))
      }
      if (draw(2) === 0) yield* one.end
    }
    const first = called.findIndex((at, index) => at - (called[index - perMinute] ?? -Infinity) < 60_000)
    assert.strictEqual(first, -1)
    assert.isAbove(called.length, perMinute)
  })
})
