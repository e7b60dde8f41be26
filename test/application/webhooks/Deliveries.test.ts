import { assert, layer } from "#test/support/it.ts"
import { Array, Deferred, Duration, Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { EpochMillis } from "#domain/Time.ts"
import { SwapEventId } from "#domain/swaps/SwapEvent.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { type Claim, DeliveriesRepo, Verdict } from "#infrastructure/store/webhooks/DeliveriesRepo.ts"
import { DeliveryListRepo } from "#infrastructure/store/webhooks/DeliveryListRepo.ts"
import { inTransaction } from "#infrastructure/store/database/inTransaction.ts"
import { onStores, servers } from "#test/support/store.ts"
import { swappingLayer } from "#test/support/swapping.ts"
import {
  begin,
  endpointConcurrency,
  fanOutAll,
  makeReceivers,
  settle,
  told,
  webhooksTo,
} from "./support/telling.ts"

const receivers = makeReceivers()

const always = { from: EpochMillis.make(0), to: EpochMillis.make(10 ** 14) }

const idsOf = (from: number, to: number) => ({ from: SwapEventId.make(from), to: SwapEventId.make(to) })

onStores(webhooksTo(receivers).pipe(Layer.provideMerge(swappingLayer)))("Webhooks", (it) => {
  it.effect("are told again of a range of events, in order and with the same ids", function* () {
    const { account, actor, aSwap, deliveries, happen, url, webhooks } = yield* begin
    const swap = yield* aSwap
    yield* happen(swap, "swap.receiving")
    const { webhook } = yield* webhooks.create(account, { url }, actor)
    yield* happen(swap, "swap.swapping", "swap.completed")
    yield* settle
    const first = receivers.taken(url).map(told)
    const replay = (from: number, to: number) =>
      deliveries.replay(account, webhook.id, { ids: idsOf(from, to), times: always, which: "all" }, actor)
    assert.strictEqual(yield* replay(0, Number.MAX_SAFE_INTEGER), 4)
    yield* settle
    const again = receivers.taken(url).map(told)
    assert.deepStrictEqual(again.map(({ type }) => type), [
      "swap.waiting",
      "swap.receiving",
      "swap.swapping",
      "swap.completed",
    ])
    assert.deepStrictEqual(again.slice(2), first)
    const last = Number(first.at(-1)?.id?.replace("evt_", ""))
    assert.strictEqual(yield* replay(last, last), 1)
    yield* settle
    assert.deepStrictEqual(receivers.taken(url).map(told), first.slice(-1))
    assert.strictEqual(yield* replay(last + 1, Number.MAX_SAFE_INTEGER), 0)
  })

  it.effect("are listed by their swap with where they went, the latest first", function* () {
    const { account, actor, aSwap, deliveries, happen, url, webhooks } = yield* begin
    const [swap, other] = [yield* aSwap, yield* aSwap]
    const { webhook } = yield* webhooks.create(account, { url }, actor)
    yield* happen(other, "swap.receiving")
    yield* happen(swap, "swap.swapping", "swap.completed")
    yield* settle
    const listed = (limit: number) =>
      Effect.map(
        deliveries.ofSwap(swap.id, limit),
        (all) => all.map(({ account, state, type, webhookId }) => [type, state, account, webhookId]),
      )
    assert.deepStrictEqual(yield* listed(9), [
      ["swap.completed", "delivered", account.name, webhook.id],
      ["swap.swapping", "delivered", account.name, webhook.id],
    ])
    assert.lengthOf(yield* listed(1), 1)
  })

  it.effect("are told again of what has not arrived alone", function* () {
    const { account, actor, aSwap, deliveries, happen, url, webhooks } = yield* begin
    const swap = yield* aSwap
    const { webhook } = yield* webhooks.create(account, { url }, actor)
    yield* happen(swap, "swap.receiving")
    yield* settle
    yield* receivers.answer(url, { status: 410 })
    yield* happen(swap, "swap.swapping")
    yield* settle
    yield* receivers.answer(url, { status: 200 })
    yield* webhooks.change(account, webhook.id, { enabled: true }, actor)
    receivers.taken(url)
    const undelivered = deliveries.replay(
      account,
      webhook.id,
      { ids: idsOf(0, Number.MAX_SAFE_INTEGER), times: always, which: "undelivered" },
      actor,
    )
    assert.strictEqual(yield* undelivered, 2)
    yield* settle
    assert.deepStrictEqual(receivers.taken(url).map(told).map(({ type }) => type), [
      "swap.waiting",
      "swap.swapping",
    ])
    assert.strictEqual(yield* undelivered, 0)
  })

  it.effect("are told again in order, though a later event of the swap is just being attempted", function* () {
    const { account, actor, aSwap, deliveries, dispatcher, happen, url, webhooks } = yield* begin
    const swap = yield* aSwap
    const { webhook: { id } } = yield* webhooks.create(account, { url }, actor)
    yield* happen(swap, "swap.receiving", "swap.swapping")
    yield* settle
    yield* happen(swap, "swap.completed")
    yield* fanOutAll
    const [last] = yield* dispatcher.claim(1)
    assert(last !== undefined)
    receivers.taken(url)
    assert.strictEqual(
      yield* deliveries.replay(account, id, {
        ids: idsOf(0, last.eventId.pipe(Option.getOrThrow)),
        times: always,
        which: "all",
      }, actor),
      3,
    )
    yield* receivers.answer(url, { status: 500 })
    yield* dispatcher.run(last)
    yield* settle
    yield* receivers.answer(url, { status: 200 })
    receivers.taken(url)
    yield* TestClock.adjust("10 minutes")
    yield* settle
    assert.deepStrictEqual(receivers.taken(url).map((one) => told(one).type), [
      "swap.waiting",
      "swap.receiving",
      "swap.swapping",
      "swap.completed",
    ])
  })

  it.effect("are summed up, with the latest attempt, and sent at once where somebody asks for it", function* () {
    const { account, actor, aSwap, deliveries, happen, url, webhooks } = yield* begin
    const { webhook: { id } } = yield* webhooks.create(account, { url }, actor)
    const summary = deliveries.summary(account, id, EpochMillis.make(0))
    assert.deepStrictEqual(yield* summary, { waiting: 0, hours: [] })
    const [one, other] = [yield* aSwap, yield* aSwap]
    yield* settle
    const fine = yield* summary
    assert.deepInclude(fine, { waiting: 0, lastDeliveredAt: yield* currentMillis })
    assert.strictEqual(fine.latest?.attempt.status, 200)
    yield* receivers.answer(url, { status: 500 })
    const begun = yield* currentMillis
    yield* happen(one, "swap.receiving", "swap.swapping")
    yield* happen(other, "swap.receiving")
    yield* settle
    const failing = yield* summary
    assert.deepInclude(failing, { waiting: 3, oldestWaitingAt: begun })
    assert.strictEqual(failing.latest?.attempt.status, 500)
    assert.match(failing.latest?.messageId ?? "", /^evt_\d+$/)
    assert.isAbove(Number(failing.nextAttemptAt), begun)
    const hours = failing.hours.map(({ delivered, failed, pending }) => [delivered, pending, failed])
    assert.deepStrictEqual(hours.reduce((sum, hour) => sum.map((value, at) => value + (hour[at] ?? 0))), [
      2,
      3,
      0,
    ])
    for (let turn = 0; turn < 12; turn++) {
      yield* deliveries.hasten(account, id)
      yield* settle
    }
    const { failed } = (yield* summary).hours.at(-1) ?? assert.fail("no hour")
    assert.strictEqual(failed, 0, "a message is not given up for being tried at once")
    yield* receivers.answer(url, { status: 200 })
    receivers.taken(url)
    assert.strictEqual(yield* deliveries.hasten(account, id), 2, "the third waits behind the first")
    assert.strictEqual(yield* deliveries.hasten(account, id), 0)
    yield* settle
    assert.strictEqual((yield* summary).waiting, 0)
    assert.lengthOf(receivers.taken(url), 3)
    yield* webhooks.change(account, id, { enabled: false }, actor)
    assert.strictEqual((yield* Effect.flip(deliveries.hasten(account, id)))._tag, "WebhookDisabled")
  })

  it.effect("are taken on for one webhook up to the limit, whoever else claims in the same moment", function* () {
    const { account, actor, aSwap, dispatcher, url, webhooks } = yield* begin
    yield* webhooks.create(account, { url }, actor)
    yield* Effect.forEach(Array.range(1, 30), () => aSwap)
    yield* fanOutAll
    const taken = yield* Deferred.make<ReadonlyArray<Claim>>()
    const goOn = yield* Deferred.make<void>()
    const one = dispatcher.claim(16).pipe(
      Effect.tap((claims) => Deferred.succeed(taken, claims)),
      Effect.andThen(Deferred.await(goOn)),
      inTransaction(yield* SqlClient.SqlClient, "test"),
    )
    const first = yield* Effect.forkChild(one)
    const claims = yield* Deferred.await(taken)
    const second = yield* Effect.forkChild(dispatcher.claim(16))
    yield* TestClock.withLive(Effect.sleep("100 millis"))
    yield* Deferred.succeed(goOn, undefined)
    yield* Fiber.join(first)
    const all = [...claims, ...(yield* Fiber.join(second))]
    assert.lengthOf(all, endpointConcurrency)
    yield* Effect.forEach(all, dispatcher.run, { discard: true })
    yield* settle
    assert.lengthOf(receivers.taken(url), 30)
  })

  it.effect("are none of a test to a webhook that is deleted just then", function* () {
    const { account, actor, url, webhooks } = yield* begin
    const repo = yield* DeliveryListRepo
    const { webhook: { id } } = yield* webhooks.create(account, { url }, actor)
    assert.isTrue(Option.isSome(yield* repo.addTest(id, yield* currentMillis)))
    yield* webhooks.remove(account, id, actor)
    assert.isTrue(Option.isNone(yield* repo.addTest(id, yield* currentMillis)))
  })

  it.effect("are not replayed by, or found for, another account", function* () {
    const { account, actor, deliveries, url, webhooks } = yield* begin
    const other = yield* begin
    const { webhook: { id } } = yield* webhooks.create(account, { url }, actor)
    const attempts: ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }>> = [
      webhooks.find(other.account, id),
      webhooks.change(other.account, id, { enabled: false }, actor),
      webhooks.rotate(other.account, id, Duration.zero, actor),
      webhooks.remove(other.account, id, actor),
      deliveries.page(other.account, id, { limit: 1 }),
      deliveries.test(other.account, id),
      deliveries.summary(other.account, id, EpochMillis.make(0)),
      deliveries.hasten(other.account, id),
      deliveries.replay(other.account, id, { ids: idsOf(0, 10 ** 9), times: always, which: "all" }, actor),
    ]
    for (const attempt of attempts) {
      assert.strictEqual((yield* Effect.flip(attempt))._tag, "WebhookUnknown")
    }
    assert.isEmpty(yield* webhooks.ofAccount(other.account))
    assert.isTrue((yield* webhooks.find(account, id)).enabled)
  })
})

