import { assert } from "#test/support/it.ts"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { NativeAmount } from "#domain/money/Amount.ts"
import { JournalEntryId, JournalNote } from "#domain/swaps/Journal.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { beforeAllEvents } from "#domain/swaps/SwapEvent.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { AuditRepo } from "#infrastructure/store/accounts/AuditRepo.ts"
import { JournalRepo } from "#infrastructure/store/swaps/JournalRepo.ts"
import { OutboxRepo } from "#infrastructure/store/swaps/OutboxRepo.ts"
import { PaymentsRepo } from "#infrastructure/store/swaps/PaymentsRepo.ts"
import { StallsRepo } from "#infrastructure/store/swaps/StallsRepo.ts"
import { normaliseReference } from "#infrastructure/store/swaps/transactionReference.ts"
import { DisputedEnds } from "#application/swapping/following/DisputedEnds.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { Tracker } from "#application/swapping/following/Tracker.ts"
import { assertJournalsReplay } from "#test/support/assertJournalsReplay.ts"
import { newAccount, onStores } from "#test/support/store.ts"
import { openingRequest, paid, statusWithDeposit } from "#test/support/swap.ts"
import { scriptedProviders, swappingLayer } from "#test/support/swapping.ts"

const operator = { type: "cli" } as const
const swapping = statusWithDeposit("sending", "0xdeposit", { swapId: "7" })
const end = statusWithDeposit("completed", "0xdeposit", { swapId: "7" })
const tooLittle = (amount: bigint): SwapStatus => ({
  ...end,
  swapEgress: { ...paid, amount: NativeAmount.make(amount) },
})

