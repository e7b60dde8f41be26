import { assert, describe, it, TestClock } from "../support.ts"
import { Array, Duration, Effect, Fiber } from "effect"
import { AccountId } from "#domain/accounts/Account.ts"
import { makeBulkhead, OnBehalfOf } from "#infrastructure/platform/Bulkhead.ts"
import { after, begin, defaultKnobs, guardedUpstream, guardLayer, settle, times } from "./support.ts"

const [one, other, third] = [AccountId.make(1), AccountId.make(2), AccountId.make(3)]

const as = (account: AccountId) => <A, E, R>(call: Effect.Effect<A, E, R>) =>
  Effect.provideService(call, OnBehalfOf, account)

const { bulkhead } = defaultKnobs.groups.open

describe("a bulkhead", () => {
  it.effect("has places for another account, however many openings of one are under way", function* () {
    const upstream = yield* guardedUpstream()
    yield* times(24, begin(as(one)(upstream.ask("open", Effect.never))))
    const answers = yield* times(40, as(other)(upstream.ask("open")))
    assert.deepStrictEqual(answers, Array.replicate("answered", 40))
    assert.strictEqual(upstream.attempts(), bulkhead / 2 + 40)
  })

  it.effect("has all its places for the work of the service itself", function* () {
    const upstream = yield* guardedUpstream()
    yield* times(bulkhead, begin(upstream.ask("open", Effect.never)))
    assert.strictEqual(upstream.attempts(), bulkhead)
  })

  it.effect("lets a call wait for a place, and then refuses it", function* () {
    const upstream = yield* guardedUpstream()
    yield* times(8, begin(as(one)(upstream.ask("open", after("500 millis")))))
    const waiting = yield* begin(as(one)(upstream.ask("open", Effect.never)))
    yield* TestClock.adjust("500 millis")
    assert.strictEqual(upstream.attempts(), 9)
    yield* times(7, begin(as(one)(upstream.ask("open", Effect.never))))
    const refused = yield* begin(as(one)(upstream.ask("open")))
    yield* TestClock.adjust("999 millis")
    assert.isUndefined(refused.pollUnsafe())
    yield* TestClock.adjust("1 millis")
    assert.strictEqual(yield* Fiber.join(refused), "NotCalled")
    assert.isUndefined(waiting.pollUnsafe())
    assert.deepInclude((yield* upstream.view).open.calls, { rejected: 1, failed: 0 })
  })

  it.effect("refuses at once where the line of an account is as long as its share", function* () {
    const upstream = yield* guardedUpstream()
    yield* times(8 + 8, begin(as(one)(upstream.ask("open", Effect.never))))
    assert.strictEqual(yield* as(one)(upstream.ask("open")), "NotCalled")
  })

  it.effect("gives what becomes free to the accounts in turn", function* () {
    const within = makeBulkhead(2, { share: 1, wait: Duration.seconds(1) }).within
    const order: Array<AccountId> = []
    const call = (account: AccountId) =>
      within(Effect.delay(Effect.sync(() => void order.push(account)), "100 millis")).pipe(as(account), begin)
    yield* times(4, call(one))
    yield* times(2, call(other))
    yield* call(third)
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(order, [one, one, one, other, third, one, other])
  })

  it.effect("loses no place to callers that go away or come too late", function* () {
    const { isFull, within } = makeBulkhead(2, { share: 0.5, wait: Duration.seconds(1) })
    const call = as(one)(within(Effect.sleep("5 seconds")))
    const first = yield* begin(call)
    const waiting = yield* begin(call)
    yield* Fiber.interrupt(waiting)
    yield* begin(call)
    yield* TestClock.adjust("2 seconds")
    assert.isTrue(isFull(one))
    assert.isFalse(isFull(other))
    yield* Fiber.interrupt(first)
    yield* settle
    assert.isFalse(isFull(one))
    const again = yield* Effect.all([call, as(other)(within(Effect.void))], { concurrency: 2 }).pipe(
      begin,
    )
    yield* TestClock.adjust("5 seconds")
    assert.lengthOf(yield* Fiber.join(again), 2)
  })

  it.effect("lets nobody wait for longer than leaves time for the call", function* () {
    const upstream = yield* guardedUpstream(guardLayer({
      ...defaultKnobs,
      sharing: { share: 0.5, wait: Duration.hours(1) },
    }))
    yield* times(16, begin(as(one)(upstream.ask("status", Effect.never))))
    const waiting = yield* begin(as(one)(upstream.ask("status", after("3 seconds"))))
    yield* TestClock.adjust("1249 millis")
    assert.isUndefined(waiting.pollUnsafe())
    yield* TestClock.adjust("1 millis")
    assert.strictEqual(yield* Fiber.join(waiting), "NotCalled")
  })
})
