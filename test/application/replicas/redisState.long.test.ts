import { assert, describe, it } from "#test/support/it.ts"
import {
  Clock,
  Context,
  Deferred,
  Duration,
  Effect,
  Fiber,
  Layer,
  Redacted,
  References,
  Schedule,
} from "effect"
import { AccountId } from "#domain/accounts/Account.ts"
import { noBps } from "#domain/money/Bps.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { EpochMillis } from "#domain/Time.ts"
import { RateLimits } from "#application/limits/RateLimits.ts"
import { Explanations } from "#application/quoting/Explanations.ts"
import { redisState } from "#application/replicas/redisState.ts"
import { CircuitScope } from "#infrastructure/platform/CircuitScope.ts"
import { defaultKnobs, fails, guardedUpstream, guardLayer, times } from "#test/providers/guard/support.ts"
import { collectLogs } from "#test/support/collectLogs.ts"
import { lineFaults, redisLine } from "#test/support/redis/redisLine.ts"
import { respServer } from "#test/support/redis/respServer.ts"
import { redisServers, type TestRedis } from "#test/support/redis/redisServers.ts"

/** So long that a busy machine is not taken for a Redis that is away. */
const timeout = Duration.seconds(1)
const rest = Duration.millis(100)

const openTime = Duration.millis(300)

/** Circuits that are open for a moment only: Redis goes by a clock of its own. */
const openBriefly = { ...defaultKnobs, circuit: { ...defaultKnobs.circuit, openTime } }

/** Requests of a key in an hour. */
const limit = 6

/** An instance of the service, as far as shared state goes: limits, and an upstream behind a guard of its own. */
const instance = Effect.fnUntraced(function* ({ url, prefix }: TestRedis, knobs = defaultKnobs) {
  const context = yield* Layer.build(redisState({
    url: Redacted.make(url.href),
    prefix,
    timeout,
    rest,
    idleTimeToLive: Duration.minutes(1),
    quotas: { default: { tokens: limit, windowMillis: 3_600_000 } },
  }))
  const upstream = yield* guardedUpstream(guardLayer(knobs, Layer.succeedContext(context)))
  const { take } = Context.get(context, RateLimits)
  return {
    ...upstream,
    explanations: Context.get(context, Explanations),
    sharing: Context.get(context, CircuitScope).current,
    /** Whether a request of a key is admitted. */
    admits: Effect.sync(() => take("default", "key")?.isAdmitted),
  }
})

/** How many requests are admitted until one is not, when there is time for replicas to talk in between. */
const slowlyAdmitted = Effect.fnUntraced(function* ({ admits }: Effect.Success<ReturnType<typeof instance>>) {
  let count = 0
  while (yield* admits) {
    count += 1
    yield* Effect.sleep("200 millis")
  }
  return count
})

const quietly = Effect.provideService(References.MinimumLogLevel, "None")

/** Asks again and again until the answer fits. */
const until = <A, E, R>(question: Effect.Effect<A, E, R>, fits: (answer: A) => boolean) =>
  Effect.repeat(question, { until: fits, schedule: Schedule.spaced("10 millis") }).pipe(
    Effect.timeout("20 seconds"),
  )

const millisOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const started = yield* Clock.currentTimeMillis
    yield* effect
    return (yield* Clock.currentTimeMillis) - started
  })

/** A busy machine wakes up late. */
const slack = 3_000