/** A swap of an account of its own, nothing else being due; and what its upstream can be made to say. */
const begin = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE swaps SET next_lookup_at = NULL, stalls_at = NULL`
  yield* TestClock.adjust("1 minute")
  const { first } = yield* scriptedProviders
  const account = yield* newAccount
  const { channel, id } = yield* (yield* Swaps).open(account, openingRequest())
  const journal = yield* JournalRepo
  const outbox = yield* OutboxRepo
  const hear = Effect.fnUntraced(function* (status: SwapStatus) {
    first.says(channel.id, Effect.succeedSome(status))
    yield* TestClock.adjust("20 minutes")
    yield* (yield* Tracker).lookUpDue
  })
  yield* hear(swapping)
  const entries = Effect.map(journal.of(account.id, id), (all) => all)
  return {
    account,
    id,
    hear,
    entries,
    /** The entry of the latest end that is disputed. */
    held: Effect.map(entries, (all) => {
      const last = all.findLast(({ note }) => JournalNote.$is("Contradiction")(note))
      return last === undefined ? assert.fail("nothing is disputed") : last.id
    }),
    events: Effect.map(
      outbox.after({ account: account.id, id: beforeAllEvents, limit: 100 }),
      (events) => events.map(({ type }) => type),
    ),
    shown: Effect.flatMap(Swaps, (swaps) => Effect.map(swaps.byId(account, id), ({ status }) => status)),
    ...(yield* DisputedEnds),
  }
})

onStores(DisputedEnds.layer.pipe(Layer.provideMerge(swappingLayer)))("A disputed end", (it) => {
  it.effect("is the swap's once the operator accepts it, for journal, events, audit and alert", function* () {
    const { accept, account, entries, events, hear, held, id, shown } = yield* begin
    yield* hear(tooLittle(5n))
    assert.strictEqual((yield* shown).state, "sending")
    const entry = yield* held
    assert.deepStrictEqual(yield* accept(id, entry, operator), { id, entry })

    const { state, swapEgress } = yield* shown
    assert.deepStrictEqual([state, swapEgress?.amount], ["completed", NativeAmount.make(5n)])
    assert.deepStrictEqual((yield* events).slice(-2), ["swap.disputed", "swap.completed"])
    const last = (yield* entries).at(-1)
    assert(last !== undefined && JournalNote.$is("Change")(last.note))
    assert.deepStrictEqual([last.note.kind, last.note.status.state, last.note.detail], [
      "changed",
      "completed",
      "The operator accepted the result",
    ])
    const [audited] = yield* (yield* AuditRepo).entries({ limit: 1 })
    assert.deepStrictEqual(audited?.change, {
      action: "swap.accepted",
      account: account.name,
      swapId: id,
      before: { state: "sending" },
      after: { state: "completed", entry },
    })
    assert.deepStrictEqual(yield* (yield* StallsRepo).disputes, [])
    yield* assertJournalsReplay
    const { claim } = yield* PaymentsRepo
    const payment = {
      reference: normaliseReference("0xpaid"),
      asset: end.destinationAsset,
      amount: NativeAmount.make(5n),
      address: end.destinationAddress,
      deposited: null,
    }
    assert(Option.isSome(yield* claim("another swap", [payment], () => true)))
  })

  it.effect("stays accepted when its upstream repeats it, also with another clock", function* () {
    const { accept, entries, events, hear, held, id, shown } = yield* begin
    yield* hear(tooLittle(5n))
    yield* accept(id, yield* held, operator)
    const [journalled, told] = [yield* entries, yield* events]
    yield* hear(tooLittle(5n))
    yield* hear(tooLittle(5n))
    assert.deepStrictEqual([yield* entries, yield* events], [journalled, told])
    assert.strictEqual((yield* shown).state, "completed")
    yield* hear(tooLittle(4n))
    assert.strictEqual((yield* shown).swapEgress?.amount, NativeAmount.make(5n))
  })

  it.effect("is accepted once, however often and at how many replicas it is asked for", function* () {
    const { accept, events, hear, held, id } = yield* begin
    yield* hear(tooLittle(5n))
    const entry = yield* held
    const audit = (yield* AuditRepo).entries({ limit: 500 })
    const before = (yield* audit).length
    const answers = yield* Effect.all([1, 2, 3].map(() => accept(id, entry, operator)), {
      concurrency: "unbounded",
    })
    assert.deepStrictEqual(answers, Array(3).fill({ id, entry }))
    assert.strictEqual((yield* audit).length, before + 1)
    assert.lengthOf((yield* events).filter((type) => type === "swap.completed"), 1)
  })

  it.effect("is refused where the upstream tells another one by now, and the newer one is not", function* () {
    const { accept, hear, held, id, shown } = yield* begin
    yield* hear(tooLittle(5n))
    const seen = yield* held
    yield* hear(tooLittle(6n))
    const refused = yield* Effect.flip(accept(id, seen, operator))
    assert(refused._tag === "NoDisputedResult")
    assert.include(refused.detail, `in entry ${yield* held} of the journal`)
    assert.strictEqual((yield* shown).state, "sending")
    yield* accept(id, yield* held, operator)
    assert.strictEqual((yield* shown).swapEgress?.amount, NativeAmount.make(6n))
  })

  it.effect("is refused where nothing is disputed, no more, or of no such swap", function* () {
    const { accept, entries, hear, held, id, shown } = yield* begin
    const tags = (swap: SwapRecordId, entry: JournalEntryId) =>
      Effect.map(Effect.flip(accept(swap, entry, operator)), ({ _tag }) => _tag)
    const opened = (yield* entries)[0]?.id ?? assert.fail("no journal")
    assert.strictEqual(yield* tags(id, opened), "NoDisputedResult")
    yield* hear(statusWithDeposit("receiving", "0xdeposit"))
    assert.strictEqual(yield* tags(id, yield* held), "NoDisputedResult", "a contradiction that is no end")
    yield* hear(tooLittle(5n))
    const entry = yield* held
    assert.strictEqual(yield* tags(SwapRecordId.make(999_999_999), entry), "SwapNotFound")
    // It only waits by now: the upstream has no end any more.
    yield* hear({ ...end, swapEgress: { amount: paid.amount } })
    assert.strictEqual(yield* tags(id, entry), "NoDisputedResult", "taken back")
    yield* hear(end)
    assert.strictEqual(yield* tags(id, entry), "NoDisputedResult", "explained")
    assert.strictEqual((yield* shown).swapEgress?.amount, paid.amount)
  })

  it.effect("is not overwritten by a look-up that was under way", function* () {
    const { accept, hear, held, id, shown } = yield* begin
    yield* hear(tooLittle(5n))
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE swaps SET lookup_owner = 'elsewhere', next_lookup_at = now() WHERE id = ${id}`
    const before = yield* sql`SELECT lookups_begun::int AS number FROM swaps WHERE id = ${id}`
    yield* accept(id, yield* held, operator)
    const stillHeld = yield* sql`
            SELECT 1 FROM swaps
            WHERE id = ${id} AND lookups_begun = ${
      Number(before[0]?.["number"])
    } AND lookup_owner = 'elsewhere'`
    assert.lengthOf(stillHeld, 0)
    assert.strictEqual((yield* shown).state, "completed")
  })
})
