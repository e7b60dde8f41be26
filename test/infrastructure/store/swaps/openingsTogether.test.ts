import { assert, layer } from "#test/support/it.ts"
import { Deferred, Effect, Fiber, Option } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { Account } from "#domain/accounts/Account.ts"
import { Address } from "#domain/chains/Address.ts"
import { Fingerprint, IdempotencyKey } from "#domain/swaps/Idempotency.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { EpochMillis } from "#domain/Time.ts"
import { IdempotencyRepo } from "#infrastructure/store/swaps/IdempotencyRepo.ts"
import { OpeningsRepo } from "#infrastructure/store/swaps/OpeningsRepo.ts"
import { accountLock } from "#infrastructure/store/swaps/OutboxRepo.ts"
import { openingAsked } from "#test/support/account.ts"
import { newAccount, servers, stores } from "#test/support/store.ts"
import { anyChannel, swapRequest, waitingStatus } from "#test/support/swap.ts"

const platform = ProviderName.make("first")

const now = EpochMillis.make(0)

const newOpening = ({ id }: Account) => ({
  accountId: id,
  platform,
  request: swapRequest,
  ...openingAsked,
  at: now,
  leaseUntil: EpochMillis.make(60_000),
  openChannelsMost: 1_000,
})

const request = (account: Account) =>
  Effect.flatMap(OpeningsRepo, (openings) => openings.request(newOpening(account)))

let keyCount = 0

const requestWithKey = (account: Account) =>
  Effect.flatMap(IdempotencyRepo, (keys) => {
    const keyed = {
      accountId: account.id,
      key: IdempotencyKey.make(`key-${++keyCount}`),
      fingerprint: Fingerprint.make("0".repeat(64)),
    }
    return keys.takeForOpening({ keyed, at: now, expiresAt: EpochMillis.make(1_000) }, newOpening(account))
  })

let channelCount = 0

/** The end of an opening whose channel is nobody else's. */
const opened = (id: SwapRecordId) => {
  const channelId = ++channelCount
  const channel = {
    ...anyChannel,
    id: { ...anyChannel.id, channelId },
    depositAddress: Address.make(`deposit-${channelId}`),
  }
  return Effect.flatMap(OpeningsRepo, (openings) =>
    openings.opened(id, {
      platform,
      channel,
      status: waitingStatus(swapRequest, channel),
      at: now,
      nextLookupAt: now,
      stallsAt: Option.none(),
      events: ["swap.waiting"],
    }))
}

const begin = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.forkChild(work, { startImmediately: true })

/** The ids of an account's swaps. */
const swapsOf = ({ id }: Account) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ id: bigint }>`SELECT id FROM swaps WHERE account_id = ${id} ORDER BY id`,
      (rows) => rows.map((row) => Number(row.id)),
    ))

/** The next turn of the event loop, in which what has arrived from the database is read. */
const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

for (const store of stores) {
  layer(store.layer)(`Openings of a moment on ${store.name}`, (it) => {
    it.effect("are written once each, at whichever moment another account's caller is interrupted", function* () {
      const accounts = yield* Effect.all([newAccount, newAccount, newAccount, newAccount])
      const [first, gone, second, third] = accounts
      for (let turns = 0; turns < 24; turns++) {
        const alone = yield* begin(request(first))
        const interrupted = yield* begin(request(gone))
        const others = yield* Effect.forEach([second, third], (account) => begin(request(account)))
        yield* Fiber.join(alone)
        yield* Effect.repeat(turn, { times: turns })
        yield* Fiber.interrupt(interrupted)
        const written = yield* Effect.forEach(others, Fiber.join)
        for (const [index, account] of [second, third].entries()) {
          const rows = yield* swapsOf(account)
          assert.strictEqual(rows.length, turns + 1, `${account.name} after ${turns} turns`)
          assert.strictEqual(rows.at(-1), written[index])
        }
      }
    })
  })
}

