import { assert, layer } from "#test/support/it.ts"
import { Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { EventStreams, Notices } from "#application/events/EventStreams.ts"
import { AccountId } from "#domain/accounts/Account.ts"
import { Outbox } from "#application/events/Outbox.ts"
import { beforeAllEvents, type SwapEvent, SwapEventId } from "#domain/swaps/SwapEvent.ts"
import { EpochMillis } from "#domain/Time.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { newAccount, stores } from "#test/support/store.ts"

const newSwap = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { id: account } = yield* newAccount
  const [row] = yield* sql`
    INSERT INTO swaps (account_id, platform, opening, request, created_at, updated_at, state, status, opening_lease_until)
    VALUES (${account}, 'chainflip', 'opened', '{}', now(), now(), 'waiting', '{}', now()) RETURNING id`
  return SwapRecordId.make(Number(row?.["id"]))
})

const times = Effect.fnUntraced(function* (swap: SwapRecordId) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`SELECT kind, times FROM swap_notices WHERE swap_id = ${swap} ORDER BY kind`
  return rows.map(({ kind, times }) => `${kind} ${times}`)
})

for (const store of stores) {
  layer(Notices.layer.pipe(Layer.provideMerge(store.layer)))(
    `What was shown of swaps, on ${store.name}`,
    (it) => {
      it.effect("is written once a minute, with its first and latest time and how often", function* () {
        const notices = yield* Notices
        const [swap, other] = [yield* newSwap, yield* newSwap]
        const write = TestClock.adjust("1 minute")
        yield* notices.note(swap, "page")
        yield* TestClock.adjust("20 seconds")
        yield* notices.note(swap, "page", 0)
        yield* notices.note(swap, "swap.sent")
        yield* notices.note(other, "page")
        assert.deepStrictEqual(yield* times(swap), [])
        yield* write
        while ((yield* times(other)).length === 0) yield* Effect.yieldNow
        assert.deepStrictEqual(yield* times(swap), ["page 1", "swap.sent 1"])
        yield* notices.note(swap, "page")
        const [latest, sent] = yield* notices.of(swap)
        assert.deepStrictEqual([latest?.kind, latest?.times, sent?.kind], ["page", 2, "swap.sent"])
        assert.strictEqual((latest?.lastAt ?? 0) - (latest?.firstAt ?? 0), 80_000)
      })

      it.effect("includes the events of a stream, once they are sent", function* () {
        const swapId = yield* newSwap
        const id = SwapEventId.make(1)
        const event: SwapEvent = { id, type: "swap.sent", swapId, at: EpochMillis.make(1), payload: "{}" }
        const outbox = Outbox.of({
          after: () => Effect.succeed([]),
          latestId: () => Effect.succeed(beforeAllEvents),
          follow: () => Stream.make(event, event),
        })
        const streams = EventStreams.layer({ mostPerAccount: 1 }).pipe(
          Layer.provide(Layer.succeed(Outbox, outbox)),
        )
        const account = AccountId.make(1)
        const listened = Effect.gen(function* () {
          const stream = yield* (yield* EventStreams).open({
            account,
            events: { account },
            after: beforeAllEvents,
          })
          yield* Stream.runDrain(Stream.take(stream, 1))
        })
        yield* Effect.provide(listened, streams)
        const [sent] = yield* (yield* Notices).of(swapId)
        assert.deepStrictEqual([sent?.kind, sent?.times], ["swap.sent", 1])
      })

      it.effect("is deleted with its swap, and costs nobody anything where that is gone", function* () {
        const sql = yield* SqlClient.SqlClient
        const notices = yield* Notices
        const swap = yield* newSwap
        yield* notices.note(swap, "page")
        assert.strictEqual((yield* notices.of(swap)).length, 1)
        yield* sql`DELETE FROM swaps WHERE id = ${swap}`
        assert.deepStrictEqual(yield* times(swap), [])
        yield* notices.note(swap, "page")
        assert.deepStrictEqual(yield* notices.of(swap), [])
      })

      it.effect("is not more in a minute than a small table", function* () {
        const notices = yield* Notices
        const swap = yield* newSwap
        for (let number = 1; number <= 5_000; number++) {
          yield* notices.note(SwapRecordId.make(1e9 + number), "page")
        }
        yield* notices.note(swap, "page")
        assert.deepStrictEqual(yield* notices.of(swap), [])
      })
    },
  )
}
