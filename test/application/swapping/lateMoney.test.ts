import { assert } from "#test/support/it.ts"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { beforeAllEvents } from "#domain/swaps/SwapEvent.ts"
import { EpochMillis } from "#domain/Time.ts"
import { JournalRepo } from "#infrastructure/store/swaps/JournalRepo.ts"
import { OutboxRepo } from "#infrastructure/store/swaps/OutboxRepo.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { Tracker } from "#application/swapping/following/Tracker.ts"
import { collectLogs } from "#test/support/collectLogs.ts"
import { newAccount, onStores } from "#test/support/store.ts"
import { expired, openingRequest, paid, statusIn, statusWithDeposit } from "#test/support/swap.ts"
import { scriptedProviders, swappingLayer } from "#test/support/swapping.ts"
import { makeReceivers, settle, webhooksTo } from "#test/application/webhooks/support/telling.ts"
import { Webhooks } from "#application/webhooks/Webhooks.ts"

const receivers = makeReceivers()
const url = "https://late.example/x"

/** An opened swap of an account of its own, nothing else being due. */
const begin = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE swaps SET next_lookup_at = NULL`
  yield* TestClock.adjust("1 minute")
  const { first } = yield* scriptedProviders
  const account = yield* newAccount
  const swaps = yield* Swaps
  const tracker = yield* Tracker
  const journal = yield* JournalRepo
  const outbox = yield* OutboxRepo
  const { channel, id } = yield* swaps.open(account, openingRequest())
  const says = (status: SwapStatus) =>
    Effect.sync(() => first.says(channel.id, Effect.succeed(Option.some(status))))
  /** Lets time pass in steps, and the tracker do in each what is due. */
  const follow = Effect.fnUntraced(function* (days: number, stepsOfADay = 24) {
    for (let step = 0; step < days * stepsOfADay; step++) {
      yield* TestClock.adjust(`${86_400 / stepsOfADay} seconds`)
      yield* tracker.lookUpDue
    }
  })
  return {
    account,
    provider: first,
    lookups: Effect.sync(() => first.lookupsOf(channel.id)),
    says,
    /** Lets the upstream say something, and the tracker hear of it. */
    hear: (status: SwapStatus) =>
      Effect.andThen(says(status), Effect.andThen(TestClock.adjust("5 minutes"), tracker.lookUpDue)),
    follow,
    asked: Effect.map(swaps.byId(account, id), ({ status }) => status),
    state: Effect.map(sql`SELECT state FROM swaps WHERE id = ${id}`, ([row]) => row?.["state"]),
    story: Effect.map(
      journal.of(account.id, id),
      (entries) =>
        entries.map(({ note }) => note._tag === "Change" ? `${note.kind} ${note.status.state}` : note._tag),
    ),
    events: Effect.map(
      outbox.after({ account: account.id, id: beforeAllEvents, limit: 100 }),
      (events) => events.map(({ type }) => type),
    ),
    openChannels: Effect.map(
      sql`SELECT open_channels FROM accounts WHERE id = ${account.id}`,
      ([row]) => row?.["open_channels"],
    ),
  }
})

const late = statusWithDeposit("receiving", "0xlate")
const unpaid = { amount: NativeAmount.make(5n) }

onStores(webhooksTo(receivers).pipe(Layer.provideMerge(swappingLayer)))("Money that comes late", (it) => {
  it.effect("is noticed by the tracker two days after the deadline, and told by event and webhook", function* () {
    const { account, events, follow, hear, openChannels, says, state } = yield* begin
    const webhooks = yield* Webhooks
    yield* webhooks.create(account, { url }, { type: "cli" })
    yield* hear(expired(statusIn("waiting")))
    assert.strictEqual(yield* openChannels, 0)
    yield* follow(2)
    yield* says(expired(late))
    yield* TestClock.adjust("49 minutes")
    yield* (yield* Tracker).lookUpDue
    assert.strictEqual(yield* state, "receiving")
    assert.strictEqual(yield* openChannels, 1)
    yield* hear(expired(statusIn("completed", { swapId: "7" })))
    assert.strictEqual(yield* openChannels, 0)
    const told = ["channel.expired", "swap.receiving", "swap.completed"]
    assert.deepStrictEqual(yield* events, ["swap.waiting", ...told])
    yield* settle
    assert.deepStrictEqual(receivers.typesTold(url), told)
  })

  it.effect("is shown by a status request two days after the deadline, and long after nobody follows it", function* () {
    const soon = yield* begin
    yield* soon.hear(expired(statusIn("waiting")))
    yield* TestClock.adjust("2 days")
    yield* soon.says(expired(late))
    assert.strictEqual((yield* soon.asked).state, "receiving")

    const long = yield* begin
    yield* long.hear(expired(statusIn("waiting")))
    yield* long.follow(62, 1)
    const lookups = yield* long.lookups
    yield* long.follow(10, 1)
    assert.strictEqual(yield* long.lookups, lookups, "nobody follows it any more")
    assert.strictEqual((yield* long.asked).state, "waiting")
    yield* TestClock.adjust("1 minute")
    yield* long.says(expired(late))
    assert.strictEqual((yield* long.asked).state, "receiving")
    assert.strictEqual(yield* long.state, "receiving")
    assert.include(yield* long.events, "swap.receiving")
    // From here on it is followed again.
    yield* long.hear(expired(statusIn("completed", { swapId: "7" })))
    assert.strictEqual(yield* long.state, "completed")
  })

  it.effect("is noticed on a channel that is used after its estimated expiry", function* () {
    const { follow, hear, says, state } = yield* begin
    yield* hear(statusIn("waiting"))
    yield* follow(9, 4)
    yield* says(late)
    yield* follow(1, 4)
    assert.strictEqual(yield* state, "receiving")
  })

  it.effect("follows a failure that the upstream takes back, with an entry in the journal", function* () {
    const { asked, events, follow, hear, says, story } = yield* begin
    yield* hear(expired(statusIn("failed", { swapId: "7" })))
    yield* follow(2)
    yield* says(expired(statusIn("sending", { swapId: "7", lastStateChainUpdateAt: EpochMillis.make(5) })))
    const { value, lines } = yield* collectLogs(follow(1))
    assert.isUndefined(value)
    assert.include(lines, "The upstream takes back that the swap failed")
    yield* says(expired(statusIn("completed", { swapId: "7" })))
    yield* TestClock.adjust("1 minute")
    assert.strictEqual((yield* asked).state, "completed")
    assert.deepStrictEqual(yield* story, [
      "opened waiting",
      "expired failed",
      "changed sending",
      "changed completed",
    ])
    assert.deepStrictEqual(yield* events, [
      "swap.waiting",
      "swap.failed",
      "channel.expired",
      "swap.sending",
      "swap.completed",
    ])
  })

  it.effect("is looked for though a refund was announced and is never seen", function* () {
    const { asked, events, follow, hear, lookups, says } = yield* begin
    yield* hear(expired(statusIn("failed", { refundEgress: unpaid })))
    yield* follow(61, 4)
    const before = yield* lookups
    yield* follow(5, 4)
    assert.strictEqual(yield* lookups, before)
    yield* says(expired(statusIn("failed", { refundEgress: paid })))
    assert.deepStrictEqual((yield* asked).refundEgress, paid)
    assert.include(yield* events, "swap.refunded")
    yield* TestClock.adjust("2 days")
    yield* asked
    yield* TestClock.adjust("2 days")
    const proved = yield* lookups
    yield* asked
    assert.strictEqual(yield* lookups, proved, "a proved end is not asked for again")
  })

  it.effect("is looked for after an end that the upstream only claims", function* () {
    const { asked, follow, hear, lookups, says, story } = yield* begin
    const { swapEgress: _, ...claimed } = expired(statusIn("completed", { swapId: "7" }))
    yield* hear(expired(statusIn("sending", { swapId: "7" })))
    yield* hear(claimed)
    yield* follow(62, 4)
    const before = yield* lookups
    yield* follow(3, 4)
    assert.strictEqual(yield* lookups, before)
    yield* says(expired(statusIn("completed", { swapId: "7" })))
    assert.strictEqual((yield* asked).state, "completed")
    assert.deepStrictEqual(yield* story, [
      "opened waiting",
      "expired sending",
      "changed completed",
    ])
  })
})
