import { assert, describe, it } from "#test/support/it.ts"
import { Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import {
  bucketMillis,
  type HistoryFigures,
  latencyAt,
  latencyBounds,
  latencyFigureOf,
} from "#domain/operations/ProviderHistory.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { StoreUnavailable } from "#domain/StoreError.ts"
import { EpochMillis } from "#domain/Time.ts"
import { CallRecorder } from "#infrastructure/ops/CallRecorder.ts"
import { ProviderHistory } from "#infrastructure/ops/ProviderHistory.ts"
import { ProviderHistoryRepo } from "#infrastructure/store/ops/ProviderHistoryRepo.ts"
import { onStores } from "#test/support/store.ts"

const provider = ProviderName.make("first")
const other = ProviderName.make("second")
const at = EpochMillis.make

/** A replica: what it counts, and its writing. */
const replica = Effect.gen(function* () {
  const context = yield* Layer.build(ProviderHistory.layer)
  return yield* Effect.provideContext(
    Effect.gen(function* () {
      return { history: yield* ProviderHistory, recorder: yield* CallRecorder }
    }),
    context,
  )
})

const quote = (of: ProviderName = provider) => ({ provider: of, operation: "quote" })
const day = { from: at(0), to: at(86_400_000), partMillis: 3_600_000 }

onStores(Layer.empty)("The history of providers", (it) => {
  const cleared = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`DELETE FROM provider_history`
  })

  it.effect("adds up what several replicas counted, by operation and time", function* () {
    yield* cleared
    const replicas = [yield* replica, yield* replica]
    for (const { recorder } of replicas) {
      recorder.call({ ...quote(), ended: "succeeded", tookMillis: 40 }, 1_000)
      recorder.call({ ...quote(), ended: "timedOut", tookMillis: 3_000 }, bucketMillis + 1)
      recorder.call({ ...quote(), ended: "rejected" }, 3_600_000)
      recorder.call({ provider, operation: "open", ended: "refused", tookMillis: 80 }, 1_000)
      recorder.call({ ...quote(other), ended: "succeeded", tookMillis: 1 }, 1_000)
    }
    yield* Effect.forEach(replicas, ({ history }) => history.write, { concurrency: 2 })
    // Nothing waits any more, so nothing is counted twice.
    yield* Effect.forEach(replicas, ({ history }) => history.write)
    const [{ history } = yield* replica] = replicas
    assert.deepStrictEqual(yield* history.read({ provider, ...day }), [
      {
        operation: "open",
        at: at(0),
        calls: 2,
        succeeded: 0,
        refused: 2,
        failed: 0,
        failures: {},
        cancelled: 0,
        rejected: 0,
        p50Millis: 75,
        p90Millis: 95,
        openMillis: 0,
      },
      {
        operation: "quote",
        at: at(0),
        calls: 4,
        succeeded: 2,
        refused: 0,
        failed: 2,
        failures: { timedOut: 2 },
        cancelled: 0,
        rejected: 0,
        p50Millis: 50,
        p90Millis: 4_500,
        openMillis: 0,
      },
      {
        operation: "quote",
        at: at(3_600_000),
        calls: 0,
        succeeded: 0,
        refused: 0,
        failed: 0,
        failures: {},
        cancelled: 0,
        rejected: 2,
        openMillis: 0,
      },
    ])
    const parts = yield* history.read({ provider, ...day, partMillis: bucketMillis })
    assert.deepStrictEqual(
      parts.filter(({ operation }) => operation === "quote").map((part) => part.at),
      [
        at(0),
        at(bucketMillis),
        at(3_600_000),
      ],
    )
    assert.deepStrictEqual(yield* history.read({ provider, ...day, from: at(86_000_000) }), [])
  })

  it.effect("has the time that circuits were open, in each part that they were open in", function* () {
    yield* cleared
    const { history, recorder } = yield* replica
    recorder.circuit(provider, "quote", true, bucketMillis - 1_000)
    yield* TestClock.setTime(bucketMillis + 5_000)
    yield* history.write
    recorder.circuit(provider, "quote", false, bucketMillis + 7_000)
    recorder.circuit(provider, "open", false, bucketMillis + 7_000)
    yield* TestClock.setTime(bucketMillis + 60_000)
    yield* history.write
    const parts = yield* history.read({ provider, ...day, partMillis: bucketMillis })
    assert.deepStrictEqual(
      parts.map(({ at, openMillis, operation }) => [operation, Number(at), openMillis]),
      [
        ["quote", 0, 1_000],
        ["quote", bucketMillis, 7_000],
      ],
    )
  })

  it.effect("is written every few seconds and at the end, and what is old is deleted", function* () {
    yield* cleared
    const { history: reader, recorder } = yield* replica
    yield* TestClock.setTime(1_000)
    recorder.call({ ...quote(other), ended: "succeeded" }, 1_000)
    yield* reader.write
    yield* Effect.scoped(Effect.gen(function* () {
      const context = yield* Layer.build(ProviderHistory.layerRunning({ keep: Duration.days(1) }))
      const running = yield* Effect.provideContext(CallRecorder, context)
      running.call({ ...quote(), ended: "succeeded" }, 2_000)
    }))
    const [part] = yield* reader.read({ provider, ...day })
    assert.strictEqual(part?.succeeded, 1)
    const repo = yield* ProviderHistoryRepo
    assert.strictEqual(yield* repo.expire(at(1), 10), 2)
    assert.isEmpty(yield* reader.read({ provider: other, ...day }))
  })

  it.effect("is read by the key alone, however much there is of it", function* () {
    yield* cleared
    const sql = yield* SqlClient.SqlClient
    yield* sql`
          INSERT INTO provider_history (provider, at, operation, succeeded)
          SELECT 'p' || p, to_timestamp(n * 300), 'quote', 1 FROM generate_series(1, 5) p, generate_series(1, 4000) n`
    yield* sql`ANALYZE provider_history`
    const Plan = Schema.Array(Schema.Struct({ "QUERY PLAN": Schema.String }))
    const plan = yield* Schema.decodeUnknownEffect(Plan)(
      yield* sql`
            EXPLAIN SELECT sum(succeeded) FROM provider_history
            WHERE provider = 'p3' AND at >= ${new Date(300_000_000)} AND at < ${new Date(386_400_000)}`,
    )
    const text = plan.map((row) => row["QUERY PLAN"]).join("\n")
    assert.include(text, "provider_history_pkey")
    assert.notInclude(text, "Seq Scan")
  })
})

