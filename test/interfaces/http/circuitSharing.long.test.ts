import { assert, describe, it } from "#test/support/it.ts"
import { Clock, Effect, Schedule } from "effect"
import { broker } from "#test/support/broker.ts"
import { lineFaults, redisLine } from "#test/support/redis/redisLine.ts"
import { respServer } from "#test/support/redis/respServer.ts"
import { type Answer, ask, list, members } from "./asking.ts"

const quotesPath = "/quotes?sourceAsset=btc.btc&destinationAsset=eth.eth&amount=0.1"

/** How long a request takes whose every question to Redis is waited for, and a busy machine. */
const mostMillis = 3_000

const sharingIn = ({ body, status, text }: Answer) => {
  assert.strictEqual(status, 200, text)
  return list(body).map((provider) => members(provider, "circuits"))
}

const inTime = (path: string) =>
  Effect.gen(function* () {
    const started = yield* Clock.currentTimeMillis
    const answer = yield* ask("GET", path)
    assert.strictEqual(answer.status, 200, answer.text)
    assert.isBelow((yield* Clock.currentTimeMillis) - started, mostMillis, path)
    return answer
  })

/** As many as are waited for within `mostMillis`. */
const two = { PROVIDERS: "chainflip,near-intents" }

/** Redis may take as long as a busy machine makes it, but for where it is away. */
const overLine = (line: { readonly url: URL }) =>
  broker({ ...two, REDIS_URL: line.url.href, REDIS_TIMEOUT: "1 second", QUOTE_CACHE_TTL: "1 millis" })

const scopes = Effect.map(ask("GET", "/providers"), (answer) => sharingIn(answer).map(({ scope }) => scope))

const sharedAgain = Effect.repeat(scopes, {
  until: (all) => all.every((scope) => scope === "shared"),
  schedule: Schedule.spaced("50 millis"),
}).pipe(Effect.timeout("20 seconds"))

const toldShared = (shared: 0 | 1) =>
  Effect.repeat(inTime("/metrics"), {
    until: ({ text }) => text.includes(`swap_broker_circuits_shared ${shared}`),
    schedule: Schedule.spaced("50 millis"),
  }).pipe(Effect.timeout("1 minute"))

describe("the service with REDIS_URL", () => {
  it.live(
    "answers everything while Redis is away, and says whose the circuits are",
    function* () {
      const line = yield* redisLine(yield* respServer)
      const throughout = Effect.gen(function* () {
        yield* sharedAgain
        for (const fault of lineFaults) {
          yield* line.fail(fault)
          for (const sharing of sharingIn(yield* inTime("/providers"))) {
            assert.strictEqual(sharing.scope, "process")
            assert.match(`${sharing.reason}`, /^Redis at 127\.0\.0\.1:\d+ cannot be used: ./)
          }
          const { body } = yield* inTime("/health/providers")
          assert.deepStrictEqual(list(body).map(({ status }) => status), ["up", "up"])
          yield* inTime(quotesPath)
          // An answer that is late does not count as an outage until none has come for eight times as long.
          yield* toldShared(0)

          yield* line.mend
          yield* sharedAgain
          yield* inTime(quotesPath)
          yield* sharedAgain
          yield* toldShared(1)
        }
      })
      yield* Effect.provide(throughout, overLine(line))
    },
  )

  it.live("starts without Redis, and says so", function* () {
    const line = yield* redisLine(new URL("redis://127.0.0.1:1"))
    yield* line.fail("refused")
    const throughout = Effect.gen(function* () {
      yield* inTime(quotesPath)
      assert.deepStrictEqual(yield* scopes, ["process", "process"])
    })
    yield* Effect.provide(throughout, overLine(line))
  })
})
