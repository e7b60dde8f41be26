import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { NativeAmount } from "#domain/money/Amount.ts"
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

/** The year in which the swaps were recorded in the order of their ids, more in some parts of a week than in others. */
export const firstDay = "2026-01-01"
export const lastDay = "2026-12-31"
const millisOfDay = 86_400_000
const secondsOfYear = 365 * 86_400

/** The last swaps have an open channel, and a few before them are stalled. */
export const openChannels = 100

/** The second account's name; the first is the service's own. */
export const otherAccount = "another"

/** The names of the n-th swap, as SQL. */
const hash = "md5('deposit' || n) || md5('sent' || n)"
const address = "'0x' || left(md5('destination' || n) || md5('more' || n), 40)"

const lot = 20_000

/**
 * Fills the tables with swaps of two accounts and two platforms, in several assets. The triggers of the tables make way
 * for the functions that they call, over many rows at a time; the planner knows of the rows.
 */
export const fillBusiness = Effect.fnUntraced(function* (
  swaps: number,
  { begin = Date.parse(firstDay), open = openChannels, stalled = 20 } = {},
) {
  const sql = yield* SqlClient.SqlClient
  const status = yield* template
  const last = swaps - open
  yield* sql`INSERT INTO accounts (name, commission_bps, created_at) VALUES (${otherAccount}, 0, now())`
  yield* sql`
    INSERT INTO asset_prices
    SELECT asset, day, usd FROM generate_series(
      ${new Date(begin - millisOfDay)}::timestamptz, ${new Date(
    begin + secondsOfYear * 1_000,
  )}::timestamptz, interval '1 day'
    ) AS day
    CROSS JOIN (VALUES ('btc.btc', 0.00065), ('eth.eth', 0.0000000000000019), ('usdc.eth', 0.000001)) AS price (asset, usd)`
  for (let from = 1; from <= swaps; from += lot) {
    const to = Math.min(swaps, from + lot - 1)
    yield* sql`ALTER TABLE swaps DISABLE TRIGGER USER`
    yield* sql`
      INSERT INTO swaps (id, account_id, platform, opening, request, issued_block, network, channel_id, deposit_address,
        state, status, created_at, updated_at, looked_up_at, next_lookup_at, stalled_since)
      OVERRIDING SYSTEM VALUE
      SELECT
        n, CASE WHEN n / 365 % 2 = 1 THEN other.id ELSE own.id END,
        CASE WHEN n / 730 % 2 = 1 THEN 'near-intents' ELSE 'chainflip' END,
        'opened', '{}', n, 'Bitcoin', n, 'bc1q' || md5('address' || n), now_in.state,
        ${status}::text::jsonb || jsonb_build_object(
          'state', now_in.state, 'swapId', (n + 5000000)::text, 'destinationAddress', ${sql.literal(address)},
          'sourceAsset', CASE WHEN n % 4 = 0 THEN 'eth.eth' ELSE 'btc.btc' END,
          'destinationAsset', CASE WHEN n % 8 = 1 THEN 'sol.sol' ELSE 'usdc.eth' END,
          'depositChannel', ${status}::text::jsonb -> 'depositChannel' || jsonb_build_object(
            'depositAddress', 'bc1q' || md5('address' || n), 'isExpired', n <= ${last}
          ),
          'deposit', ${status}::text::jsonb -> 'deposit' || jsonb_build_object(
            'amount', CASE WHEN n % 4 = 0 THEN '4200000000000000000' ELSE '25000000' END,
            'transactionReference', ${sql.literal(hash)}
          ),
          'swapEgress', ${status}::text::jsonb -> 'swapEgress' || jsonb_build_object(
            'amount', CASE WHEN n % 8 = 1 THEN '91250000000' ELSE '16180250000' END,
            'transactionReference', '0x' || md5('paid' || n) || md5('out' || n),
            'witnessedAt', (extract(epoch FROM recorded.at) * 1000)::bigint + 600000
          )
        ),
        recorded.at, recorded.at, recorded.at,
        CASE WHEN n > ${last} THEN now() + interval '1 year' END,
        CASE WHEN n > ${last - stalled} AND n <= ${last} THEN now() END
      FROM generate_series(${from}::int, ${to}::int) AS n
      CROSS JOIN LATERAL (
        SELECT CASE
          WHEN n > ${last} THEN 'waiting' WHEN n > ${last - stalled} THEN 'sending'
          WHEN n % 20 = 0 THEN 'failed' WHEN n % 20 = 10 THEN 'waiting' ELSE 'completed'
        END AS state
      ) AS now_in
      CROSS JOIN LATERAL (
        SELECT to_timestamp(
          ${
      begin / 1_000
    }::double precision + ${secondsOfYear} * (passed.share + 0.0025 * sin(2 * pi() * 52 * passed.share))
        ) AS at
        FROM (SELECT n::double precision / ${swaps + 1}::int AS share) AS passed
      ) AS recorded
      CROSS JOIN (SELECT min(id) AS id FROM accounts) AS own
      CROSS JOIN (SELECT max(id) AS id FROM accounts) AS other
      ORDER BY n`
    yield* sql`ALTER TABLE swaps ENABLE TRIGGER USER`
    const lotOf = sql`FROM swaps CROSS JOIN LATERAL`
    const within = sql`WHERE swaps.id BETWEEN ${from} AND ${to}`
    yield* sql`INSERT INTO listed_swaps SELECT made.* ${lotOf} listing_of(swaps) AS made ${within}`
    yield* sql`INSERT INTO swap_marks SELECT made.* ${lotOf} marks_of(swaps) AS made ${within} ON CONFLICT DO NOTHING`
    yield* sql`INSERT INTO swap_ends SELECT made.* ${lotOf} end_of(swaps) AS made ${within}`
    yield* sql`INSERT INTO commissions SELECT made.* ${lotOf} earned_by(swaps) AS made ${within}`
  }
  yield* sql`VACUUM (ANALYZE)`
  yield* sql`CHECKPOINT`
})

/** What names the n-th swap, as `find` takes it; the destination is read off its record. */
export const nameOf = {
  id: (n: number) => `${n}`,
  upstream: (n: number) => `${n + 5_000_000}`,
  channel: (n: number) => `${n}-bitcoin-${n}`,
}
