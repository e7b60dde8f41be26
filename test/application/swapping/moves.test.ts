import { assert } from "#test/support/it.ts"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AccountName } from "#domain/accounts/Account.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { beforeAllEvents } from "#domain/swaps/SwapEvent.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { EpochMillis } from "#domain/Time.ts"
import { UtcDay } from "#domain/money/Commission.ts"
import { AuditRepo } from "#infrastructure/store/accounts/AuditRepo.ts"
import { CommissionsRepo } from "#infrastructure/store/accounts/CommissionsRepo.ts"
import { OutboxRepo } from "#infrastructure/store/swaps/OutboxRepo.ts"
import { Journals } from "#application/swapping/Journals.ts"
import { SwapTransfers } from "#application/swapping/SwapTransfers.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { Tracker } from "#application/swapping/following/Tracker.ts"
import { newAccount, onStores } from "#test/support/store.ts"
import { openingRequest } from "#test/support/swap.ts"
import { swappingLayer } from "#test/support/swapping.ts"
import { vaultSwapStatus } from "#test/support/vaultSwap.ts"
import { begin, known, newRequest } from "./scriptedVaultSwaps.ts"

const operator = { type: "cli" } as const
const every = { limit: 9, states: ["receiving", "completed", "waiting"], sort: "ascending" } as const
const days = { from: UtcDay.make("1970-01-01"), to: UtcDay.make("2100-01-01") }

const moving = Layer.merge(SwapTransfers.layer, Journals.layer)