/** A transaction of somebody else that holds a lock for as long as the work takes. */
const whileLocked = Effect.fnUntraced(function* <A, E, R>(
  lock: Statement.Statement<unknown>,
  work: Effect.Effect<A, E, R>,
) {
  const sql = yield* SqlClient.SqlClient
  const isLocked = yield* Deferred.make<void>()
  const isDone = yield* Deferred.make<void>()
  const holder = yield* begin(
    sql.withTransaction(
      Effect.andThen(lock, Effect.andThen(Deferred.succeed(isLocked, undefined), Deferred.await(isDone))),
    ),
  )
  yield* Deferred.await(isLocked)
  const result = yield* work
  yield* Deferred.succeed(isDone, undefined)
  yield* Fiber.join(holder)
  return result
})

/** More than the database has connections. */
const many = Array.from({ length: 12 })

for (const store of servers) {
  layer(store.layer)(`Openings of other accounts on ${store.name}`, (it) => {
    it.effect("do not wait for the row of one that somebody holds", function* () {
      const sql = yield* SqlClient.SqlClient
      const [held, free] = yield* Effect.all([newAccount, newAccount])
      const lock = sql`SELECT id FROM accounts WHERE id = ${held.id} FOR NO KEY UPDATE`
      const waiting = yield* whileLocked(
        lock,
        Effect.gen(function* () {
          const waiting = yield* Effect.forEach(many, () => begin(request(held)))
          const together = yield* Effect.forEach(many, () => begin(request(free)))
          yield* Effect.forEach(together, Fiber.join)
          yield* opened(yield* request(free))
          assert.deepStrictEqual(waiting.map((fiber) => fiber.pollUnsafe()), waiting.map(() => undefined))
          return waiting
        }),
      )
      yield* Effect.forEach(waiting, Fiber.join)
      assert.strictEqual((yield* swapsOf(held)).length, many.length)
      assert.strictEqual((yield* swapsOf(free)).length, many.length + 1)
    })

    it.effect("do not wait for it behind openings that have a key", function* () {
      const sql = yield* SqlClient.SqlClient
      const [held, free] = yield* Effect.all([newAccount, newAccount])
      const lock = sql`SELECT id FROM accounts WHERE id = ${held.id} FOR NO KEY UPDATE`
      const waiting = yield* whileLocked(
        lock,
        Effect.gen(function* () {
          const waiting = yield* Effect.forEach(many, () => begin(requestWithKey(held)))
          yield* request(free)
          assert.isTrue(Option.isSome(yield* requestWithKey(free)))
          return waiting
        }),
      )
      const taken = yield* Effect.forEach(waiting, Fiber.join)
      assert.isTrue(taken.every(Option.isSome))
    })

    it.effect("end while somebody writes events of one", function* () {
      const sql = yield* SqlClient.SqlClient
      const [held, free] = yield* Effect.all([newAccount, newAccount])
      const [ofHeld, ofFree] = yield* Effect.all([
        Effect.forEach(many, () => request(held), { concurrency: "unbounded" }),
        Effect.forEach(many, () => request(free), { concurrency: "unbounded" }),
      ])
      const lock = sql`SELECT ${sql.literal(accountLock(`${held.id}::bigint`))}`
      const waiting = yield* whileLocked(
        lock,
        Effect.gen(function* () {
          const waiting = yield* Effect.forEach(ofHeld, (id) => begin(opened(id)))
          const together = yield* Effect.forEach(ofFree, (id) => begin(opened(id)))
          yield* Effect.forEach(together, Fiber.join)
          yield* opened(yield* request(free))
          assert.deepStrictEqual(waiting.map((fiber) => fiber.pollUnsafe()), waiting.map(() => undefined))
          return waiting
        }),
      )
      const written = yield* Effect.forEach(waiting, Fiber.join)
      assert.isTrue(written.every((isWritten) => isWritten))
      const events = sql`SELECT id FROM outbox WHERE account_id = ${held.id}`
      assert.strictEqual((yield* events).length, many.length)
    })
  })
}
