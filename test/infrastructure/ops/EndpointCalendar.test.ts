import { assert } from "#test/support/it.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { ProviderName } from "#domain/ProviderName.ts"
import {
  type EndpointAnswer,
  EndpointCalendar,
  endpointCalendar,
} from "#infrastructure/ops/EndpointCalendar.ts"
import { EndpointEndingsRepo } from "#infrastructure/store/ops/EndpointEndingsRepo.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { EpochMillis } from "#domain/Time.ts"
import { onStores } from "#test/support/store.ts"

const provider = ProviderName.make("relay")
const notice = { sunsetAt: EpochMillis.make(Date.UTC(2027, 1, 23)), references: [], unreadable: [] }

/** A replica: notes answers, and tells what it knows. */
const replica = Effect.gen(function* () {
  const { answered, endingsOf } = Context.get(yield* Layer.build(endpointCalendar), EndpointCalendar)
  return {
    known: Effect.sync(() => endingsOf(provider)),
    /** Returns whether it retires the endpoint. */
    answers: (endpoint: string, answer: Partial<EndpointAnswer>) =>
      Effect.map(currentMillis, (at) =>
        answered({
          ...{ provider, operation: "quote", call: () => endpoint, status: 200, notice: undefined, at },
          ...answer,
        })),
  }
})

const begin = Effect.gen(function* () {
  yield* (yield* SqlClient.SqlClient)`DELETE FROM endpoint_endings`
  return yield* replica
})

const synced = TestClock.adjust("30 seconds")

/** Rounds of the calendar until an ending is as it should be: a server answers in its own time. */
const inRounds = Effect.fnUntraced(
  function* <A, E, R>(known: Effect.Effect<A, E, R>, isSo: (value: A) => boolean) {
    for (let round = 0; round < 100; round++) {
      yield* synced
      const value = yield* known
      if (isSo(value)) return value
      yield* TestClock.withLive(Effect.sleep("20 millis"))
    }
    return yield* Effect.die("It has not come in a hundred rounds")
  },
)

onStores(EndpointEndingsRepo.layer)("The calendar of endpoints", (it) => {
  it.effect("is shared by replicas, and outlives them", function* () {
    const { answers, known } = yield* begin
    const other = yield* replica
    yield* answers("POST /quote", { notice })
    yield* answers("POST /quote", { notice, operation: "open" })
    const [ending] = yield* inRounds(other.known, ([ending]) => ending?.operations.length === 2)
    assert.deepInclude(ending, { ...notice, endpoint: "POST /quote", operations: ["quote", "open"] })
    assert.deepStrictEqual(yield* other.known, yield* known)
    assert.deepStrictEqual(yield* (yield* replica).known, yield* known)
  })

  it.effect("forgets an announcement only once answers have been without it for hours", function* () {
    const { answers, known } = yield* begin
    yield* answers("POST /quote", { notice })
    yield* answers("POST /quote", {})
    yield* TestClock.adjust("2 hours")
    yield* answers("POST /quote", {})
    assert.lengthOf(yield* known, 1)
    yield* TestClock.adjust("2 hours")
    yield* answers("POST /quote", { status: 502 })
    assert.lengthOf(yield* known, 1)
    yield* answers("POST /quote", {})
    assert.isEmpty(yield* known)
    yield* inRounds(
      Effect.scoped(Effect.flatMap(replica, ({ known }) => known)),
      ({ length }) => length === 0,
    )
  })

  it.effect("notes hourly that an announcement is still made, and forgets one that was not for a week", function* () {
    yield* Effect.scoped(Effect.gen(function* () {
      const { answers, known } = yield* begin
      yield* answers("POST /quote", { notice })
      yield* answers("GET /chains", { notice })
      yield* TestClock.adjust("1 hour")
      yield* answers("POST /quote", { notice })
      const { recent } = yield* EndpointEndingsRepo
      const written = yield* inRounds(
        recent,
        (all) => all.length === 2 && all.some(({ ending }) => ending.lastSeenAt > ending.firstSeenAt),
      )
      assert.sameDeepMembers(written.map(({ ending }) => ending), [...yield* known])
    }))
    yield* TestClock.adjust("167 hours")
    const kept = yield* (yield* replica).known
    assert.deepStrictEqual(kept.map(({ endpoint }) => endpoint), ["POST /quote"])
  })

  it.effect("takes a 410 for a retirement, and a 404 only where the end was announced", function* () {
    const { answers, known } = yield* begin
    const gone = { status: 404 }
    assert.isFalse(yield* answers("POST /quote", gone))
    assert.isTrue(yield* answers("GET /chains", { status: 410 }))
    yield* answers("POST /quote", { notice })
    yield* answers("GET /status", { notice })
    assert.isTrue(yield* answers("POST /quote", { ...gone, notice }))
    assert.isFalse(yield* answers("GET /status", { ...gone, notice }), "an unknown thing")
    assert.isTrue(yield* answers("GET /status", gone))
    assert.isTrue((yield* known).every(({ retiredAt }) => retiredAt !== undefined))
    yield* answers("GET /status", { notice })
    assert.lengthOf((yield* known).filter(({ retiredAt }) => retiredAt === undefined), 1)
    yield* answers("GET /chains", {})
    assert.isUndefined((yield* known).find(({ endpoint }) => endpoint === "GET /chains"), "it answers again")
  })

  it.effect("keeps so many endpoints of a provider, and leaves the rest out", function* () {
    const { answers, known } = yield* begin
    for (let number = 0; number < 70; number++) yield* answers(`GET /${"a".repeat(number)}`, { notice })
    assert.lengthOf(yield* known, 50)
  })

  it.effect("names no endpoint where nothing is announced: that would cost every answer", function* () {
    const { answers } = yield* begin
    const call = () => assert.fail("named")
    assert.isFalse(yield* answers("", { call }))
    assert.isFalse(yield* answers("", { call, status: 404 }))
  })
})
