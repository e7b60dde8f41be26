import { assert } from "#test/support/it.ts"
import { Effect, Logger, References } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { BlockIndex, EpochMillis } from "#domain/Time.ts"
import { JournalRepo } from "#infrastructure/store/swaps/JournalRepo.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { Tracker } from "#application/swapping/following/Tracker.ts"
import { newAccount, onStores } from "#test/support/store.ts"
import { openingRequest, statusIn, statusWithDeposit } from "#test/support/swap.ts"
import { scriptedProviders, swappingLayer } from "#test/support/swapping.ts"

const zero = "\0"
const half = "\ud800"

/** An opened swap of an account of its own, nothing else being due. */
const begin = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE swaps SET next_lookup_at = NULL`
  yield* TestClock.adjust("1 minute")
  const { first } = yield* scriptedProviders
  const account = yield* newAccount
  const swaps = yield* Swaps
  const open = swaps.open(account, openingRequest())
  return { provider: first, account, swaps, open, sql, tracker: yield* Tracker }
})

onStores(swappingLayer)("What an upstream says", (it) => {
  it.effect("is kept though the database takes no such characters, with U+FFFD in their place", function* () {
    const { account, open, provider, swaps, tracker } = yield* begin
    const { channel, id } = yield* open
    const { deposit, ...status } = statusWithDeposit("failed", `tx${zero}${half}`)
    assert(deposit !== undefined)
    const failure = {
      failedAt: EpochMillis.make(1),
      failedBlockIndex: BlockIndex.make("1-1"),
      mode: `MODE${zero}`,
      reason: { code: half, message: `no${zero}` },
    }
    provider.says(
      channel.id,
      Effect.succeedSome({ ...status, swapId: `7${zero}`, deposit: { ...deposit, failure } }),
    )
    yield* TestClock.adjust("30 seconds")
    yield* tracker.lookUpDue
    const { status: kept } = yield* swaps.byTransaction(account, `tx${zero}${half}`)
    assert.strictEqual(kept.state, "failed")
    assert.strictEqual(kept.swapId, "7\uFFFD")
    assert.strictEqual(kept.deposit?.failure?.mode, "MODE\uFFFD")
    assert.deepStrictEqual(kept.deposit?.failure?.reason, { code: "\uFFFD", message: "no\uFFFD" })
    const [, entry] = yield* (yield* JournalRepo).of(account.id, id)
    assert(entry?.note._tag === "Change")
    assert.strictEqual(entry.note.status.deposit?.transactionReference, "tx\uFFFD\uFFFD")
  })

  it.effect("and cannot be kept is told with the swap and without the data, and holds up no other", function* () {
    const { open, provider, sql, tracker } = yield* begin
    const [broken, whole] = yield* Effect.all([open, open])
    for (const { channel } of [broken, whole]) {
      provider.says(channel.id, Effect.succeedSome(statusIn("receiving")))
    }
    yield* sql.unsafe(`
            CREATE FUNCTION refuse_data() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
              RAISE EXCEPTION 'refused bc1qrefund' USING ERRCODE = '22P05', DETAIL = 'to bc1qrefund';
            END
            $$`)
    yield* sql.unsafe(`
            CREATE TRIGGER refuses_data BEFORE UPDATE ON swaps FOR EACH ROW
            WHEN (NEW.id = ${broken.id} AND NEW.state = 'receiving') EXECUTE FUNCTION refuse_data()`)
    yield* TestClock.adjust("30 seconds")
    const lines: Array<string> = []
    const logger = Logger.make(({ fiber, message }) => {
      const { swap } = fiber.getRef(References.CurrentLogAnnotations)
      lines.push(`${swap} ${Deno.inspect(message, { depth: 20, showHidden: true })}`)
    })
    assert.strictEqual(yield* Effect.provide(tracker.lookUpDue, Logger.layer([logger])), 2)
    const states = yield* sql`
            SELECT state, lookup_failures, next_lookup_at IS NOT NULL AS followed FROM swaps
            WHERE id IN (${broken.id}, ${whole.id}) ORDER BY id`
    assert.deepStrictEqual(states, [
      { state: "waiting", lookup_failures: 1, followed: true },
      { state: "receiving", lookup_failures: 0, followed: true },
    ])
    assert.strictEqual(lines.length, 1)
    assert.match(lines[0] ?? "", new RegExp(`^${broken.id} .*could not be stored`, "s"))
    assert.include(lines[0], "22P05")
    assert.notInclude(lines[0], "bc1qrefund")
    yield* sql`DROP TRIGGER refuses_data ON swaps`
    yield* TestClock.adjust("6 seconds")
    yield* tracker.lookUpDue
    const [row] = yield* sql`SELECT state FROM swaps WHERE id = ${broken.id}`
    assert.strictEqual(row?.["state"], "receiving")
  })
})
