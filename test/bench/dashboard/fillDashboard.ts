import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { fillBusiness } from "../business/fillBusiness.ts"

/** As many changes as a few operators make in some years. */
const changes = 20_000

/** The webhook with the messages, which is of the service's own account. */
export const busyWebhook = "whk_aaaaaaaaaaaaaaaa"

/** As many messages as a busy account gets in the weeks in which they are kept. */
const messages = 200_000

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

/** Twenty integrators, each with two webhooks. */
const fillAccounts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO accounts (name, commission_bps, created_at)
    SELECT 'integrator-' || n, 20, now() FROM generate_series(1, 20) AS n`
  yield* sql`
    INSERT INTO webhooks (id, account_id, url, position, created_at)
    SELECT 'whk_' || left(translate(md5(id || '-' || n), '0189', 'wxyz'), 16), id,
      'https://' || name || '.example/hooks/' || n, 0, now()
    FROM accounts, generate_series(1, 2) AS n`
})

/** Requests of every account that failed in each hour of the month in which failures are kept, for six causes. */
const fillFailures = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO request_errors (account_id, hour, endpoint, status, code, kind, count, last_at, parameters, example)
    SELECT id, hour, endpoint, status, '', kind, 1 + id % 7, hour, names, 'something was not as it has to be'
    FROM accounts, generate_series(date_trunc('hour', now()) - interval '29 days', now(), '1 hour') AS hour, (VALUES
      ('openSwap', 500, 'OpeningNotRecorded', '{}'::text[]), ('getQuotes', 503, 'NoProviderAvailable', '{}'),
      ('getQuotes', 429, 'LimitReached', '{}'), ('openSwap', 400, 'InvalidRequest', '{destinationAddress}'),
      ('getQuotes', 400, 'DepositBelowMinimum', '{amount}'), ('getStatusById', 404, 'SwapNotFound', '{}')
    ) AS cause (endpoint, status, kind, names)`
})

/** Messages of one webhook, each with an attempt; the last ones fail. */
const fillMessages = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO webhooks (id, account_id, url, position, created_at)
    SELECT ${busyWebhook}, min(id), 'https://hooks.example', 0, now() FROM accounts`
  yield* sql`
    INSERT INTO webhook_deliveries (webhook_id, created_at, state, attempts, next_attempt_at, ended_at)
    SELECT ${busyWebhook}, at, CASE WHEN waits THEN 'pending' ELSE 'delivered' END, 1,
      CASE WHEN waits THEN now() + interval '1 day' END, CASE WHEN NOT waits THEN at END
    FROM generate_series(${messages}::int, 1, -1) AS n,
      LATERAL (SELECT now() - n * interval '10 seconds' AS at, n <= 100 AS waits) AS made`
  yield* sql`
    INSERT INTO webhook_attempts (delivery_id, at, duration_millis, status)
    SELECT id, created_at, 42, CASE state WHEN 'pending' THEN 503 ELSE 200 END FROM webhook_deliveries`
})

/** Fills all tables that the pages read. */
export const fillDashboard = (swaps: number) =>
  Effect.andThen(
    fillBusiness(swaps),
    Effect.all([
      fillJournal,
      fillHistory,
      fillAudit,
      fillWithdrawal,
      fillAccounts,
      fillFailures,
      fillMessages,
    ]),
  )
