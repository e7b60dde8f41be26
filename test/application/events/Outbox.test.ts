import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { AccountId } from "#domain/accounts/Account.ts"
import { StoreUnavailable } from "#domain/StoreError.ts"
import { type EventQuery, type SwapEvent, SwapEventId } from "#domain/swaps/SwapEvent.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { EpochMillis } from "#domain/Time.ts"
import { Outbox } from "#application/events/Outbox.ts"
import { makeDoorbell, OutboxRepo } from "#infrastructure/store/swaps/OutboxRepo.ts"

const account = AccountId.make(1)
const beginning = SwapEventId.make(0)

const eventOf = (id: number, swap = 1): SwapEvent => ({
  id: SwapEventId.make(id),
  swapId: SwapRecordId.make(swap),
  type: "swap.waiting",
  payload: "{}",
  at: EpochMillis.make(0),
})

/** An outbox of one account, and how often it was read. */
const makeDouble = () => {
  const written: Array<SwapEvent> = []
  const doorbell = makeDoorbell()
  let reads = 0
  let failing = false
  const orFailure = <A>(look: () => A) =>
    Effect.suspend(() =>
      failing ? Effect.fail(new StoreUnavailable({ operation: "test", cause: "away" })) : Effect.sync(look)
    )
  const repo = Layer.mock(OutboxRepo, {
    doorbell,
    latestId: () => orFailure(() => written.at(-1)?.id ?? beginning),
    after: ({ id, limit, swap }: EventQuery) =>
      orFailure(() => {
        reads += 1
        return written.filter((event) => event.id > id && (swap === undefined || event.swapId === swap))
          .slice(0, limit)
      }),
  })
  return {
    layer: Outbox.layer.pipe(Layer.provide(repo)),
    write: (event: SwapEvent) =>
      Effect.sync(() => {
        written.push(event)
        doorbell.ring(account)
      }),
    fail: Effect.sync(() => {
      failing = true
      doorbell.ring(account)
    }),
    reads: () => reads,
  }
}

const settle = TestClock.adjust("1 millis")

const follow = (count: number, after: SwapEventId, swap?: SwapRecordId) =>
  Effect.flatMap(
    Outbox,
    (outbox) =>
      outbox.follow({ account, ...(swap === undefined ? {} : { swap }) }, after).pipe(
        Stream.take(count),
        Stream.map(({ id }) => Number(id)),
        Stream.runCollect,
        Effect.forkChild({ startImmediately: true }),
      ),
  )

it.effect("reads an event once, however many follow the account", () => {
  const outbox = makeDouble()
  return Effect.gen(function* () {
    const followers = yield* Effect.forEach(Array.from({ length: 50 }), () => follow(3, beginning))
    yield* settle
    const before = outbox.reads()
    for (const id of [1, 2, 3]) {
      yield* outbox.write(eventOf(id))
      yield* settle
    }
    for (const follower of followers) assert.deepStrictEqual(yield* Fiber.join(follower), [1, 2, 3])
    // Each is read, and then that there is nothing more.
    assert.isAtMost(outbox.reads() - before, 6)
  }).pipe(Effect.provide(outbox.layer))
})

it.effect("lets whoever is far behind read by himself, and misses nothing on the way", () => {
  const outbox = makeDouble()
  return Effect.gen(function* () {
    const first = yield* follow(1, beginning)
    yield* settle
    const all = Array.from({ length: 1_000 }, (_, index) => index + 1)
    for (const id of all) yield* outbox.write(eventOf(id))
    yield* Fiber.join(first)
    const late = yield* follow(1_001, beginning)
    const latest = yield* follow(1, SwapEventId.make(1_000))
    yield* settle
    yield* outbox.write(eventOf(1_001))
    yield* settle
    assert.deepStrictEqual(yield* Fiber.join(late), [...all, 1_001])
    assert.deepStrictEqual(yield* Fiber.join(latest), [1_001])
  }).pipe(Effect.provide(outbox.layer))
})

it.effect.each([99, 100, 101, 200, 250])(
  "reads on page by page for who is %i events behind, beside one who has read them all",
  (count) => {
    const outbox = makeDouble()
    const all = Array.from({ length: count }, (_, index) => index + 1)
    return Effect.gen(function* () {
      for (const id of all) yield* outbox.write(eventOf(id, 1 + id % 2))
      const upToDate = yield* follow(1, SwapEventId.make(count))
      yield* settle
      const behind = yield* follow(count + 1, beginning)
      const ofOneSwap = yield* follow(Math.ceil((count + 1) / 2), beginning, SwapRecordId.make(2))
      yield* settle
      yield* outbox.write(eventOf(count + 1, 2))
      yield* settle
      assert.deepStrictEqual(yield* Fiber.join(upToDate), [count + 1])
      assert.deepStrictEqual(yield* Fiber.join(behind), [...all, count + 1])
      const odd = all.filter((id) => id % 2 === 1)
      assert.deepStrictEqual(
        yield* Fiber.join(ofOneSwap),
        [...odd, count + 1].slice(0, Math.ceil((count + 1) / 2)),
      )
    }).pipe(Effect.provide(outbox.layer))
  },
)

it.effect("tells whoever follows one swap of that swap alone", () => {
  const outbox = makeDouble()
  return Effect.gen(function* () {
    const follower = yield* follow(2, beginning, SwapRecordId.make(2))
    yield* settle
    for (const [id, swap] of [[1, 1], [2, 2], [3, 1], [4, 2]] as const) {
      yield* outbox.write(eventOf(id, swap))
      yield* settle
    }
    assert.deepStrictEqual(yield* Fiber.join(follower), [2, 4])
  }).pipe(Effect.provide(outbox.layer))
})

it.effect("ends for all who follow where the database fails", () => {
  const outbox = makeDouble()
  return Effect.gen(function* () {
    const followers = yield* Effect.forEach([1, 2], () => follow(1, beginning))
    yield* settle
    yield* outbox.fail
    yield* settle
    for (const follower of followers) {
      assert.strictEqual((yield* Effect.flip(Fiber.join(follower)))._tag, "StoreUnavailable")
    }
  }).pipe(Effect.provide(outbox.layer))
})
