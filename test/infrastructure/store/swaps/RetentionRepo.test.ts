import { assert, layer } from "#test/support/it.ts"
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { EpochMillis } from "#domain/Time.ts"
import { RetentionRepo } from "#infrastructure/store/swaps/RetentionRepo.ts"
import { retentionJobs } from "#application/swapping/RetentionJobs.ts"
import { newAccount, stores } from "#test/support/store.ts"

const before = EpochMillis.make(Date.UTC(2026, 0, 10))
const [old, young] = ["2026-01-01", "2026-01-20"]

for (const store of stores) {
  layer(store.layer)(`The end of records on ${store.name}`, (it) => {
    const begin = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { id: account } = yield* newAccount
      const opening = (came: string, createdAt: string) =>
        sql`
          INSERT INTO swaps (account_id, platform, opening, request, created_at, updated_at, state, status,
            opening_lease_until)
          VALUES (${account}, 'chainflip', ${came}, '{}', ${createdAt}::timestamptz, now(),
            ${came === "opened" ? "waiting" : null}, ${came === "opened" ? "{}" : null}::jsonb, now())
          RETURNING id`
      const payload = (amount: number, expiresAt: string) =>
        sql`
          INSERT INTO vault_swap_payloads (account_id, platform, source_asset, destination_asset, destination, refund,
            refund_fixed, terms, price_limit, amount, amount_fixed, request, created_at, expires_at)
          VALUES (${account}, 'chainflip', 'btc.btc', 'eth.eth', 'there', 'back', true, '', 1, ${amount}, true, '{}',
            '2025-12-31', ${expiresAt}::timestamptz)`
      const left = Effect.all({
        swaps: Effect.map(
          sql`SELECT opening, created_at::date::text AS day FROM swaps WHERE account_id = ${account} ORDER BY id`,
          (rows) => rows.map(({ opening, day }) => `${opening} ${day}`),
        ),
        payloads: Effect.map(
          sql`SELECT expires_at::date::text AS day FROM vault_swap_payloads WHERE account_id = ${account} ORDER BY id`,
          (rows) => rows.map(({ day }) => day),
        ),
      })
      return { sql, account, opening, payload, left, retention: yield* RetentionRepo }
    })

    it.effect("is found to be without rows of other tables by an index of each", function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql`
          SELECT conrelid::regclass::text AS name, EXISTS (
            SELECT 1 FROM pg_index
            WHERE indrelid = conrelid AND indkey[0] = conkey[1] AND indpred IS NULL
          ) AS has_index
          FROM pg_constraint
          WHERE contype = 'f' AND confrelid = 'swaps'::regclass ORDER BY 1`
      assert.isAbove(rows.length, 4)
      assert.deepStrictEqual(rows.filter((row) => row["has_index"] === false), [])
    })

    it.effect("is that of refused openings alone, but for those that a key stands for", function* () {
      const { account, left, opening, retention, sql } = yield* begin
      for (const came of ["refused", "opened", "unknown", "requested"]) yield* opening(came, old)
      yield* opening("refused", young)
      const [kept] = yield* opening("refused", old)
      yield* sql`
          INSERT INTO idempotency_keys (account_id, key, fingerprint, swap_id, claimed_at, expires_at)
          VALUES (${account}, 'kept', ${"0".repeat(64)}, ${kept?.id}, now(), now())`
      assert.strictEqual(yield* retention.forgetRefused(before, 10), 1)
      const stay = [`opened ${old}`, `unknown ${old}`, `requested ${old}`, `refused ${young}`]
      assert.deepStrictEqual((yield* left).swaps, [...stay, `refused ${old}`])
      yield* sql`DELETE FROM idempotency_keys WHERE account_id = ${account}`
      assert.strictEqual(yield* retention.forgetRefused(before, 10), 1)
      assert.deepStrictEqual((yield* left).swaps, stay)
    })

    it.effect("is that of payloads which went stale before, the oldest first and so many at once", function* () {
      const { left, payload, retention } = yield* begin
      yield* payload(1, "2026-01-03")
      yield* payload(2, old)
      yield* payload(3, young)
      assert.strictEqual(yield* retention.forgetPayloads(before, 1), 1)
      assert.deepStrictEqual((yield* left).payloads, ["2026-01-03", young])
      assert.strictEqual(yield* retention.forgetPayloads(before, 10), 1)
      assert.deepStrictEqual((yield* left).payloads, [young])
    })

    it.effect("comes by itself, as long after as the operator wants", () =>
      Effect.gen(function* () {
        const { left, opening, payload } = yield* begin
        yield* opening("refused", old)
        yield* payload(1, old)
        yield* TestClock.setTime(Date.UTC(2026, 0, 30))
        yield* Layer.build(retentionJobs({ recordsKeep: Duration.days(30) }))
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(yield* left, { swaps: [`refused ${old}`], payloads: [old] })
        yield* TestClock.adjust("2 days")
        // A server answers when it likes: what began before the days had passed comes again some time after.
        const isEmpty = Effect.map(
          Effect.andThen(TestClock.adjust("1 hour"), left),
          ({ swaps, payloads }) => swaps.length + payloads.length === 0,
        )
        yield* Effect.repeat(isEmpty, { until: (empty) => empty })
        // A clock of its own: by that of the connections a server would be probed for all the years in between.
      }).pipe(Effect.provide(TestClock.layer())))
  })
}
