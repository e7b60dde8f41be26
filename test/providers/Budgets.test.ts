import { assert, describe, it, TestClock } from "./support.ts"
import { Effect, Fiber } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { AccountId, NotCalled, ProviderName } from "#exports/domain.ts"
import { OnBehalfOf } from "#infrastructure/platform/Bulkhead.ts"
import { CallUrgency, type Urgency } from "#infrastructure/platform/Budget.ts"
import { makeBudgets, whole } from "#providers/Budgets.ts"
import { hideSecrets, send } from "#providers/upstream/transport.ts"
import { guardedUpstream, times } from "./guard/support.ts"

const provider = ProviderName.make("upstream")
const [one, other] = [AccountId.make(1), AccountId.make(2)]

/** Of which 15 are free at once when it is full: a fifth is not for an account that asks again. */
const limits = [{ name: "quotes", perMinute: 100, call: "GET /v2/quote" }]

/** An upstream within its limits, which answers with what is left of the statuses, and then with 200. */
const upstream = Effect.fnUntraced(function* (statuses: Array<Response> = [], of = limits) {
  const budgets = yield* makeBudgets(whole)
  let calls = 0
  const client = budgets.limited({ name: provider, limits: of })(
    HttpClient.make((request) =>
      Effect.sync(() => {
        calls += 1
        return HttpClientResponse.fromWeb(request, statuses.shift() ?? new Response("{}"))
      })
    ),
  )
  const ask = (
    account: AccountId | undefined,
    urgency: Urgency,
    url = "https://one.test/api/v2/quote?amount=1",
  ) =>
    send(client, "upstream", HttpClientRequest.get(url), hideSecrets(new URL("https://one.test/api"))).pipe(
      Effect.match({
        onSuccess: ({ status }) => `${status}`,
        onFailure: (reason) =>
          reason._tag === "NotCalled" ? `${reason.because} ${reason.retryAfterSeconds}` : reason._tag,
      }),
      Effect.provideService(OnBehalfOf, account),
      Effect.provideService(CallUrgency, urgency),
    )
  /** What became of so many, one after another. */
  const many = (count: number, account: AccountId | undefined, urgency: Urgency) =>
    Effect.map(
      Effect.forEach(Array.from({ length: count }), () => ask(account, urgency)),
      (all) => all.filter((answer) => answer === "200").length,
    )
  const isSpent = (account: AccountId) =>
    Effect.provideService(budgets.isSpent(provider), OnBehalfOf, account)
  yield* ask(undefined, "status")
  yield* TestClock.adjust("1 hour")
  return { ask, budgets, calls: () => calls - 1, isSpent, many }
})

