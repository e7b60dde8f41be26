import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { minimal } from "#test/api/present/statuses.ts"
import { encodeStatus } from "#infrastructure/store/database/columns.ts"

/** What coins cost, in US dollars of the sandbox's markets, with their decimals. */
export const coins = {
  "btc.btc": [64_550, 8],
  "eth.eth": [1_904, 18],
  "eth.arb": [1_904, 18],
  "sol.sol": [152.3, 9],
  "usdc.eth": [1, 6],
  "usdc.base": [1, 6],
  "usdt.tron": [1, 6],
} as const satisfies Readonly<Record<string, readonly [usd: number, decimals: number]>>

/** What is swapped: from which share of all swaps on, at whom, and for how many dollars in the middle. */
const pairs = [
  [0, "chainflip", "btc.btc", "eth.eth", 2_900],
  [0.21, "chainflip", "btc.btc", "usdc.eth", 4_100],
  [0.37, "chainflip", "eth.eth", "btc.btc", 2_300],
  [0.48, "chainflip", "sol.sol", "usdc.eth", 900],
  [0.6, "near-intents", "usdt.tron", "usdc.base", 1_200],
  [0.74, "near-intents", "sol.sol", "btc.btc", 1_600],
  [0.82, "relay", "eth.arb", "usdc.base", 750],
  [0.93, "thorchain", "btc.btc", "eth.eth", 3_300],
] as const

/** Who asks for them: from which share on, and the bps that the account earns. */
export const integrators = [
  [0, "acme-wallet", 25],
  [0.44, "kite-bot", 15],
  [0.69, "northpass", 20],
  [0.86, "harbor-pay", 30],
] as const

const days = 365
const millisOfDay = 86_400_000

/**
 * Fills the tables with a year of swaps in varied amounts, more in some parts of a week than in others. Each swap that
 * `others` opens in between has its ID left free.
 */
