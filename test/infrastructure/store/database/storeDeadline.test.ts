import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "#test/support/it.ts"
import { Array, Deferred, Duration, Effect, Exit, Fiber, Option, Queue, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import { StoreUnavailable } from "#domain/StoreError.ts"
import { inTransaction } from "#infrastructure/store/database/inTransaction.ts"
import { StoreDeadline, storeOperation } from "#infrastructure/store/database/storeOperation.ts"
import { servers } from "#test/durability/places.ts"
import { startRelay } from "#test/support/relay.ts"
import { temporaryDatabase } from "#test/support/temporaryDatabase.ts"

const within = Effect.provideService(StoreDeadline, Option.some(Duration.millis(50)))

/** What an operation fails with that the store is to blame for. */
const failureOf = <A, E>(operation: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(operation), (error) => {
    if (error instanceof StoreUnavailable) return error
    return assert.fail(`${error}`)
  })

describe("An operation in the database", () => {
  it.live("lets go of who waits when its time is over, and ends by itself where it can", function* () {
    const ended = yield* Deferred.make<void>()
    const hanging = Effect.onInterrupt(Effect.never, () => Deferred.succeed(ended, undefined))
    const error = yield* failureOf(within(storeOperation("Test.hang")(hanging)))
    assert.strictEqual(error.operation, "Test.hang")
    assert.match(`${error.cause}`, /longer than 50ms/)
    yield* Deferred.await(ended)
  })

  it.live("lets go even where it cannot be interrupted", function* () {
    const ended = yield* Deferred.make<void>()
    const begin = Effect.uninterruptible(Deferred.await(ended))
    yield* failureOf(within(storeOperation("Test.begin")(begin)))
    yield* Deferred.succeed(ended, undefined)
  })

  it.live("is interrupted with who waits for it", function* () {
    const ended = yield* Deferred.make<void>()
    const hanging = Effect.onInterrupt(Effect.never, () => Deferred.succeed(ended, undefined))
    const waiting = within(storeOperation("Test.hang")(hanging))
    yield* Effect.timeoutOption(waiting, "10 millis")
    yield* Deferred.await(ended)
  })

  it.live("gives what comes of it in time, and has no deadline unless one is set", function* () {
    const slow = Effect.as(Effect.sleep("100 millis"), 1)
    assert.strictEqual(yield* storeOperation("Test.slow")(slow), 1)
    assert.strictEqual(yield* within(storeOperation("Test.fast")(Effect.succeed(2))), 2)
    const cause = new SqlError({ reason: new UnknownError({ cause: "full" }) })
    const error = yield* failureOf(within(storeOperation("Test.full")(Effect.fail(cause))))
    assert.strictEqual(error.cause, cause)
    const defect = yield* Effect.exit(within(storeOperation("Test.wrong")(Effect.die("wrong"))))
    assert.isTrue(Exit.hasDies(defect))
  })
})

/** A database, over a connection that can be cut or hang and over one that cannot. */
const twoWays = Effect.fnUntraced(function* (url: string) {
  const database = new URL(yield* temporaryDatabase(url))
  const direct = yield* PgClient.make({ url: Redacted.make(database.href) })
  const target = { hostname: database.hostname, port: Number(database.port || 5432) }
  const relay = yield* startRelay(() => [target])
  database.hostname = "127.0.0.1"
  database.port = `${relay.port}`
  const relayed = yield* PgClient.make({ url: Redacted.make(database.href) })
  return { direct, relay, relayed }
})

describe.each(servers)("A transaction on Postgres", (url) => {
  it.live("whose connection is cut fails as the store's, though it cannot be rolled back either", () =>
    Effect.gen(function* () {
      const { relay, relayed: sql } = yield* twoWays(url)
      const work = Effect.gen(function* () {
        yield* sql`SELECT 1`
        yield* relay.cut
        return yield* new StoreUnavailable({ operation: "Test.work", cause: "cut" })
      })
      yield* failureOf(inTransaction(sql, "Test.cut")(work))
    }).pipe(Effect.scoped, Effect.provide(Reactivity.layer)))

  it.live("that nothing more is heard of holds no lock for as long as others wait for it, nor do those behind it", () =>
    Effect.gen(function* () {
      const { direct, relay, relayed } = yield* twoWays(url)
      const lock = "SELECT pg_advisory_xact_lock(1)"
      const underWay = yield* Queue.unbounded<void>()
      const work = Effect.gen(function* () {
        yield* relayed`SELECT 1`
        yield* Queue.offer(underWay, undefined)
        yield* relayed.unsafe(lock)
        yield* Effect.never
      })
      const silent = work.pipe(
        storeOperation("Test.silent"),
        inTransaction(relayed, "Test.silent"),
        Effect.provideService(StoreDeadline, Option.some(Duration.seconds(3))),
        failureOf,
      )
      const several = Array.range(1, 5)
      const fibers = yield* Effect.forEach(several, () => Effect.forkChild(silent))
      yield* Effect.forEach(several, () => Queue.take(underWay))
      yield* Effect.sleep("100 millis")
      yield* relay.hang
      yield* Effect.ensuring(Effect.timeout(direct.unsafe(lock), "9 seconds"), relay.heal)
      yield* Effect.forEach(fibers, Fiber.join)
      assert.deepStrictEqual(yield* relayed`SELECT 1 AS one`, [{ one: 1 }])
    }).pipe(Effect.scoped, Effect.provide(Reactivity.layer)))
})
