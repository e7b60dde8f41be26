import { assert, layer } from "#test/support/it.ts"
import { Deferred, Effect, Exit, Fiber, Layer, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AccountId } from "#domain/accounts/Account.ts"
import { OnBehalfOf } from "#infrastructure/platform/Bulkhead.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { EpochMillis } from "#domain/Time.ts"
import { StoreUnavailable } from "#domain/StoreError.ts"
import { NotFoundRepo } from "#infrastructure/store/swaps/NotFoundRepo.ts"
import { makeNotFoundBudget } from "#application/swapping/following/NotFoundBudget.ts"
import { newAccount, onStores, servers } from "#test/support/store.ts"

/** The upstream's own limit, in a minute (chainflip/wire.md 3.5). */
const tolerated = 10

const one = ProviderName.make("one")
const other = ProviderName.make("other")

const nothing = Effect.succeedNone
const something = Effect.succeed(Option.some("a swap"))

/** Three processes over one database, in which nothing is spent, and an hour later than the test before. */
const replicas = Effect.gen(function* () {
  yield* TestClock.adjust("1 hour")
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM not_found_lookups`
  const repo = yield* NotFoundRepo
  return {
    sql,
    budgets: [1, 2, 3].map(() => makeNotFoundBudget({ timeScale: 1 }, repo)),
  }
})

onStores(Layer.empty)("What finds nothing", (it) => {
  it.effect("stays under what the upstream tolerates, however many replicas ask at one time", function* () {
    const { budgets } = yield* replicas
    let asked = 0
    const ask = Effect.flatMap(Effect.sync(() => asked++), () => nothing)
    const results = yield* Effect.forEach(
      Array.from({ length: 20 }, () => budgets).flat(),
      (budget) => Effect.result(budget.spend(one, ask)),
      { concurrency: "unbounded" },
    )
    assert.isAtLeast(asked, 5)
    assert.isBelow(asked, tolerated)
    assert.lengthOf(results.filter(Result.isSuccess), asked)
  })

  it.effect("is as much as a provider says that it tolerates, of which an account that asks alone has all but a fifth", function* () {
    yield* replicas
    const repo = yield* NotFoundRepo
    const generous = makeNotFoundBudget({ timeScale: 1 }, repo, () => Effect.succeed(30))
    const asked = (account?: AccountId) =>
      Effect.gen(function* () {
        let count = 0
        while (Result.isSuccess(yield* Effect.result(generous.spend(one, nothing)))) count++
        return count
      }).pipe(Effect.provideService(OnBehalfOf, account))
    assert.strictEqual(yield* asked(AccountId.make(1)), 24)
    assert.strictEqual(yield* asked(AccountId.make(2)), 1, "It is new, and the first has asked, too")
    assert.strictEqual(yield* asked(AccountId.make(3)), 1)
    assert.strictEqual(yield* asked(), 4)
  })

  it.effect("is two in five for each of those who ask, and one more for each channel and payload that is open", function* () {
    const { sql } = yield* replicas
    const generous = makeNotFoundBudget({ timeScale: 1 }, yield* NotFoundRepo, () => Effect.succeed(60))
    const [first, second] = [yield* newAccount, yield* newAccount]
    const as = (id: AccountId) => Effect.provideService(OnBehalfOf, id)
    yield* sql`UPDATE accounts SET open_channels = 5 WHERE id = ${first.id}`
    yield* as(second.id)(generous.spend(one, nothing))
    let asked = 0
    while (Result.isSuccess(yield* Effect.result(as(first.id)(generous.spend(one, nothing))))) asked++
    assert.strictEqual(asked, 24 + 5)
    yield* sql`UPDATE accounts SET open_channels = 0 WHERE id = ${first.id}`
  })

  it.effect("is one at least for an account, however little an upstream tolerates", function* () {
    yield* replicas
    const strict = makeNotFoundBudget({ timeScale: 1 }, yield* NotFoundRepo, () => Effect.succeed(1))
    const ask = Effect.provideService(strict.spend(one, nothing), OnBehalfOf, AccountId.make(1))
    assert.deepStrictEqual(yield* ask, Option.none())
    assert.strictEqual((yield* Effect.flip(ask))._tag, "BudgetExhausted")
  })

  it.effect("is counted on after a restart, until a minute has passed", function* () {
    const { budgets: [before, after] } = yield* replicas
    if (before === undefined || after === undefined) return assert.fail("no budgets")
    for (let asked = 0; asked < 6; asked++) yield* before.spend(one, nothing)
    yield* TestClock.adjust("20 seconds")
    const refused = yield* Effect.flip(after.spend(one, something))
    if (refused._tag !== "BudgetExhausted") return assert.fail(refused._tag)
    assert.strictEqual(refused.until - (yield* Effect.clockWith((clock) => clock.currentTimeMillis)), 40_000)
    yield* TestClock.adjust("40 seconds")
    assert.deepStrictEqual(yield* after.spend(one, something), Option.some("a swap"))
  })

  it.effect("is never all one account's: others and the service find places, and what is refused costs nothing", function* () {
    const { budgets: [first, second], sql } = yield* replicas
    if (first === undefined || second === undefined) return assert.fail("no budgets")
    const [one1, other1] = [yield* newAccount, yield* newAccount]
    const as = (id: AccountId) => Effect.provideService(OnBehalfOf, id)
    let asked = 0
    const ask = Effect.flatMap(Effect.sync(() => asked++), () => nothing)
    const flood = Effect.forEach(
      Array.from({ length: 180 }, () => [first, second]).flat(),
      (budget) => Effect.result(as(one1.id)(budget.spend(one, ask))),
      { concurrency: "unbounded" },
    )
    const flooding = yield* Effect.forkChild(flood, { startImmediately: true })
    yield* TestClock.adjust("2 seconds")
    yield* Fiber.join(flooding)
    yield* flood
    assert.strictEqual(asked, 4)
    assert.lengthOf(yield* sql`SELECT 1 FROM not_found_lookups`, 4)
    assert.deepStrictEqual(yield* as(other1.id)(first.spend(one, something)), Option.some("a swap"))
    assert.deepStrictEqual(yield* first.spend(one, something), Option.some("a swap"))

    yield* as(other1.id)(first.spend(one, nothing))
    const refused = yield* Effect.flip(as(other1.id)(first.spend(one, nothing)))
    assert.strictEqual(refused._tag, "BudgetExhausted")
    yield* first.spend(one, nothing)
    yield* TestClock.adjust("1 minute")
    assert.deepStrictEqual(yield* as(one1.id)(first.spend(one, something)), Option.some("a swap"))
  })

  it.effect("keeps neither the service nor another account waiting for one that hangs", function* () {
    const { budgets: [budget] } = yield* replicas
    if (budget === undefined) return assert.fail("no budget")
    const [hanging, calm] = [yield* newAccount, yield* newAccount]
    const as = (id: AccountId) => Effect.provideService(OnBehalfOf, id)
    const stuck = yield* Effect.forEach(
      Array.from({ length: 20 }),
      () => Effect.forkChild(as(hanging.id)(budget.spend(one, Effect.never)), { startImmediately: true }),
    )
    assert.deepStrictEqual(yield* budget.spend(one, something), Option.some("a swap"))
    assert.deepStrictEqual(yield* as(calm.id)(budget.spend(one, something)), Option.some("a swap"))
    yield* Fiber.interruptAll(stuck)
  })

  it.effect("is one upstream's matter", function* () {
    const { budgets: [budget] } = yield* replicas
    if (budget === undefined) return assert.fail("no budget")
    for (let asked = 0; asked < 6; asked++) yield* budget.spend(one, nothing)
    assert.deepStrictEqual(yield* budget.spend(other, something), Option.some("a swap"))
  })

  it.effect("is not what finds something, fails or is called off", function* () {
    const { budgets: [budget], sql } = yield* replicas
    if (budget === undefined) return assert.fail("no budget")
    for (let asked = 0; asked < 12; asked++) {
      yield* budget.spend(one, something)
      yield* Effect.exit(budget.spend(one, Effect.fail("the upstream is down")))
    }
    const under = yield* Deferred.make<void>()
    const asking = yield* Effect.forkChild(
      budget.spend(one, Effect.andThen(Deferred.succeed(under, undefined), Effect.never)),
    )
    yield* Deferred.await(under)
    yield* Fiber.interrupt(asking)
    assert.deepStrictEqual(yield* sql`SELECT * FROM not_found_lookups`, [])
  })

  it.effect("is told although no account can be kept of it any more", function* () {
    yield* replicas
    const repo = yield* NotFoundRepo
    const away = Effect.fail(new StoreUnavailable({ operation: "NotFound.release", cause: "away" }))
    const budget = makeNotFoundBudget({ timeScale: 1 }, { ...repo, release: () => away, spend: () => away })
    assert.deepStrictEqual(yield* budget.spend(one, something), Option.some("a swap"))
    assert.deepStrictEqual(yield* budget.spend(one, nothing), Option.none())
  })

  it.effect("may have been found by a process that was killed: that counts for a minute", function* () {
    const { budgets: [budget], sql } = yield* replicas
    if (budget === undefined) return assert.fail("no budget")
    const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    for (let lost = 0; lost < 9; lost++) {
      yield* sql`INSERT INTO not_found_lookups (platform, at) VALUES (${one}, ${new Date(now)})`
    }
    assert.isTrue(Exit.isFailure(yield* Effect.exit(budget.spend(one, something))))
    yield* TestClock.adjust("1 minute")
    assert.deepStrictEqual(yield* budget.spend(one, something), Option.some("a swap"))
  })
})

const limits = { window: 60_000, most: 5, mostWhereNew: 5, mostWithUnderWay: 8, mostOfAccount: 5 }

for (const store of servers) {
  layer(store.layer)(`Places of look-ups on ${store.name}`, (it) => {
    it.effect("are given one replica after the other, so that the last one is given once", function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* NotFoundRepo
      const now = EpochMillis.make(Date.now())
      for (let place = 0; place < 7; place++) yield* repo.reserve(one, undefined, now, limits)

      const reserve = Effect.forkChild(repo.reserve(one, undefined, now, limits), { startImmediately: true })
      /** Whoever reserves at the same time as another waits for it. */
      const waiting = Effect.map(
        sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        (rows) => rows.length,
      )
      const held = yield* Deferred.make<void>()
      const enough = yield* Deferred.make<void>()
      const holder = yield* Effect.forkChild(sql.withTransaction(Effect.gen(function* () {
        yield* sql`SELECT pg_advisory_xact_lock(hashtext('not_found_lookups'), hashtext(${one}))`
        yield* Deferred.succeed(held, undefined)
        yield* Deferred.await(enough)
      })))
      yield* Deferred.await(held)
      const together = yield* Effect.all([reserve, reserve])
      while ((yield* waiting) < 2) {
        assert(together.every((fiber) => fiber.pollUnsafe() === undefined), "It did not wait for the other")
      }
      yield* Deferred.succeed(enough, undefined)
      yield* Fiber.join(holder)
      const tags = (yield* Effect.forEach(together, Fiber.join)).map(({ _tag }) => _tag)
      assert.deepStrictEqual(tags.toSorted(), ["Busy", "Reserved"])
    })
  })
}