describe("Figures that cannot be written", () => {
  it.effect("wait, and are written once the database is back", function* () {
    let isAway = true
    const written: Array<HistoryFigures> = []
    const repo = Layer.mock(ProviderHistoryRepo, {
      add: (additions) =>
        isAway
          ? Effect.fail(new StoreUnavailable({ operation: "test", cause: "away" }))
          : Effect.sync(() => void written.push(...additions.map(({ figures }) => figures))),
    })
    const { history, recorder } = yield* Effect.provide(replica, repo)
    recorder.call({ ...quote(), ended: "succeeded", tookMillis: 1 }, 0)
    yield* history.write
    recorder.call({ ...quote(), ended: "succeeded", tookMillis: 30 }, 0)
    yield* history.write
    isAway = false
    yield* history.write
    yield* history.write
    assert.deepStrictEqual(written, [{ succeeded: 2, took25: 1, took50: 1 }])
  })
})

describe("The time that a share of calls took", () => {
  it("is told as near as the counts tell", () => {
    assert.isUndefined(latencyAt({}, 0.5))
    assert.strictEqual(latencyAt({ took25: 10 }, 0.5), 12.5)
    assert.strictEqual(latencyAt({ took25: 90, took1000: 10 }, 0.9), 25)
    assert.strictEqual(latencyAt({ took25: 89, tookLonger: 11 }, 0.9), Infinity)
  })

  const Millis = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 60_000 }))

  it.prop("is within the bounds that the call was counted in", [Millis], ([millis]) => {
    const found = latencyAt({ [latencyFigureOf(millis)]: 1 }, 1) ?? 0
    const bound = latencyBounds.find((one) => millis <= one) ?? Infinity
    assert.strictEqual(found, bound)
  })
})