describe("the calls of an upstream that has a limit", () => {
  it.effect("are left out once they are spent, by whose they are, and the upstream is not asked", function* () {
    const { ask, budgets, calls, isSpent, many } = yield* upstream()
    assert.strictEqual(yield* budgets.used(provider), 0)
    assert.isUndefined(yield* budgets.used(ProviderName.make("unlimited")))
    const made = yield* many(70, one, "asked")
    assert.strictEqual(made, 12)
    assert.strictEqual(calls(), made)
    assert.closeTo((yield* budgets.used(provider)) ?? 0, made / 15, 0.001)
    assert.strictEqual(yield* ask(one, "asked"), "budget 1")
    assert.isTrue(yield* isSpent(one))
    assert.isFalse(yield* isSpent(other))
    assert.strictEqual(yield* ask(other, "asked"), "200")
    yield* TestClock.adjust("4 seconds")
    assert.strictEqual(yield* ask(one, "asked"), "200")
  })

  it.effect("count together in whichever version of a call, where the limit is of all", function* () {
    const { ask, many } = yield* upstream([], [{ name: "quotes", perMinute: 100, call: "GET /quote/*" }])
    const inVersion = (version: string) => ask(one, "asked", `https://one.test/api/quote/${version}?amount=1`)
    assert.strictEqual(yield* many(100, one, "asked"), 100)
    const made = yield* Effect.forEach(
      Array.from({ length: 20 }),
      (_, turn) => inVersion(turn % 2 === 0 ? "v2" : "v3"),
    )
    assert.isAtMost(made.filter((answer) => answer === "200").length, 15)
    assert.strictEqual(yield* ask(one, "asked", "https://one.test/api/quote/v3/more"), "200")
  })

  it.effect("count only where the limit is about them, at each host by itself", function* () {
    const { ask, many } = yield* upstream()
    yield* many(100, one, "asked")
    assert.strictEqual(yield* ask(one, "asked", "https://one.test/api/v2/swaps/1"), "200")
    assert.strictEqual(yield* ask(one, "asked", "https://two.test/api/v2/quote"), "200")
    assert.match(yield* ask(one, "asked"), /^budget/)
  })

  it.effect("are all of them where the limit names none", function* () {
    const { ask, many } = yield* upstream([], [{ name: "requests", perMinute: 75 }])
    yield* many(100, one, "asked")
    assert.match(yield* ask(one, "asked", "https://one.test/api/v2/swaps/1"), /^budget/)
  })

  it.effect("wait for their turn where a swap begins, and are left out where that would be too long", function* () {
    const { ask, many } = yield* upstream()
    yield* many(100, one, "asked")
    // More than is left for them.
    const opened = yield* Effect.forkScoped(many(17, one, "opening"), { startImmediately: true })
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(yield* Fiber.join(opened), 17)
    yield* many(100, one, "asked")
    const at40 = yield* Effect.forkScoped(
      Effect.all(Array.from({ length: 40 }, () => ask(one, "opening")), { concurrency: "unbounded" }),
      { startImmediately: true },
    )
    // Who wants to know a price leaves all that becomes free to them.
    yield* TestClock.adjust("2 seconds")
    assert.match(yield* ask(one, "asked"), /^budget/)
    yield* TestClock.adjust("3 seconds")
    const answers = yield* Fiber.join(at40)
    // Of 83 a minute in 5 seconds, and what there was.
    assert.isAtLeast(answers.filter((answer) => answer === "200").length, 6)
    assert.isAbove(answers.filter((answer) => answer.startsWith("budget")).length, 10)
  })

  it.effect("stop for as long as the upstream asks, and no others", function* () {
    const { ask, calls } = yield* upstream([
      new Response("{}"),
      new Response("{}", { status: 429, headers: { "retry-after": "40" } }),
    ])
    assert.strictEqual(yield* ask(one, "asked"), "429")
    assert.strictEqual(yield* ask(other, "asked"), "budget 40")
    assert.strictEqual(yield* ask(other, "opening"), "budget 40")
    assert.strictEqual(yield* ask(one, "asked", "https://one.test/api/v2/swaps/1"), "200")
    assert.strictEqual(calls(), 2)
    yield* TestClock.adjust("50 seconds")
    assert.strictEqual(yield* ask(one, "asked"), "200")
  })

  it.effect("are not shut for longer than ten minutes, whatever the upstream says", function* () {
    const { ask } = yield* upstream([
      new Response("{}"),
      new Response("{}", { status: 429, headers: { "retry-after": "99999999" } }),
    ])
    yield* ask(one, "asked")
    assert.strictEqual(yield* ask(one, "asked"), "budget 600")
  })

  it.effect("are no failures of the provider where they are left out: its circuits stay closed", function* () {
    const guarded = yield* guardedUpstream()
    const spent = new NotCalled({ detail: "", retryAfterSeconds: 1, because: "budget" })
    assert.strictEqual((yield* times(30, guarded.ask("quote", Effect.fail(spent))))[29], "NotCalled")
    const { quote } = yield* guarded.view
    assert.strictEqual(quote.circuit._tag, "Closed")
    assert.deepInclude(quote.calls, { rejected: 30, failed: 0 })
    assert.strictEqual(guarded.attempts(), 30)
  })

  const kinds = [
    ["quote", one, "asked", "asked"],
    ["quote", undefined, "asked", "search"],
    ["quote", one, "search", "search"],
    ["open", one, "status", "opening"],
    ["encode", one, "status", "opening"],
    ["status", undefined, "asked", "status"],
    ["assets", undefined, "status", "status"],
  ] as const
  it.effect.each(kinds)(
    "of the operation %s for %s in what is %s are %s",
    function* ([operation, account, current, found]) {
      const guarded = yield* guardedUpstream()
      let urgency: Urgency | undefined
      const script = Effect.map(CallUrgency, (seen) => {
        urgency = seen
      })
      yield* guarded.ask(operation, script).pipe(
        Effect.provideService(OnBehalfOf, account),
        Effect.provideService(CallUrgency, current),
      )
      assert.strictEqual(urgency, found)
    },
  )

  it.effect("are this process's part of the limit", function* () {
    const { budgets, many } = yield* upstream()
    yield* many(1, one, "asked")
    assert.deepStrictEqual((yield* budgets.demand).asking, { "upstream/quotes/one.test": 1 })
    yield* budgets.share(() => ({ atOnce: 1 / 2, evenly: 1 / 2 }))
    // Seven and a half at once, one and a half of them for accounts that have not asked.
    assert.strictEqual(yield* many(70, other, "asked"), 6)
  })
})