for (const store of servers) {
  layer(
    webhooksTo(receivers).pipe(Layer.provideMerge(swappingLayer), Layer.provideMerge(store.layer)),
  )(`Webhooks of replicas on ${store.name}`, (it) => {
    /** Comes back once so many connections wait for a lock. */
    const untilWaiting = Effect.fnUntraced(function* (count: number) {
      const sql = yield* SqlClient.SqlClient
      const waiting = sql`
        SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
      while ((yield* waiting).length < count) continue
    })

    it.effect("keep the order of a swap that is told again while an attempt of it is written down", function* () {
      const { account, actor, aSwap, dispatcher, happen, url, webhooks } = yield* begin
      const sql = yield* SqlClient.SqlClient
      const repo = yield* DeliveriesRepo
      const list = yield* DeliveryListRepo
      const swap = yield* aSwap
      const { webhook } = yield* webhooks.create(account, { url }, actor)
      yield* happen(swap, "swap.receiving")
      yield* settle
      assert.deepStrictEqual(receivers.typesTold(url), ["swap.receiving"])
      yield* happen(swap, "swap.swapping")
      yield* fanOutAll
      const claims = Effect.map(
        dispatcher.claim(16),
        Array.filter(({ webhookId }) => webhookId === webhook.id),
      )
      const [underWay] = yield* claims
      assert(underWay !== undefined)
      const now = yield* currentMillis
      const attempted = { at: now, durationMillis: 1, status: 500 }
      const again = Verdict.Again({ at: EpochMillis.make(now + 5_000) })
      const all = { ids: idsOf(0, Number.MAX_SAFE_INTEGER), times: always, which: "all" as const }

      // The attempt comes to a stop half way, and there the replay meets it.
      const held = yield* Deferred.make<void>()
      const goOn = yield* Deferred.make<void>()
      const hold = yield* sql`LOCK TABLE webhook_attempts IN SHARE MODE`.pipe(
        Effect.andThen(Deferred.succeed(held, undefined)),
        Effect.andThen(Deferred.await(goOn)),
        inTransaction(sql, "test"),
        Effect.forkChild,
      )
      yield* Deferred.await(held)
      const attempt = yield* Effect.forkChild(repo.attempted(underWay, attempted, () => again))
      yield* untilWaiting(1)
      const replay = yield* list.replay({ account: account.id, id: webhook.id }, all, 10, now).pipe(
        inTransaction(sql, "test"),
        Effect.forkChild,
      )
      yield* untilWaiting(2)
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(hold)
      assert.isTrue(yield* Fiber.join(attempt))
      assert.strictEqual(yield* Fiber.join(replay), 3)

      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual((yield* claims).map(({ type }) => type), ["swap.waiting"])
    })
  })
}