export const fillYearOfSwaps = Effect.fnUntraced(function* (
  swaps: number,
  end: number,
  others: ReadonlyArray<number>,
) {
  const sql = yield* SqlClient.SqlClient
  const status = yield* encodeStatus(minimal)
  const begin = end - days * millisOfDay
  yield* sql`
    INSERT INTO accounts (name, commission_bps, created_at)
    SELECT name, bps, ${new Date(begin)}::timestamptz + row_number() OVER () * interval '31 days'
    FROM jsonb_to_recordset(${
    JSON.stringify(integrators.map(([, name, bps]) => ({ name, bps })))
  }::text::jsonb) AS one (name text, bps int)`
  const prices = Object.entries(coins).map(([asset, [usd, decimals]]) => ({
    asset,
    usd: `${usd}e-${decimals}`,
  }))
  yield* sql`
    INSERT INTO asset_prices
    SELECT asset, day, usd FROM generate_series(
      date_trunc('day', ${new Date(begin - millisOfDay)}::timestamptz, 'UTC'), ${new Date(
    end + millisOfDay,
  )}::timestamptz,
      interval '1 day'
    ) AS day CROSS JOIN jsonb_to_recordset(${
    JSON.stringify(prices)
  }::text::jsonb) AS price (asset text, usd numeric)`
  const wanted = JSON.stringify(pairs.map(([from, platform, source, destination, middle], place) => ({
    from,
    to: pairs[place + 1]?.[0] ?? 1,
    platform,
    source,
    destination,
    middle,
  })))
  const askers = JSON.stringify(integrators.map(([from, name, bps], place) => ({
    from,
    to: integrators[place + 1]?.[0] ?? 1,
    name,
    bps,
  })))
  yield* sql`ALTER TABLE swaps DISABLE TRIGGER USER`
  yield* sql`SELECT setseed(0.42)`
  yield* sql`
    INSERT INTO swaps (id, account_id, platform, opening, request, issued_block, network, channel_id, deposit_address,
      state, status, created_at, updated_at, looked_up_at)
    OVERRIDING SYSTEM VALUE
    WITH price AS MATERIALIZED (
      SELECT asset, usd FROM jsonb_to_recordset(${
    JSON.stringify(prices)
  }::text::jsonb) AS price (asset text, usd numeric)
    ), drawn AS MATERIALIZED (
      SELECT n, n::float8 / ${swaps}::int AS share, random() AS who, random() AS what, random() AS size, random() AS fate,
        random() AS pace
      FROM generate_series(1, ${swaps}::int) AS n
    ), made AS (
      SELECT n, accounts.id AS account, bps, platform, source, destination, paid.usd AS sold, got.usd AS bought,
        (middle * (0.2 + size + 4 * size ^ 9))::numeric AS dollars,
        to_timestamp(${begin / 1_000}::float8 + ${days * 86_400}::int *
          (share + 0.0010 * sin(2 * pi() * 52 * share) + 0.0005 * sin(2 * pi() * 131 * share)
            + 0.04 * sin(pi() * share))) AS opened,
        interval '6 minutes' + interval '1 second' * floor(1500 * pace) AS took,
        CASE WHEN fate < 0.012 THEN 'failed' WHEN fate < 0.035 THEN 'refunded' WHEN fate < 0.075 THEN 'waiting'
          ELSE 'completed' END AS end
      FROM drawn
      JOIN jsonb_to_recordset(${wanted}::text::jsonb)
        AS pair ("from" float8, "to" float8, platform text, source text, destination text, middle float8)
        ON what >= pair."from" AND what < pair."to"
      JOIN jsonb_to_recordset(${askers}::text::jsonb) AS asker ("from" float8, "to" float8, name text, bps int)
        ON who >= asker."from" AND who < asker."to"
      JOIN accounts USING (name)
      JOIN price AS paid ON paid.asset = source
      JOIN price AS got ON got.asset = destination
    )
    SELECT n + (
        SELECT count(*) FROM jsonb_array_elements_text(${
    JSON.stringify(others)
  }::text::jsonb) AS other WHERE to_timestamp(other::float8 / 1000) < opened
      ), account, platform, 'opened', '{}', n, 'Bitcoin', n, 'bc1q' || md5('address' || n),
      CASE made.end WHEN 'refunded' THEN 'completed' ELSE made.end END,
      ${status}::text::jsonb || jsonb_strip_nulls(jsonb_build_object(
        'state', CASE made.end WHEN 'refunded' THEN 'completed' ELSE made.end END,
        'swapId', CASE WHEN made.end <> 'waiting' THEN (n + 5000000)::text END,
        'sourceAsset', source, 'destinationAsset', destination,
        'destinationAddress', '0x' || left(md5('to' || n) || md5('more' || n), 40),
        'depositChannel', jsonb_build_object(
          'id', jsonb_build_object('issuedBlock', n, 'network', 'Bitcoin', 'channelId', n),
          'createdAt', floor(extract(epoch FROM opened) * 1000), 'brokerCommissionBps', bps,
          'affiliateBrokers', '[]'::jsonb, 'depositAddress', 'bc1q' || md5('address' || n),
          'sourceChainExpiryBlock', 900144, 'estimatedExpiryTime', floor(extract(epoch FROM opened) * 1000) + 86400000,
          'isExpired', true, 'openedThroughBackend', false
        ),
        'deposit', CASE WHEN made.end <> 'waiting' THEN jsonb_build_object(
          'amount', floor(dollars / sold)::text, 'transactionReference', '0x' || md5('deposit' || n) || md5('sent' || n),
          'witnessedAt', floor(extract(epoch FROM opened) * 1000) + 120000
        ) END,
        'swapEgress', CASE WHEN made.end = 'completed' THEN jsonb_build_object(
          'amount', floor(dollars * 0.997 / bought)::text, 'transactionReference', '0x' || md5('paid' || n) || md5('out' || n),
          'witnessedAt', floor(extract(epoch FROM opened + took) * 1000)
        ) END,
        'refundEgress', CASE WHEN made.end = 'refunded' THEN jsonb_build_object(
          'amount', floor(dollars * 0.999 / sold)::text, 'transactionReference', '0x' || md5('back' || n) || md5('sent' || n),
          'witnessedAt', floor(extract(epoch FROM opened + took) * 1000)
        ) END,
        'fees', CASE WHEN made.end = 'completed' THEN jsonb_build_array(jsonb_build_object(
          'type', 'broker', 'asset', 'usdc.eth', 'amount', floor(dollars * bps * 100)::text
        )) ELSE '[]'::jsonb END
      )),
      opened, opened + took, opened + took
    FROM made ORDER BY n`
  yield* sql`ALTER TABLE swaps ENABLE TRIGGER USER`
  for (
    const [table, from] of [
      ["listed_swaps", "listing_of"],
      ["swap_marks", "marks_of"],
      ["swap_ends", "end_of"],
      ["commissions", "earned_by"],
    ] as const
  ) {
    yield* sql`
      INSERT INTO ${sql(table)} SELECT made.* FROM swaps CROSS JOIN LATERAL ${
      sql.literal(from)
    }(swaps) AS made
      ON CONFLICT DO NOTHING`
  }
  yield* sql`SELECT setval(pg_get_serial_sequence('swaps', 'id'), ${swaps}::bigint)`
  yield* sql`VACUUM (ANALYZE)`
})
