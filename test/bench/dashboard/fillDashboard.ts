import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { fillBusiness } from "../business/fillBusiness.ts"

/** As many changes as a few operators make in some years. */
const changes = 20_000

/** The first swap has a journal, as every swap has. */
const fillJournal = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO swap_journal (swap_id, kind, recorded_at, status, body, body_length)
    SELECT id, kind, created_at, status, repeat('x', 32768), 32768
    FROM swaps, unnest(ARRAY['opened', 'changed', 'changed', 'changed']) AS kind WHERE id = 1`
})

/** A day of calls of each provider, in parts of five minutes. */
const fillHistory = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO provider_history (provider, at, operation, succeeded, refused, timed_out, took_50, took_250)
    SELECT provider, date_bin('5 minutes', now(), 'epoch') - part * interval '5 minutes', operation, 40, 3, 1, 30, 14
    FROM unnest(ARRAY['chainflip', 'near-intents', 'relay', 'thorchain', 'maya']) AS provider,
      unnest(ARRAY['quote', 'open', 'status', 'node', 'treasury']) AS operation, generate_series(0, 288) AS part
    ON CONFLICT DO NOTHING`
})

const fillAudit = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO audit_log (changed_at, actor, change)
    SELECT now() - n * interval '1 hour', jsonb_build_object('type', 'cli', 'user', 'somebody'), jsonb_build_object(
      'action', 'portal.linked', 'account', CASE WHEN n % 100 = 0 THEN 'another' ELSE 'default' END,
      'after', jsonb_build_object('expiresAt', 1785333600000))
    FROM generate_series(${changes}::int, 1, -1) AS n`
})

/** The withdrawal that is looked at. */
const fillWithdrawal = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO withdrawals (platform, asset, destination, state, earned, requested_by, requested_at, changed_at)
    VALUES ('chainflip', 'usdc.eth', '0x1111111111111111111111111111111111111111', 'failed', 1, 'cli', now(), now())`
})

/** Fills all tables that the pages read. */
export const fillDashboard = (swaps: number) =>
  Effect.andThen(fillBusiness(swaps), Effect.all([fillJournal, fillHistory, fillAudit, fillWithdrawal]))
