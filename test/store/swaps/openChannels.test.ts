import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "../../../migrations/mod.ts"
import { stores } from "../../support/store.ts"
import { tablesBefore } from "../../support/tablesBefore.ts"

const { "0008_open_channels": withCounter } = migrations

const soon = new Date("2026-01-01T00:00:00Z")

/** Swaps of two accounts: four that are open, and some that are not. */
const rows: ReadonlyArray<{
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
  layer(store.database)(`The counter of open channels on ${store.name}`, (it) => {
    it.effect("begins with the channels that are open, and loses none that is deleted or imported", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const counts = Effect.map(
          sql<{ open_channels: number }>`SELECT open_channels FROM accounts ORDER BY id`,
          (accounts) => accounts.map(({ open_channels }) => open_channels),
        )
        const seen = yield* sql.withTransaction(Effect.gen(function* () {
          yield* tablesBefore("0008_open_channels")
          yield* sql`INSERT INTO accounts (name, commission_bps, created_at) VALUES ('two', 0, now())`
          for (const { account, channel, followed, opening, state } of rows) {
            yield* sql`
              INSERT INTO swaps (account_id, platform, opening, request, channel_id, state, status, created_at,
                updated_at, next_lookup_at, opening_lease_until)
              VALUES (${account}, 'chainflip', ${opening}, '{}', ${channel ?? null}::bigint,
                ${state ?? null}::text, ${state === undefined ? null : "{}"}::jsonb, now(), now(),
                ${followed === true ? soon : null}::timestamptz, now())`
          }
          yield* withCounter
          const migrated = yield* counts
          yield* sql`DELETE FROM swaps WHERE channel_id IN (2, 3)`
          const deleted = yield* counts
          yield* sql`
            INSERT INTO accounts OVERRIDING SYSTEM VALUE
            SELECT * FROM json_populate_recordset(NULL::accounts, (
              SELECT json_agg(json_build_object('id', 3, 'name', 'three', 'commission_bps', 0, 'affiliates', true,
                'suspended', false, 'created_at', now(), 'open_channels', 7))
            ))`
          return { migrated, deleted, imported: yield* counts }
        }))
        assert.deepStrictEqual(seen, { migrated: [3, 1], deleted: [2, 1], imported: [2, 1, 0] })
      }))
  })
}