for (const server of redisServers) {
  describe(`circuits that two instances share through ${server.name}`, () => {
    const two = Effect.fnUntraced(function* (knobs = defaultKnobs) {
      const redis = yield* server.place
      return { one: yield* instance(redis, knobs), other: yield* instance(redis, knobs) }
    })

    it.live("are open for the one once the calls of the other have failed", () =>
      Effect.gen(function* () {
        const { one, other } = yield* two()
        assert.deepStrictEqual(yield* other.sharing, { scope: "shared" })
        yield* times(3, one.ask("open", fails))
        yield* times(2, other.ask("open", fails))
        assert.strictEqual(yield* one.ask("open"), "NotCalled")
        assert.strictEqual(yield* other.ask("open"), "NotCalled")
        assert.strictEqual((yield* one.circuit("open"))._tag, "Open")
        assert.strictEqual((yield* other.circuit("open"))._tag, "Open")
        assert.strictEqual(yield* other.ask("status"), "answered")
      }).pipe(quietly))

    it.live("let one probe through for both, and are closed for both when it is answered", () =>
      Effect.gen(function* () {
        const { one, other } = yield* two(openBriefly)
        const answered = yield* Deferred.make<void>()
        yield* times(5, one.ask("open", fails))
        yield* Effect.sleep(Duration.times(openTime, 1.3))
        const probe = yield* Effect.forkScoped(one.ask("open", Deferred.await(answered)))
        yield* until(other.circuit("open"), ({ _tag }) => _tag === "HalfOpen")
        assert.strictEqual(yield* other.ask("open"), "NotCalled")
        assert.deepInclude(yield* other.circuit("open"), { _tag: "HalfOpen", probing: true })
        yield* Deferred.succeed(answered, undefined)
        assert.strictEqual(yield* Fiber.join(probe), "answered")
        assert.strictEqual(yield* other.ask("open"), "answered")
        assert.strictEqual((yield* one.circuit("open"))._tag, "Closed")
      }).pipe(quietly))

    for (const fault of lineFaults) {
      it.live(`are each one's own while the connection is ${fault}, and shared again afterwards`, () =>
        Effect.gen(function* () {
          const redis = yield* server.place
          const line = yield* redisLine(redis.url)
          const one = yield* instance({ ...redis, url: line.url })
          const other = yield* instance(redis)
          const [began, answered] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
          const script = Effect.andThen(Deferred.succeed(began, undefined), Deferred.await(answered))
          const underWay = yield* Effect.forkScoped(one.ask("open", script))
          yield* Deferred.await(began)

          yield* line.fail(fault)
          yield* Deferred.succeed(answered, undefined)
          assert.strictEqual(yield* Fiber.join(underWay), "answered")
          assert.isBelow(
            yield* millisOf(times(5, one.ask("open", fails))),
            Duration.toMillis(timeout) + slack,
          )
          assert.strictEqual(one.attempts(), 6)
          assert.strictEqual(yield* one.ask("open"), "NotCalled")
          assert.strictEqual((yield* one.circuit("open"))._tag, "Open")
          assert.match((yield* one.sharing).reason ?? "", /^Redis at 127\.0\.0\.1:\d+ cannot be used: ./)
          assert.strictEqual(yield* other.ask("open"), "answered")

          yield* line.mend
          yield* until(one.sharing, ({ scope }) => scope === "shared")
          assert.strictEqual(yield* one.ask("open"), "answered")
          yield* times(5, other.ask("open", fails))
          assert.strictEqual(yield* one.ask("open"), "NotCalled")
        }).pipe(quietly))
    }
  })
}

/** An answer without quotes: it explains nothing, and is kept as any other. */
const account = AccountId.make(1)
const at = EpochMillis.make(1_790_692_455_000)
const unquoted = {
  account,
  at,
  commissionBps: noBps,
  by: "net",
  preference: [ProviderName.make("upstream")],
  depositCost: 2n ** 70n,
  quotes: [],
} as const

for (const server of redisServers) {
  describe(`explanations that two instances share through ${server.name}`, () => {
    it.live("are found by the other, and again by the one that ends and starts anew", () =>
      Effect.gen(function* () {
        const redis = yield* server.place
        const other = yield* instance(redis)
        const place = yield* Effect.scoped(Effect.gen(function* () {
          const { explanations } = yield* instance(redis)
          const place = explanations.place()
          explanations.keep(place, unquoted)
          yield* until(other.explanations.find(account, place, at), (found) => found !== "elsewhere")
          return place
        }))
        const anew = yield* instance(redis)
        assert.deepStrictEqual(yield* other.explanations.find(account, place, at), unquoted)
        assert.deepStrictEqual(yield* anew.explanations.find(account, place, at), unquoted)
        assert.strictEqual(yield* anew.explanations.find(account, { ...place, number: 7 }, at), "elsewhere")
      }).pipe(quietly))
  })
}

