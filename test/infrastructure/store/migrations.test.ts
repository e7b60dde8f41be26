import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { migrations } from "../../../migrations/mod.ts"
import { collectLogs } from "#test/support/collectLogs.ts"
import { stores } from "#test/support/store.ts"
import { tablesBefore } from "#test/support/tablesBefore.ts"

type Work<A> = (sql: SqlClient.SqlClient) => Effect.Effect<A, SqlError.SqlError>

/** What is read of tables after a migration that were filled as they were before it, with an account of the id 1. */
const migrated = Effect.fnUntraced(
  function* <A>(name: keyof typeof migrations, fill: Work<unknown>, read: Work<A>) {
    const sql = yield* SqlClient.SqlClient
    return yield* sql.withTransaction(Effect.gen(function* () {
      yield* tablesBefore(name)
      yield* fill(sql)
      yield* migrations[name]
      const found = yield* read(sql)
      yield* sql`DROP SCHEMA earlier CASCADE`
      return found
    }))
  },
)

const json = (value: object) => JSON.stringify(value)

const expired = { isExpired: true }
const payment = { amount: "5", transactionReference: "0xpaid" }

/** Swaps that nobody asked for any more, but for the followed ones, and whether they are asked for again. */
const lateSwaps: ReadonlyArray<readonly [state: string, status: object, again: boolean, followed?: boolean]> =
  [
    ["waiting", { depositChannel: expired }, true],
    ["failed", { depositChannel: expired }, true],
    ["sending", {}, true],
    ["completed", { refundEgress: { amount: "5" } }, true],
    ["completed", { swapEgress: payment }, false],
    ["completed", { refundEgress: payment }, false],
    ["waiting", { depositChannel: { isExpired: false } }, true, true],
  ]

/** What was opened and asked for, and what the status says of it. */
const channels: ReadonlyArray<
  readonly [platform: string, channelId: number, address: string, status: object]
> = [
  ["chainflip", 7, "bc1qours", {
    depositChannel: { depositAddress: "bc1qours" },
    destinationAddress: "0xAb",
  }],
  ["chainflip", 7, "bc1qtwin", { depositChannel: { depositAddress: "thief" }, destinationAddress: "0xab" }],
  ["near-intents", 7, "bc1qother", { destinationAddress: "thief", fillOrKill: { refundAddress: "thief" } }],
]

const paid = { swapEgress: { amount: "1", witnessedAt: 96_000 } }
const back = { refundEgress: { amount: "1", transactionReference: "0x1" } }
const limit = { swap: { execution: { _tag: "regular", chunk: { abortedReason: "MinPriceViolation" } } } }

/** Swaps of two accounts: four that are open, and some that are not. */
const openings: ReadonlyArray<{
  readonly account: number
  readonly opening: string
  readonly channel?: number
  readonly state?: string
  readonly followed?: boolean
}> = [
  { account: 1, opening: "requested" },
  { account: 1, opening: "opened", channel: 1, state: "waiting", followed: true },
  { account: 1, opening: "opened", channel: 2, state: "sent", followed: true },
  { account: 1, opening: "opened", channel: 3, state: "waiting" },
  { account: 1, opening: "opened", channel: 4, state: "completed", followed: true },
  { account: 1, opening: "opened", state: "swapping", followed: true },
  { account: 1, opening: "refused" },
  { account: 2, opening: "opened", channel: 5, state: "receiving", followed: true },
  { account: 2, opening: "opened", channel: 6, state: "failed" },
  { account: 2, opening: "unknown" },
]

