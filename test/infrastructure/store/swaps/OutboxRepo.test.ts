import { assert, layer } from "#test/support/it.ts"
import { Array, Deferred, Effect, Fiber, Layer, Option, Queue, Random, Semaphore, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Outbox } from "#application/events/Outbox.ts"
import type { AccountId } from "#domain/accounts/Account.ts"
import { beforeAllEvents, type SwapEventId, type SwapEventType } from "#domain/swaps/SwapEvent.ts"
import { EpochMillis } from "#domain/Time.ts"
import { inTransaction } from "#infrastructure/store/database/inTransaction.ts"
import { OutboxRepo } from "#infrastructure/store/swaps/OutboxRepo.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { newAccount, stores } from "#test/support/store.ts"
import { openingRequest, statusIn } from "#test/support/swap.ts"
import { scriptedProviders, swappingLayer } from "#test/support/swapping.ts"

const at = EpochMillis.make(1_000)

/** A swap of an account of its own, whose outbox has the one event of its opening. */
const aSwap = Effect.gen(function* () {
  yield* scriptedProviders
  const account = yield* newAccount
  const { id, platform } = yield* (yield* Swaps).open(account, openingRequest())
  return { account: account.id, record: { id, platform, status: statusIn("receiving") } }
})

for (const store of stores) {
  layer(
    Outbox.layer.pipe(Layer.provideMerge(swappingLayer), Layer.provideMerge(store.layer)),
  )(`The outbox on ${store.name}`, (it) => {
    const add = Effect.fnUntraced(function* (
      { account, record }: Effect.Success<typeof aSwap>,
      events: ReadonlyArray<SwapEventType>,
      before: Effect.Effect<void> = Effect.void,
      afterwards: Effect.Effect<void> = Effect.void,
    ) {
      const sql = yield* SqlClient.SqlClient
      const outbox = yield* OutboxRepo
      yield* before.pipe(
        Effect.andThen(outbox.add({ accountId: account, record, at, events })),
        Effect.andThen(afterwards),
        inTransaction(sql, "test"),
      )
      outbox.doorbell.ring(account)
    })

    const typesAfter = (account: AccountId, id: SwapEventId) =>
      Effect.flatMap(Outbox, (outbox) => outbox.after({ account, id, limit: 100 })).pipe(
        Effect.map((events) => events.map(({ type }) => type)),
      )

    it.effect("has the record of the moment, as the contract writes it", function* () {
      const swap = yield* aSwap
      const outbox = yield* Outbox
      const [opened] = yield* outbox.after({ account: swap.account, id: beforeAllEvents, limit: 1 })
      assert(opened !== undefined)
      assert.strictEqual(opened.type, "swap.waiting")
      assert.strictEqual(opened.swapId, swap.record.id)
      assert.include(
        opened.payload,
        `"id":${swap.record.id},"platform":"first","status":{"state":"waiting"`,
      )
      assert.include(opened.payload, '"minimumPrice":"32.12345678901234567890123456789"')
      assert.strictEqual(yield* outbox.latestId(swap.account), opened.id)
    })

    it.effect("gives what comes after an event, no more than is asked for, and nothing of others", function* () {
      const swap = yield* aSwap
      const other = yield* aSwap
      const outbox = yield* Outbox
      const latest = yield* outbox.latestId(swap.account)
      yield* add(swap, ["swap.receiving", "swap.swapping"])
      yield* add(other, ["swap.failed"])
      yield* add(swap, ["swap.sending"])
      const page = yield* outbox.after({ account: swap.account, id: latest, limit: 2 })
      assert.deepStrictEqual(page.map(({ type }) => type), ["swap.receiving", "swap.swapping"])
      assert.deepStrictEqual(yield* typesAfter(swap.account, page[1]?.id ?? latest), ["swap.sending"])
    })

    it.effect("never shows an event after a later one of the same account, however writers end", function* () {
      const swap = yield* aSwap
      const outbox = yield* Outbox
      const repo = yield* OutboxRepo
      const sql = yield* SqlClient.SqlClient
      const { account: accountId, record } = swap
      const seen: Array<SwapEventId> = []
      let last = yield* outbox.latestId(accountId)
      const write = Effect.gen(function* () {
        const turns = yield* Random.nextIntBetween(0, 4)
        const dawdle = Effect.replicateEffect(sql`SELECT 1`, turns, { discard: true })
        const fails = (yield* Random.nextIntBetween(0, 4)) === 0
        yield* Effect.orDie(dawdle).pipe(
          Effect.andThen(repo.add({ accountId, record, at, events: ["swap.sending", "swap.sent"] })),
          Effect.andThen(Effect.orDie(dawdle)),
          Effect.andThen(fails ? Effect.fail("undone" as const) : Effect.void),
          inTransaction(sql, "test"),
          Effect.catchIf((error) => error === "undone", () => Effect.void),
        )
      })
      const look = Effect.gen(function* () {
        const events = yield* outbox.after({ account: accountId, id: last, limit: 7 })
        seen.push(...events.map(({ id }) => id))
        last = events.at(-1)?.id ?? last
      })
      const reader = Semaphore.makeUnsafe(1)
      yield* Effect.forEach(
        Array.range(1, 60),
        () => Effect.andThen(write, reader.withPermit(look)),
        { concurrency: 8, discard: true },
      )
      yield* Effect.replicateEffect(look, 20)
      const all = yield* outbox.after({ account: accountId, id: beforeAllEvents, limit: 1_000 })
      assert.deepStrictEqual(seen, all.slice(1).map(({ id }) => id))
      assert.isAbove(seen.length, 20)
    })

    it.effect("rings for those who listen to an account, and follows it from any event on", function* () {
      const swap = yield* aSwap
      const outbox = yield* Outbox
      const ready = yield* Deferred.make<void>()
      const bell = yield* (yield* OutboxRepo).doorbell.listen(swap.account)
      const followed = yield* outbox.follow({ account: swap.account }, beforeAllEvents).pipe(
        Stream.tap(() => Deferred.succeed(ready, undefined)),
        Stream.take(3),
        Stream.runCollect,
        Effect.forkChild,
      )
      yield* Deferred.await(ready)
      assert.deepStrictEqual(yield* Queue.poll(bell), Option.none())
      yield* add(swap, ["swap.receiving"])
      assert.isTrue(Option.isSome(yield* Queue.poll(bell)))
      yield* add(swap, ["swap.failed"])
      const types = (yield* Fiber.join(followed)).map(({ type }) => type)
      assert.deepStrictEqual(types, ["swap.waiting", "swap.receiving", "swap.failed"])
    })

    it.effect("is looked at anyway where nobody rings", function* () {
      const { account, record } = yield* aSwap
      const outbox = yield* Outbox
      const repo = yield* OutboxRepo
      const sql = yield* SqlClient.SqlClient
      const followed = yield* outbox.follow({ account }, yield* outbox.latestId(account)).pipe(
        Stream.take(1),
        Stream.runCollect,
        Effect.forkChild({ startImmediately: true }),
      )
      // By now it has looked once, and found nothing.
      yield* sql`SELECT 1`
      yield* inTransaction(sql, "test")(repo.add({ accountId: account, record, at, events: ["swap.failed"] }))
      while (followed.pollUnsafe() === undefined) {
        yield* TestClock.adjust("5 seconds")
        yield* sql`SELECT 1`
      }
      assert.deepStrictEqual((yield* Fiber.join(followed)).map(({ type }) => type), ["swap.failed"])
    })
  })
}
