import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Exit, Scope } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { AccountId } from "#domain/accounts/Account.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { OnBehalfOf } from "#infrastructure/platform/Bulkhead.ts"
import { CallUrgency } from "#infrastructure/platform/Budget.ts"
import { partOf, type Replicas, sharedBudgets } from "#application/replicas/sharedBudgets.ts"

const perMinute = 100
const limits = { name: ProviderName.make("upstream"), limits: [{ name: "requests", perMinute }] }
const [one, other] = [AccountId.make(1), AccountId.make(2)]

/** What becomes free in a minute; the rest of what is allowed is there at once. */
const evenly = 0.83 * perMinute

/** A shared store in memory, which can be away, and an upstream that notes when it is called. */
const place = () => {
  const said = new Map<string, string>()
  const called: Array<number> = []
  const store: { isAway: boolean } = { isAway: false }
  const replicas: Replicas = {
    say: (replica, words) => Effect.sync(() => [...said.set(replica, words).values()]),
    forget: (replica) => Effect.sync(() => void said.delete(replica)),
  }
  const replica = Effect.gen(function* () {
    const budgets = yield* sharedBudgets({
      ask: (question) => store.isAway ? Effect.succeedNone : Effect.option(question({ replicas })),
      sharing: Effect.succeed({ scope: "shared" }),
    })
    const client = budgets.limited(limits)(
      HttpClient.make((request) =>
        Effect.clockWith((clock) => clock.currentTimeMillis).pipe(
          Effect.map((at) => {
            called.push(at)
            return HttpClientResponse.fromWeb(request, new Response("{}"))
          }),
        )
      ),
    )
    /** How many of so many calls an account gets. */
    return (count: number, account: AccountId) =>
      Effect.forEach(
        Array.from({ length: count }),
        () => Effect.isSuccess(client.execute(HttpClientRequest.get("https://one.test/"))),
      ).pipe(
        Effect.map((made) => made.filter((isMade) => isMade).length),
        Effect.provideService(OnBehalfOf, account),
        Effect.provideService(CallUrgency, "asked"),
      )
  })
  return { called, replica, said, store }
}

/** Asks every second for so long; how many calls were made. */
const flood = Effect.fnUntraced(function* (seconds: number, second: Effect.Effect<number>) {
  let made = 0
  for (let passed = 0; passed < seconds; passed++) {
    made += yield* second
    yield* TestClock.adjust("1 second")
  }
  return made
})

/** The most that were made in any minute. */
const mostInAMinute = (called: ReadonlyArray<number>): number =>
  Math.max(...called.map((from) => called.filter((at) => at >= from && at - from < 60_000).length))

describe("a limit that replicas share", () => {
  it.effect("is kept by all of them together, however many are asked", function* () {
    const { called, replica } = place()
    const [first, second, third] = yield* Effect.all([replica, replica, replica])
    yield* flood(
      90,
      Effect.map(Effect.all([first(5, one), second(5, one), third(5, other)]), (made) => made.length),
    )
    assert.isAtMost(mostInAMinute(called), perMinute)
    assert.isAtLeast(called.length, 1.3 * evenly)
  })

  it.effect("goes to the one that is asked alone, with the first call of another account left at each other", function* () {
    const { called, replica } = place()
    const [first, second, third] = yield* Effect.all([replica, replica, replica])
    yield* flood(60, first(10, one))
    const made = yield* flood(120, first(10, one))
    assert.isAtLeast(made, 2 * evenly * 0.95)
    assert.deepStrictEqual(yield* Effect.all([second(1, other), third(1, other)]), [1, 1])
    assert.isAtMost(mostInAMinute(called), perMinute)
  })

  it.effect.each([1, 2, 3])(
    "refuses nothing to an account that alone asks for four fifths, whether %s replicas are asked by turns or one",
    function* (asked) {
      const { called, replica } = place()
      const replicas = yield* Effect.all([replica, replica, replica])
      yield* TestClock.adjust("3 seconds")
      const every = 60_000 / (0.8 * perMinute)
      for (let call = 0; call * every < 5 * 60_000; call++) {
        assert.strictEqual(yield* replicas[call % asked]?.(1, one) ?? Effect.succeed(0), 1, `call ${call}`)
        yield* TestClock.adjust(every)
      }
      assert.isAtMost(mostInAMinute(called), perMinute)
    },
  )

  it.effect("is divided between accounts where they want more, whichever replica they ask", function* () {
    const { called, replica } = place()
    const [first, second] = yield* Effect.all([replica, replica])
    const third = AccountId.make(3)
    const counts = [0, 0, 0]
    const all = Effect.map(
      Effect.all([first(10, one), first(10, other), second(10, third)]),
      (made) => made.forEach((count, index) => counts[index] = (counts[index] ?? 0) + count),
    )
    yield* flood(60, Effect.as(all, 0))
    counts.fill(0)
    yield* flood(120, Effect.as(all, 0))
    assert.isAtLeast(Math.min(...counts) / Math.max(...counts), 0.85)
    assert.isAtMost(mostInAMinute(called), perMinute)
  })

  it.effect("is divided by accounts alone while a replica of an earlier version takes part", function* () {
    const asking = { "upstream/requests/one.test": 1 }
    const [own, early] = [
      { replica: "own", beat: 1, asking, wanted: { "upstream/requests/one.test": 2 } },
      { replica: "early", beat: 1, asking },
    ]
    const limit = "upstream/requests/one.test"
    assert.deepStrictEqual(partOf(own, [early], limit), { atOnce: 1 / 2, evenly: 1 / 2 })
    assert.approximately(partOf(own, [{ ...early, wanted: {} }], limit).evenly, 0.99, 1e-9)
    yield* Effect.void
  })

  it.effect("is divided as it was while the store is away", function* () {
    const { called, replica, store } = place()
    const [first, second] = yield* Effect.all([replica, replica])
    yield* flood(30, Effect.zipWith(first(10, one), second(10, one), (a, b) => a + b))
    store.isAway = true
    called.length = 0
    const made = yield* flood(60, Effect.zipWith(first(10, one), second(10, one), (a, b) => a + b))
    assert.isAtMost(made, perMinute)
    assert.isAtLeast(made, perMinute * 0.55)
  })

  it.effect("is not known to be shared with anybody at first, and taken for half", function* () {
    const { replica, store } = place()
    store.isAway = true
    const alone = yield* replica
    const made = yield* flood(120, alone(10, one))
    assert.isAtMost(made, 2 * perMinute * 0.5)
  })

  it.effect("is all of the one that stays, soon after the other has gone with a word or without", function* () {
    const { replica, said } = place()
    const scope = yield* Scope.make()
    const first = yield* replica
    yield* Scope.provide(replica, scope)
    yield* TestClock.adjust("3 seconds")
    assert.strictEqual(said.size, 2)
    yield* Scope.close(scope, Exit.void)
    assert.strictEqual(said.size, 1)
    said.set(
      "dead",
      JSON.stringify({ replica: "dead", beat: 7, asking: { "upstream/requests/one.test": 9 } }),
    )
    yield* TestClock.adjust("10 seconds")
    assert.strictEqual(said.size, 1)
    yield* first(1, one)
    yield* flood(60, first(10, one))
    assert.isAtLeast(yield* flood(60, first(10, one)), evenly - 1)
  })

  it.effect("is nobody's less for words that nobody can read", function* () {
    const { replica, said } = place()
    said.set("odd", "not of the form")
    const alone = yield* replica
    yield* alone(1, one)
    yield* flood(60, alone(10, one))
    assert.isAtLeast(yield* flood(60, alone(10, one)), evenly - 1)
  })
})