for (const store of stores) {
  layer(store.database)(`The migration on ${store.name}`, (it) => {
    it.effect("to leases gives openings that are under way meanwhile time to come to their end", function* () {
      const swaps = yield* migrated(
        "0006_idempotency_keys",
        (sql) =>
          Effect.forEach(["requested", "unknown"], (opening) =>
            sql`
                INSERT INTO swaps (account_id, platform, opening, request, created_at, updated_at)
                VALUES (1, 'chainflip', ${opening}, '{}', '2026-01-01T00:00:00Z', now())`),
        (sql) => sql`SELECT opening_lease_until FROM swaps ORDER BY id`,
      )
      assert.deepStrictEqual(swaps, [
        { opening_lease_until: new Date("2026-01-01T00:05:00Z") },
        { opening_lease_until: null },
      ])
    })

    it.effect("to a counter of open channels begins with those, and loses none that is deleted or imported", function* () {
      const seen = yield* migrated(
        "0008_open_channels",
        Effect.fnUntraced(function* (sql) {
          yield* sql`INSERT INTO accounts (name, commission_bps, created_at) VALUES ('two', 0, now())`
          for (const { account, channel, followed, opening, state } of openings) {
            yield* sql`
                INSERT INTO swaps (account_id, platform, opening, request, channel_id, state, status, created_at,
                  updated_at, next_lookup_at, opening_lease_until)
                VALUES (${account}, 'chainflip', ${opening}, '{}', ${channel ?? null}::bigint,
                  ${state ?? null}::text, ${state === undefined ? null : "{}"}::jsonb, now(), now(),
                  ${followed === true ? "2026-01-01" : null}::timestamptz, now())`
          }
        }),
        Effect.fnUntraced(function* (sql) {
          const counts = Effect.map(
            sql`SELECT open_channels FROM accounts ORDER BY id`,
            (accounts) => accounts.map(({ open_channels }) => open_channels),
          )
          const first = yield* counts
          yield* sql`DELETE FROM swaps WHERE channel_id IN (2, 3)`
          const deleted = yield* counts
          yield* sql`
              INSERT INTO accounts OVERRIDING SYSTEM VALUE
              SELECT * FROM json_populate_recordset(NULL::accounts, (
                SELECT json_agg(json_build_object('id', 3, 'name', 'three', 'commission_bps', 0, 'affiliates', true,
                  'suspended', false, 'created_at', now(), 'open_channels', 7))
              ))`
          return { first, deleted, imported: yield* counts }
        }),
      )
      assert.deepStrictEqual(seen, { first: [3, 1], deleted: [2, 1], imported: [2, 1, 0] })
    })

    it.effect("to journals begins that of each swap with what is known of it", function* () {
      const known = yield* migrated(
        "0010_journal",
        Effect.fnUntraced(function* (sql) {
          yield* sql`
              INSERT INTO swaps (account_id, platform, opening, request, created_at, updated_at)
              VALUES (1, 'chainflip', 'unknown', '{}', now(), now())`
          for (const [state, next] of [["sending", "2026-01-02"], ["completed", null]]) {
            yield* sql`
                INSERT INTO swaps (account_id, platform, opening, request, state, status, created_at, updated_at,
                  next_lookup_at)
                VALUES (1, 'chainflip', 'opened', '{}', ${state}, jsonb_build_object('state', ${state}::text), now(),
                  '2026-01-01T00:00:00Z', ${next}::timestamptz)`
          }
        }),
        (sql) =>
          Effect.all({
            journal: sql`
                SELECT swap_id, kind, recorded_at, status->>'state' AS state FROM swap_journal ORDER BY id`,
            stalls: sql`SELECT id, stalls_at FROM swaps WHERE stalls_at IS NOT NULL`,
          }),
      )
      const at = { kind: "imported", recorded_at: new Date("2026-01-01T00:00:00Z") }
      assert.deepStrictEqual(known, {
        journal: [{ swap_id: 2n, ...at, state: "sending" }, { swap_id: 3n, ...at, state: "completed" }],
        stalls: [{ id: 2n, stalls_at: new Date("2026-01-02T00:00:00Z") }],
      })
    })

    it.effect("to channels of one swap keeps two swaps with one, says so, and brings our own addresses back", function* () {
      const insert =
        (sql: SqlClient.SqlClient) => ([platform, channelId, address, status]: (typeof channels)[number]) =>
          sql`
              INSERT INTO swaps (account_id, platform, opening, request, issued_block, network, channel_id,
                deposit_address, state, status, created_at, updated_at)
              VALUES (1, ${platform}, 'opened', '{"destinationAddress": "0xab", "refundAddress": "bc1qback"}', 5,
                'Bitcoin', ${channelId}, ${address}, 'waiting', ${json(status)}::jsonb, now(), now())`
      const { lines, value } = yield* collectLogs(migrated(
        "0016_own_channels",
        (sql) => Effect.forEach(channels, insert(sql)),
        (sql) =>
          Effect.all({
            swaps: sql`
                SELECT shares_channel, status #>> '{depositChannel,depositAddress}' AS deposit,
                  status->>'destinationAddress' AS destination, status #>> '{fillOrKill,refundAddress}' AS refund
                FROM swaps ORDER BY id`,
            journal: sql`SELECT swap_id, kind FROM swap_journal ORDER BY id`,
            again: Effect.result(sql.withTransaction(Effect.forEach(channels.slice(0, 1), insert(sql)))),
          }),
      ))
      assert.deepStrictEqual(value.swaps, [
        { shares_channel: false, deposit: "bc1qours", destination: "0xAb", refund: null },
        { shares_channel: true, deposit: "bc1qtwin", destination: "0xab", refund: null },
        { shares_channel: false, deposit: null, destination: "0xab", refund: "bc1qback" },
      ])
      assert.deepStrictEqual(value.journal, [
        { swap_id: 2n, kind: "changed" },
        { swap_id: 3n, kind: "changed" },
        { swap_id: 3n, kind: "changed" },
      ])
      assert.deepStrictEqual(lines, [
        "One channel is recorded for several swaps: ask the upstream whose it is (1, 2)",
      ])
      assert.strictEqual(value.again._tag, "Failure")
    })

    it.effect("for late money takes swaps up again that no payment proves the end of, and counts no expired channel", function* () {
      const seen = yield* migrated(
        "0017_late_money",
        (sql) =>
          Effect.forEach(lateSwaps, ([state, status, , followed = false], index) =>
            sql`
                INSERT INTO swaps (account_id, platform, opening, request, channel_id, state, status, created_at,
                  updated_at, next_lookup_at)
                VALUES (1, 'near-intents', 'opened', '{}', ${index}, ${state}, ${json(status)}::jsonb,
                  '2026-01-01', '2026-01-02', ${followed ? "2026-01-03" : null}::timestamptz)`),
        (sql) =>
          Effect.all({
            swaps: sql`
                SELECT next_lookup_at BETWEEN now() AND now() + interval '1 day' AS again,
                  changed_at = '2026-01-02' AS changed
                FROM swaps ORDER BY id`,
            accounts: sql`SELECT open_channels FROM accounts`,
          }),
      )
      assert.deepStrictEqual(seen, {
        swaps: lateSwaps.map(([, , again, followed]) => ({
          again: followed === true ? false : again ? true : null,
          changed: true,
        })),
        // The one that is sending and the one that waits.
        accounts: [{ open_channels: 2 }],
      })
    })

    it.effect("to unique addresses gives one to the first swap that had it, of upstreams that give each out once", function* () {
      const platforms = ["near-intents a", "near-intents a", "near-intents b", "chainflip a"]
      const swaps = yield* migrated(
        "0027_unique_addresses",
        (sql) =>
          Effect.forEach(platforms, (place, index) =>
            sql`
                INSERT INTO swaps (account_id, platform, opening, request, issued_block, network, channel_id,
                  deposit_address, state, status, created_at, updated_at)
                VALUES (1, split_part(${place}, ' ', 1), 'opened', '{}', ${index}, 'Bitcoin', 1,
                  split_part(${place}, ' ', 2), 'waiting', '{}', now(), now())`),
        (sql) => sql`SELECT unique_address FROM swaps ORDER BY id`,
      )
      assert.deepStrictEqual(swaps.map((row) => row["unique_address"]), ["a", null, "b", null])
    })

    it.effect("to fair track records takes the 0 seconds from refunds, and knows what accounts chose", function* () {
      const ends = yield* migrated(
        "0045_fair_records",
        Effect.fnUntraced(function* (sql) {
          for (const told of [paid, back, { ...back, ...limit }]) {
            const status = json({
              state: "completed",
              sourceAsset: "btc.btc",
              destinationAsset: "eth.eth",
              deposit: { amount: "1", witnessedAt: 0 },
              ...told,
            })
            yield* sql`
                INSERT INTO swaps (account_id, platform, opening, request, state, status, created_at, updated_at)
                VALUES (1, 'chainflip', 'opened', '{}', 'waiting', '{}', now(), now())`
            yield* sql`UPDATE swaps SET state = 'completed', status = ${status}::text::jsonb WHERE state = 'waiting'`
          }
          assert.deepStrictEqual(yield* sql`SELECT outcome, seconds FROM swap_ends ORDER BY swap_id`, [
            { outcome: "completed", seconds: 96 },
            { outcome: "refunded", seconds: 0 },
            { outcome: "refunded", seconds: 0 },
          ])
        }),
        (sql) => sql`SELECT outcome, seconds, is_own FROM swap_ends ORDER BY swap_id`,
      )
      assert.deepStrictEqual(ends, [
        { outcome: "completed", seconds: 96, is_own: false },
        { outcome: "refunded", seconds: null, is_own: false },
        { outcome: "refunded", seconds: null, is_own: true },
      ])
    })
  })
}