onStores(moving.pipe(Layer.provideMerge(swappingLayer)))("A swap that is moved to another account", (it) => {
  it.effect("goes with its history, deposits, commission and events, and is followed on", function* () {
    const { account, find, send, upstream } = yield* begin
    const to = yield* newAccount
    const asked = newRequest()
    const transaction = yield* send(asked)
    const id = Option.getOrThrow(yield* find(transaction))
    const swaps = yield* Swaps
    const [outbox, journals, commissions] = [yield* OutboxRepo, yield* Journals, yield* CommissionsRepo]
    const { move } = yield* SwapTransfers
    assert.deepStrictEqual(yield* move(id, to.name, operator), { id, account: to.name })

    assert.lengthOf((yield* swaps.history(account, every)).records, 0)
    assert.deepStrictEqual((yield* swaps.history(to, every)).records.map((one) => one.id), [id])
    assert.isTrue(Option.isNone(yield* find(transaction)))
    assert.deepStrictEqual(yield* find(transaction, to), Option.some(id))
    assert.strictEqual((yield* Effect.flip(swaps.byId(account, id)))._tag, "SwapNotFound")
    assert.lengthOf((yield* journals.page(to, id, { limit: 9 })).items, 1)
    assert.strictEqual((yield* Effect.flip(journals.page(account, id, { limit: 9 })))._tag, "SwapNotFound")
    const typesOf = (owner: typeof account) =>
      Effect.map(
        outbox.after({ account: owner.id, id: beforeAllEvents, limit: 9 }),
        (events) => events.map(({ type }) => type),
      )
    assert.deepStrictEqual(yield* typesOf(account), [])
    assert.deepStrictEqual(yield* typesOf(to), ["swap.receiving", "swap.receiving"])

    yield* TestClock.adjust("6 seconds")
    const fees: SwapStatus["fees"] = [
      { type: "broker", asset: "usdc.eth", amount: NativeAmount.make(80_580_000n) },
    ]
    const end = vaultSwapStatus(asked, "completed", transaction, { swapId: "9", fees })
    upstream.says(transaction, known(end))
    assert.strictEqual(yield* (yield* Tracker).lookUpDue, 1)
    assert.deepStrictEqual(yield* typesOf(to), ["swap.receiving", "swap.receiving", "swap.completed"])
    const earned = (owner: typeof account) =>
      Effect.map(commissions.earned(owner.id, days), (sums) => sums.map(({ amount }) => amount))
    assert.deepStrictEqual(yield* earned(to), [80_580_000n])
    yield* move(id, account.name, operator)
    assert.deepStrictEqual([yield* earned(to), yield* earned(account)], [[], [80_580_000n]])
  })

  it.effect("is in the audit log once, and nothing is where there is nothing to be moved", function* () {
    const { account, find, send } = yield* begin
    const to = yield* newAccount
    const id = Option.getOrThrow(yield* find(yield* send(newRequest())))
    const { move } = yield* SwapTransfers
    const audit = yield* AuditRepo
    const entries = audit.entries({ limit: 500 })
    const before = (yield* entries).length
    yield* move(id, account.name, operator)
    const nobody = AccountName.make("nobody-at-all")
    assert.strictEqual((yield* Effect.flip(move(id, nobody, operator)))._tag, "AccountUnknown")
    const none = SwapRecordId.make(999_999_999)
    assert.strictEqual((yield* Effect.flip(move(none, to.name, operator)))._tag, "SwapNotFound")
    assert.lengthOf(yield* entries, before)
    yield* move(id, to.name, operator)
    yield* move(id, to.name, operator)
    const [latest, ...earlier] = yield* entries
    assert.lengthOf(earlier, before)
    assert.deepStrictEqual(latest?.actor, operator)
    assert.deepStrictEqual(latest?.change, {
      action: "swap.moved",
      account: to.name,
      swapId: id,
      before: { account: account.name },
      after: { account: to.name },
    })
  })

  it.effect("counts as one open channel of the account that it goes to, also where nobody followed it", function* () {
    const { account, first } = yield* begin
    const to = yield* newAccount
    const { id } = yield* (yield* Swaps).open(account, openingRequest(first.name))
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE swaps SET next_lookup_at = NULL WHERE id = ${id}`
    yield* (yield* SwapTransfers).move(id, to.name, operator)
    const rows = yield* sql`
          SELECT open_channels FROM accounts WHERE id IN (${account.id}, ${to.id}) ORDER BY id`
    assert.deepStrictEqual(rows.map((row) => row["open_channels"]), [0, 1])
  })

  it.effect("is not shown for more than a minute to the account before, which read its end", function* () {
    const { account, find, send, upstream } = yield* begin
    const to = yield* newAccount
    const asked = newRequest()
    const transaction = yield* send(asked)
    const id = Option.getOrThrow(yield* find(transaction))
    yield* TestClock.adjust("6 seconds")
    upstream.says(transaction, known(vaultSwapStatus(asked, "completed", transaction, { swapId: "9" })))
    yield* (yield* Tracker).lookUpDue
    const swaps = yield* Swaps
    const show = (owner: typeof account) => Effect.option(swaps.byId(owner, id))
    yield* TestClock.adjust("2 days")
    yield* (yield* Tracker).lookUpDue
    assert.isTrue(Option.isSome(yield* show(account)))
    yield* (yield* SwapTransfers).move(id, to.name, operator)
    yield* TestClock.adjust("1 minute")
    assert.isTrue(Option.isNone(yield* show(account)))
    assert.isTrue(Option.isSome(yield* show(to)))
  })

  it.effect("takes its open channel along, and leaves nothing for the webhooks of the account before", function* () {
    const { account, first } = yield* begin
    const to = yield* newAccount
    const { id } = yield* (yield* Swaps).open(account, openingRequest(first.name))
    const sql = yield* SqlClient.SqlClient
    const open = Effect.map(
      sql`SELECT name, open_channels FROM accounts WHERE id IN (${account.id}, ${to.id}) ORDER BY id`,
      (rows) => rows.map(({ open_channels }) => open_channels),
    )
    assert.deepStrictEqual(yield* open, [1, 0])
    const at = new Date(EpochMillis.make(0))
    const hook = `whk_${id}`
    yield* sql`
          INSERT INTO webhooks (id, account_id, url, position, created_at)
          VALUES (${hook}, ${account.id}, 'https://hooks.example', 0, ${at})`
    yield* sql`
          INSERT INTO webhook_deliveries (webhook_id, event_id, swap_id, created_at, state, ended_at)
          SELECT ${hook}, id, swap_id, ${at}::timestamptz, 'pending', NULL::timestamptz FROM outbox
          WHERE swap_id = ${id}`
    yield* (yield* SwapTransfers).move(id, to.name, operator)
    assert.deepStrictEqual(yield* open, [0, 1])
    assert.lengthOf(yield* sql`SELECT 1 FROM webhook_deliveries WHERE webhook_id = ${hook}`, 0)
    assert.lengthOf(yield* sql`SELECT 1 FROM outbox WHERE account_id = ${account.id}`, 0)
  })
})
