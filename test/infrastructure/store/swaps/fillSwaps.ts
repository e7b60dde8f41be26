import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { NativeAmount } from "#domain/money/Amount.ts"
import { EpochMillis } from "#domain/Time.ts"
import { encodeStatus } from "#infrastructure/store/database/columns.ts"
import { completed } from "#test/api/present/statuses.ts"

/** What one row is like: as long as a real one. */
const template = encodeStatus({
  ...completed.status,
  fees: [
    ...completed.status.fees,
    { type: "broker", asset: "usdc.eth", amount: NativeAmount.make(40_285_185n) },
  ],
})

/** The year in which the swaps paid out, evenly. */
const firstDay = "2026-01-01"
const begin = EpochMillis.make(Date.parse(`${firstDay}T00:00:00Z`))
const millisOfYear = 365 * 86_400_000

/** States by the last digit of the number: most swaps are over, some never got a deposit, few are under way. */
const states = [...Array<string>(7).fill("completed"), "failed", "waiting", "sent"]

const lot = 50_000

/**
 * Fills the tables of a service that has one account with swaps that nobody follows any more, a quarter of them
 * of a second account and a fifth of the second platform; the planner knows of them.
 */
export const fillSwaps = Effect.fnUntraced(function* (swaps: number) {
  const sql = yield* SqlClient.SqlClient
  const status = yield* template
  yield* sql`
    INSERT INTO accounts (name, commission_bps, created_at)
    SELECT 'another', 0, now() WHERE (SELECT count(*) FROM accounts) < 2`
  for (let from = 1; from <= swaps; from += lot) {
    yield* sql`
      INSERT INTO swaps (account_id, platform, opening, request, issued_block, network, channel_id, state,
        status, created_at, updated_at, looked_up_at)
      SELECT
        CASE WHEN n / 10 % 4 = 3 THEN other.id ELSE own.id END,
        CASE WHEN n % 5 = 0 THEN 'near-intents' ELSE 'chainflip' END,
        'opened', '{}', n, 'Bitcoin', n, now_in.state,
        jsonb_set(
          ${status}::text::jsonb || jsonb_build_object('state', now_in.state, 'swapId', n::text),
          '{swapEgress,witnessedAt}',
          to_jsonb(${begin}::bigint + n::bigint * ${Math.floor(millisOfYear / (swaps + 1))}::bigint)
        ),
        now(), now(), now()
      FROM generate_series(${from}::int, ${Math.min(swaps, from + lot - 1)}::int) AS n
      CROSS JOIN LATERAL (SELECT (${states}::text[])[n % 10 + 1] AS state) AS now_in
      CROSS JOIN (SELECT min(id) AS id FROM accounts) AS own
      CROSS JOIN (SELECT max(id) AS id FROM accounts) AS other
      ORDER BY n`
  }
  yield* sql`VACUUM (ANALYZE)`
  yield* sql`CHECKPOINT`
})
