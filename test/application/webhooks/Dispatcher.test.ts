import { assert } from "#test/support/it.ts"
import { Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Webhook } from "standardwebhooks"
import { EpochMillis } from "#domain/Time.ts"
import { DeliveriesRepo } from "#infrastructure/store/webhooks/DeliveriesRepo.ts"
import { Deliveries } from "#application/webhooks/Deliveries.ts"
import { Dispatcher } from "#application/webhooks/Dispatcher.ts"
import { onStores } from "#test/support/store.ts"
import { swappingLayer } from "#test/support/swapping.ts"
import { begin, concurrency, fanOutAll, makeReceivers, settle, told, webhooksTo } from "./support/telling.ts"

const receivers = makeReceivers()
const { typesTold } = receivers

onStores(webhooksTo(receivers).pipe(Layer.provideMerge(swappingLayer)))("Webhooks", (it) => {
  it.effect("tell every event from their creation on, in order, signed", function* () {
    const { account, actor, aSwap, happen, url, webhooks } = yield* begin
    const before = yield* aSwap
    const { secret } = yield* webhooks.create(account, { url }, actor)
    yield* happen(before, "swap.receiving", "swap.swapping")
    yield* aSwap
    yield* happen(before, "swap.completed")
    yield* settle
    const posted = receivers.taken(url)
    assert.deepStrictEqual(posted.map((one) => told(one).type).toSorted(), [
      "swap.completed",
      "swap.receiving",
      "swap.swapping",
      "swap.waiting",
    ])
    const own = posted.filter(({ body }) => body.includes(`"id":${before.id},`))
    assert.deepStrictEqual(own.map((one) => told(one).type), [
      "swap.receiving",
      "swap.swapping",
      "swap.completed",
    ])
    // The package looks at the clock of the machine, which these messages are far from.
    const verifier = new Webhook(Redacted.value(secret))
    for (const { body, headers } of own) {
      const at = new Date(Number(headers["webhook-timestamp"]) * 1_000)
      assert.strictEqual(headers["webhook-signature"], verifier.sign(headers["webhook-id"] ?? "", at, body))
    }
    yield* settle
    assert.isEmpty(receivers.taken(url))
  })

  it.effect("are told only of the types that they want, and of nobody else's events", function* () {
    const { account, actor, aSwap, happen, url, webhooks } = yield* begin
    const other = yield* begin
    yield* webhooks.create(account, { url, types: ["swap.failed"] }, actor)
    yield* other.webhooks.create(other.account, { url: other.url }, actor)
    yield* happen(yield* aSwap, "swap.receiving", "swap.failed")
    yield* settle
    assert.deepStrictEqual(typesTold(url), ["swap.failed"])
    assert.isEmpty(receivers.taken(other.url))
  })

  it.effect("are told of an event though another cannot be read, as of a newer version", function* () {
    const { account, actor, aSwap, url, webhooks } = yield* begin
    const sql = yield* SqlClient.SqlClient
    yield* webhooks.create(account, { url }, actor)
    const [unread] = yield* Effect.replicateEffect(aSwap, 2)
    yield* sql`UPDATE outbox SET type = 'swap.unheard_of' WHERE swap_id = ${unread?.id ?? 0}`
    yield* settle
    assert.deepStrictEqual(typesTold(url), ["swap.waiting"])
    yield* sql`UPDATE outbox SET type = 'swap.waiting' WHERE swap_id = ${unread?.id ?? 0}`
    yield* TestClock.adjust("1 minute")
    yield* settle
    assert.deepStrictEqual(typesTold(url), ["swap.waiting"])
  })

  it.effect("are tried again by the schedule, with the same id, while later events of the swap wait", function* () {
    const { account, actor, aSwap, deliveries, happen, url, webhooks } = yield* begin
    const swap = yield* aSwap
    const { webhook } = yield* webhooks.create(account, { url }, actor)
    yield* receivers.answer(url, { status: 500 })
    yield* happen(swap, "swap.receiving", "swap.completed")
    const other = yield* aSwap
    yield* settle
    const first = receivers.taken(url).map(told)
    assert.deepStrictEqual(first.map(({ type }) => type).toSorted(), ["swap.receiving", "swap.waiting"])
    yield* TestClock.adjust("4900 millis")
    yield* settle
    assert.isEmpty(receivers.taken(url))
    yield* TestClock.adjust("600 millis")
    yield* settle
    assert.sameDeepMembers(receivers.taken(url).map(told), first)
    yield* receivers.answer(url, { status: 204 })
    yield* TestClock.adjust("6 minutes")
    yield* settle
    assert.sameDeepMembers(receivers.taken(url).map((one) => told(one).type), [
      "swap.receiving",
      "swap.waiting",
      "swap.completed",
    ])
    const page = yield* deliveries.page(account, webhook.id, { limit: 10 })
    assert.deepStrictEqual(
      page.items.map(({ attempts, state, swapId }) => [swapId, state, attempts]),
      [
        [other.id, "delivered", 3],
        [swap.id, "delivered", 1],
        [swap.id, "delivered", 3],
      ],
    )
    const [, , oldest] = page.items
    assert(oldest !== undefined)
    const { attempts } = yield* deliveries.find(account, webhook.id, oldest.id)
    assert.deepStrictEqual(attempts.map(({ status }) => status), [500, 500, 204])
  })

  it.effect("are tried again after the end of an attempt, and when a busy receiver asks for it", function* () {
    const { account, actor, aSwap, url, webhooks } = yield* begin
    yield* aSwap
    yield* webhooks.create(account, { url }, actor)
    yield* receivers.answer(url, { failure: "timeout", durationMillis: 10_000 })
    yield* aSwap
    yield* settle
    assert.lengthOf(receivers.taken(url), 1)
    yield* TestClock.adjust("14 seconds")
    yield* settle
    assert.isEmpty(receivers.taken(url))
    yield* receivers.answer(url, { status: 429, retryAfterSeconds: 1_200 })
    yield* TestClock.adjust("2 seconds")
    yield* settle
    assert.lengthOf(receivers.taken(url), 1)
    yield* TestClock.adjust("1199 seconds")
    yield* settle
    assert.isEmpty(receivers.taken(url))
    yield* TestClock.adjust("2 seconds")
    yield* settle
    assert.lengthOf(receivers.taken(url), 1)
  })

  it.effect("are delivered by an answer of 200 to 299 alone", function* () {
    for (const status of [100, 199, 300, 301, 302, 304, 307, 308, 399, 400, 404]) {
      const { account, actor, aSwap, deliveries, url, webhooks } = yield* begin
      const { webhook } = yield* webhooks.create(account, { url }, actor)
      const attempt = Effect.gen(function* () {
        yield* settle
        const { items } = yield* deliveries.page(account, webhook.id, { limit: 10 })
        return [receivers.taken(url).length, ...items.map(({ attempts, state }) => [state, attempts])]
      })
      yield* receivers.answer(url, { status })
      yield* aSwap
      assert.deepStrictEqual(yield* attempt, [1, ["pending", 1]], `${status}`)
      yield* receivers.answer(url, { status: status % 2 === 0 ? 200 : 299 })
      yield* TestClock.adjust("6 seconds")
      assert.deepStrictEqual(yield* attempt, [1, ["delivered", 2]], `after ${status}`)
    }
  })

  it.effect("give an event up after ten attempts, go on with the next, and are disabled after days", function* () {
    const { account, actor, aSwap, deliveries, happen, url, webhooks } = yield* begin
    const swap = yield* aSwap
    const { webhook } = yield* webhooks.create(account, { url }, actor)
    yield* receivers.answer(url, { failure: "unreachable" })
    yield* happen(swap, "swap.receiving", "swap.completed")
    let attempts = 0
    while (attempts < 10) {
      yield* settle
      attempts += receivers.taken(url).length
      assert.isTrue((yield* webhooks.find(account, webhook.id)).enabled || attempts === 10)
      yield* TestClock.adjust("27 hours")
    }
    const { disabledReason, enabled } = yield* webhooks.find(account, webhook.id)
    assert.deepStrictEqual([enabled, disabledReason], [false, "failing"])
    const { items: [next, given] } = yield* deliveries.page(account, webhook.id, { limit: 2 })
    assert.deepStrictEqual([next?.state, next?.attempts], ["pending", 0])
    assert.deepStrictEqual([given?.state, given?.attempts], ["failed", 10])
    yield* settle
    assert.isEmpty(receivers.taken(url))
    yield* receivers.answer(url, { status: 200 })
    yield* webhooks.change(account, webhook.id, { enabled: true }, actor)
    yield* settle
    assert.deepStrictEqual(typesTold(url), ["swap.completed"])
  })

  it.effect("are disabled by 410, keep what comes meanwhile, and go on where they were", function* () {
    const { account, actor, aSwap, happen, url, webhooks } = yield* begin
    const swap = yield* aSwap
    const { webhook } = yield* webhooks.create(account, { url }, actor)
    yield* receivers.answer(url, { status: 410 })
    yield* happen(swap, "swap.receiving", "swap.swapping")
    yield* settle
    assert.deepStrictEqual(typesTold(url), ["swap.receiving"])
    assert.strictEqual((yield* webhooks.find(account, webhook.id)).disabledReason, "gone")
    yield* happen(swap, "swap.completed")
    yield* TestClock.adjust("1 hour")
    yield* settle
    assert.isEmpty(receivers.taken(url))
    yield* receivers.answer(url, { status: 200 })
    yield* webhooks.change(account, webhook.id, { enabled: true }, actor)
    yield* settle
    assert.deepStrictEqual(typesTold(url), ["swap.swapping", "swap.completed"])
  })

  it.effect("are given back at once by a process that ends in an attempt", function* () {
    const { account, actor, aSwap, dispatcher, url, webhooks } = yield* begin
    yield* webhooks.create(account, { url }, actor)
    yield* receivers.answer(url, Effect.never)
    yield* aSwap
    yield* fanOutAll
    const [claim] = yield* dispatcher.claim(1)
    assert(claim !== undefined)
    const running = yield* Effect.forkChild(dispatcher.run(claim))
    while (receivers.taken(url).length === 0) yield* Effect.yieldNow
    assert.isEmpty(yield* dispatcher.claim(1))
    yield* Fiber.interrupt(running)
    yield* receivers.answer(url, { status: 200 })
    yield* settle
    assert.deepStrictEqual(typesTold(url), ["swap.waiting"])
  })

  it.effect("that are slow hold nobody up, and get no more than their share at once", function* () {
    const { account, actor, aSwap, dispatcher, url, webhooks } = yield* begin
    const fast = `${url}/fast`
    yield* webhooks.create(account, { url }, actor)
    yield* webhooks.create(account, { url: fast }, actor)
    const answered = yield* Deferred.make<void>()
    yield* receivers.answer(url, Effect.as(Deferred.await(answered), { status: 200 }))
    yield* Effect.replicateEffect(aSwap, 9)
    yield* fanOutAll
    const claims = yield* dispatcher.claim(100)
    const running = yield* Effect.forkChild(Effect.forEach(claims, dispatcher.run, { concurrency: 100 }))
    while (typesTold(fast).length === 0) yield* Effect.yieldNow
    // That it was told is written down a moment later, and only then is there room for another.
    let more = yield* dispatcher.claim(100)
    while (more.length === 0) {
      yield* TestClock.withLive(Effect.sleep("5 millis"))
      more = yield* dispatcher.claim(100)
    }
    assert.deepStrictEqual([...new Set(more.map((claim) => claim.url))], [fast])
    yield* Effect.forEach(more, dispatcher.run)
    assert.strictEqual(receivers.taken(url).length, 4)
    yield* Deferred.succeed(answered, undefined)
    yield* Fiber.join(running)
    yield* settle
    assert.strictEqual(receivers.taken(url).length, 5)
  })

  it.effect("of one account take half of the places at most, so that another's goes out beside them", function* () {
    const slow = yield* begin
    const urls = ["a", "b", "c"].map((path) => `${slow.url}/${path}`)
    for (const url of urls) {
      yield* slow.webhooks.create(slow.account, { url }, slow.actor)
      yield* receivers.answer(url, Effect.never)
    }
    yield* Effect.replicateEffect(slow.aSwap, 5)
    yield* fanOutAll
    const { claim, run } = slow.dispatcher
    const taken = yield* claim(concurrency)
    assert.lengthOf(taken, concurrency / 2)
    const running = yield* Effect.forkChild(Effect.forEach(taken, run, { concurrency: "unbounded" }))
    let posted = 0
    while (posted < taken.length) {
      yield* Effect.yieldNow
      posted += urls.flatMap(receivers.taken).length
    }
    const other = yield* begin
    yield* other.webhooks.create(other.account, { url: other.url }, other.actor)
    yield* other.aSwap
    yield* fanOutAll
    const next = yield* claim(concurrency - taken.length)
    assert.deepStrictEqual(next.map(({ url }) => url), [other.url])
    yield* Effect.forEach(next, run)
    assert.deepStrictEqual(typesTold(other.url), ["swap.waiting"])
    yield* Fiber.interrupt(running)
    for (const url of urls) yield* receivers.answer(url, { status: 200 })
    yield* settle
    assert.lengthOf(urls.flatMap(receivers.taken), 15)
  })

  it.effect("of accounts go out in turn, however long the first one's have been due", function* () {
    const first = yield* begin
    yield* first.webhooks.create(first.account, { url: first.url }, first.actor)
    yield* Effect.replicateEffect(first.aSwap, 3)
    yield* TestClock.adjust("1 minute")
    const second = yield* begin
    yield* second.webhooks.create(second.account, { url: second.url }, second.actor)
    yield* Effect.replicateEffect(second.aSwap, 3)
    yield* fanOutAll
    const turns = yield* Effect.replicateEffect(first.dispatcher.claim(2), 2)
    for (const turn of turns) {
      assert.sameMembers(turn.map(({ url }) => url), [first.url, second.url])
      yield* Effect.forEach(turn, first.dispatcher.run)
    }
    yield* settle
  })

  it.effect("are shared by replicas, and what a dead one had is taken over when its lease is out", function* () {
    const { account, actor, aSwap, dispatcher, url, webhooks } = yield* begin
    yield* webhooks.create(account, { url }, actor)
    yield* aSwap
    yield* fanOutAll
    const other = yield* Effect.provide(Dispatcher, Layer.fresh(webhooksTo(receivers)))
    const [taken] = yield* other.claim(10)
    assert(taken !== undefined)
    assert.isEmpty(yield* dispatcher.claim(10))
    yield* TestClock.adjust("40 seconds")
    yield* settle
    assert.deepStrictEqual(typesTold(url), ["swap.waiting"])
    yield* other.run(taken)
    assert.deepStrictEqual(typesTold(url), ["swap.waiting"])
    const [delivery] = (yield* (yield* Deliveries).page(account, taken.webhookId, { limit: 1 })).items
    assert.deepStrictEqual([delivery?.state, delivery?.attempts], ["delivered", 1])
  })

  it.effect("lose and double nothing when several fan out at the same time, or one is undone", function* () {
    const { account, actor, aSwap, happen, url, webhooks } = yield* begin
    const repo = yield* DeliveriesRepo
    const sql = yield* SqlClient.SqlClient
    yield* webhooks.create(account, { url }, actor)
    const swap = yield* aSwap
    for (let round = 0; round < 20; round++) yield* happen(swap, "swap.sending", "swap.sent")
    const now = EpochMillis.make(1_000_000)
    const undone = sql.withTransaction(Effect.andThen(repo.fanOut(now), Effect.fail("undone")))
    yield* Effect.ignore(undone)
    yield* Effect.all([repo.fanOut(now), repo.fanOut(now), repo.fanOut(now)], { concurrency: 3 })
    while ((yield* repo.fanOut(now)) > 0) continue
    yield* TestClock.adjust("1 hour")
    yield* settle
    const ids = receivers.taken(url).map((posting) => Number(told(posting).id?.slice(4)))
    assert.strictEqual(ids.length, 41)
    assert.deepStrictEqual(ids, [...new Set(ids)].toSorted((one, other) => one - other))
  })

  it.effect("are forgotten with what they were told once that is long ago", function* () {
    const { account, actor, aSwap, deliveries, url, webhooks } = yield* begin
    const repo = yield* DeliveriesRepo
    const { webhook } = yield* webhooks.create(account, { url }, actor)
    yield* aSwap
    yield* settle
    yield* TestClock.adjust("1 hour")
    const swap = yield* aSwap
    yield* settle
    assert.strictEqual(receivers.taken(url).length, 2)
    yield* repo.expire(EpochMillis.make(3_000_000), 1_000)
    const { items: left } = yield* deliveries.page(account, webhook.id, { limit: 10 })
    assert.isTrue(left.some(({ swapId }) => swapId === swap.id))
    yield* webhooks.remove(account, webhook.id, actor)
    assert.isEmpty(yield* webhooks.ofAccount(account))
  })
})