for (const server of redisServers) {
  describe(`rate limits that two instances share through ${server.name}`, () => {
    it.live("refuse at the one what was used up at the other", () =>
      Effect.gen(function* () {
        const redis = yield* server.place
        const [one, other] = [yield* instance(redis), yield* instance(redis)]
        assert.strictEqual(yield* slowlyAdmitted(one), limit)
        // Each knows what is left only once it has told of something itself.
        assert.isBelow(yield* slowlyAdmitted(other), limit - 1)
      }).pipe(quietly))

    for (const fault of lineFaults) {
      it.live(`are each one's own while the connection is ${fault}, and shared again afterwards`, () =>
        Effect.gen(function* () {
          const redis = yield* server.place
          const line = yield* redisLine(redis.url)
          const one = yield* instance({ ...redis, url: line.url })
          const other = yield* instance(redis)
          yield* times(limit, other.admits)
          yield* line.fail(fault)
          yield* times(limit, one.admits)
          yield* until(one.sharing, ({ scope }) => scope === "process")
          assert.isFalse(yield* one.admits)

          yield* line.mend
          yield* until(one.sharing, ({ scope }) => scope === "shared")
          yield* until(one.ask("open"), (answer) => answer === "answered")
        }).pipe(quietly))
    }
  })
}

// Concurrent, as they wait for seconds for what is not there.
describe.concurrent("circuits that are to be shared through a Redis", () => {
  const nowhere: TestRedis = { url: new URL("redis://:hunter2@127.0.0.1:1"), prefix: "" }

  for (const fault of lineFaults) {
    it.live(`that is ${fault} from the start are this process's own, which is logged once`, function* () {
      const { lines, value } = yield* collectLogs(Effect.scoped(Effect.gen(function* () {
        const line = yield* redisLine(nowhere.url)
        yield* line.fail(fault)
        const one = yield* instance({ ...nowhere, url: line.url })
        yield* times(20, one.ask("open"))
        assert.strictEqual(one.attempts(), 20)
        const { open, quote } = yield* one.view
        assert.strictEqual(open.circuit._tag, "Closed")
        assert.strictEqual(quote.circuit._tag, "Closed")
        // Time for further attempts to connect.
        yield* Effect.sleep("500 millis")
        return yield* one.sharing
      })))
      assert.strictEqual(lines.length, 1, lines.join("\n"))
      // What is seen later may be another failure to reach it.
      const subject = "Redis at 127.0.0.1:"
      assert.isTrue(`${value.reason}`.startsWith(subject), value.reason)
      assert.isTrue(`${lines[0]}`.startsWith(subject), `${lines[0]}`)
      assert.match(
        `${lines[0]}`,
        / cannot be used.+\. Until it can, circuits, rate limits and explanations of quotes are this process's own$/,
      )
      assert.notInclude(`${lines[0]}`, "hunter2")
    })
  }

  it.live("do not keep the service from ending while it connects to a silent one", () =>
    Effect.gen(function* () {
      const line = yield* redisLine(nowhere.url)
      yield* line.fail("silent")
      // The first attempt to connect takes three seconds, and another one is under way then.
      const ending = Effect.scoped(
        Effect.andThen(instance({ ...nowhere, url: line.url }), Effect.sleep(Duration.times(rest, 2))),
      )
      assert.isBelow(yield* millisOf(ending), 6_000 + slack)
    }).pipe(quietly))

  it.live("do not keep the service from ending while answers of a silent one are outstanding", () =>
    Effect.gen(function* () {
      const line = yield* redisLine(yield* respServer)
      const ending = Effect.scoped(Effect.gen(function* () {
        const one = yield* instance({ url: line.url, prefix: "" })
        yield* line.fail("silent")
        yield* Effect.forkScoped(one.view)
        yield* Effect.sleep("50 millis")
      }))
      assert.isBelow(yield* millisOf(ending), Duration.toMillis(timeout) + slack)
    }).pipe(quietly))
})
