import { writeRecord } from "#test/support/writeRecord.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Queue, Redacted } from "effect"
import { AccountId } from "#domain/accounts/Account.ts"
import { DatabaseLocation } from "#infrastructure/store/database/DatabaseLocation.ts"
import { OutboxRepo } from "#infrastructure/store/swaps/OutboxRepo.ts"
import { sqlLayer } from "#infrastructure/store/database/Sql.ts"
import { notifyReplicas } from "#infrastructure/store/database/notifyReplicas.ts"
import { embeddedStore } from "#test/support/store.ts"
import { temporaryDatabase } from "#test/support/temporaryDatabase.ts"

const servers = [Deno.env.get("TEST_DATABASE_URL")].flatMap((url) => url === undefined ? [] : [url])

const replica = (url: string) =>
  Layer.build(
    notifyReplicas.pipe(
      Layer.provideMerge(OutboxRepo.layer(writeRecord)),
      Layer.provide(Layer.fresh(
        sqlLayer(DatabaseLocation.Server({ url: Redacted.make(url), maximumConnections: 3 })),
      )),
      Layer.fresh,
    ),
  ).pipe(Effect.flatMap((services) => Effect.provide(OutboxRepo, services)))

describe.each(servers.map((url) => ({ url })))("Replicas over one Postgres", ({ url }) => {
  it.live("hear of what others wrote, each account by itself", () =>
    Effect.scoped(Effect.gen(function* () {
      const database = yield* temporaryDatabase(url)
      const one = yield* replica(database)
      const other = yield* replica(database)
      const account = AccountId.make(7)
      const bell = yield* other.doorbell.listen(account)
      const foreign = yield* other.doorbell.listen(AccountId.make(8))
      // Until the other one listens, what is said is lost.
      const ring = Effect.andThen(Effect.sync(() => one.doorbell.ring(account)), Effect.sleep("50 millis"))
      yield* Effect.raceFirst(Queue.take(bell), Effect.forever(ring))
      assert.isTrue((yield* Queue.poll(foreign))._tag === "None")
    })))
})

describe("A bell without Postgres", () => {
  it.effect("is rung in its own process", () =>
    Effect.scoped(Effect.gen(function* () {
      const { doorbell } = yield* OutboxRepo
      const heard: Array<AccountId> = []
      yield* doorbell.hear((account) => heard.push(account))
      const bell = yield* doorbell.listen(AccountId.make(7))
      doorbell.ring(AccountId.make(7))
      doorbell.ring(AccountId.make(7))
      yield* Queue.take(bell)
      assert.isTrue((yield* Queue.poll(bell))._tag === "None", "two rings are one reason to look")
      doorbell.echo(AccountId.make(7))
      yield* Queue.take(bell)
      assert.deepStrictEqual(heard, [AccountId.make(7), AccountId.make(7)])
    })).pipe(Effect.provide(OutboxRepo.layer(writeRecord)), Effect.provide(embeddedStore.database)))
})
