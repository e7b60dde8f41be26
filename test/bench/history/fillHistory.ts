import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { encodeStatus } from "#infrastructure/store/database/columns.ts"
import { completed } from "#test/api/present/statuses.ts"

/** The day on which the first swap was recorded; the last one is recorded a year later. */
const begin = Date.parse("2026-01-01T00:00:00Z")
const secondsOfYear = 365 * 86_400

/** Addresses by how many swaps have them. */
export const addresses = {
  /** The recipient of a third of the swaps, which are all to `usdc.eth`. */
  common: "0x1111111111111111111111111111111111111111",
  /** Where two fifths are refunded; those are all of Bitcoin. */
  refund: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  /** Of one swap in 50,000. */
  rare: "0x2222222222222222222222222222222222222222",
  /** Of an eighth of the channels, which nobody has ever paid to. */
  unpaid: "0x3333333333333333333333333333333333333333",
} as const

/** A number from 0 to below 1 that looks random, the same in each run: one for each place of the `n`-th swap. */
const share = (place: number) => `((hashint8extended(n, ${place}) & 1048575) / 1048576.0)`

const pick = (place: number, shares: Readonly<Record<string, number>>) => {
  let sum = 0
  const cases = Object.entries(shares).map(([value, part]) =>
    `WHEN ${share(place)} < ${sum += part} THEN '${value}'`
  )
  return `CASE ${cases.join(" ")} END`
}

const sources = { "btc.btc": 0.5, "eth.eth": 0.25, "usdc.eth": 0.12, "sol.sol": 0.08, "usdt.eth": 0.05 }
const destinations = { "usdc.eth": 0.4, "eth.eth": 0.25, "btc.btc": 0.2, "sol.sol": 0.1, "usdt.eth": 0.05 }
const platforms = { chainflip: 0.7, "near-intents": 0.2, relay: 0.099, thorchain: 0.001 }
const states = {
  completed: 0.6,
  failed: 0.05,
  receiving: 0.0003,
  swapping: 0.0003,
  sending: 0.0003,
  sent: 0.0001,
  waiting: 0.349,
}

const lot = 20_000

/**
 * Fills the tables with swaps of two accounts, the first of which has nine in ten. What they have in common is as uneven
 * as in life: assets, providers and addresses that most have, and some that a few have among all of them.
 */
export const fillHistory = Effect.fnUntraced(function* (swaps: number) {
  const sql = yield* SqlClient.SqlClient
  const status = yield* encodeStatus(completed.status)
  yield* sql`INSERT INTO accounts (name, commission_bps, created_at) VALUES ('another', 0, now())`
  yield* sql`ALTER TABLE swaps DISABLE TRIGGER USER`
  for (let from = 1; from <= swaps; from += lot) {
    yield* sql`
      INSERT INTO swaps (id, account_id, platform, opening, request, issued_block, network, channel_id, deposit_address,
        state, status, created_at, updated_at, looked_up_at)
      OVERRIDING SYSTEM VALUE
      SELECT n, CASE WHEN n % 10 = 0 THEN other.id ELSE own.id END, facts.platform, 'opened', '{}', n, 'Bitcoin', n,
        'bc1q' || md5('deposit' || n), facts.state,
        (CASE
          WHEN facts.state = 'completed' AND ${
      sql.literal(share(6))
    } < 0.05 THEN ${status}::text::jsonb - 'swapEgress' || refund
          WHEN facts.state = 'completed' AND ${
      sql.literal(share(6))
    } < 0.052 THEN ${status}::text::jsonb || refund
          WHEN facts.state = 'failed' AND ${
      sql.literal(share(6))
    } < 0.3 THEN ${status}::text::jsonb - 'swapEgress' || refund
          WHEN facts.state = 'completed' THEN ${status}::text::jsonb
          ELSE ${status}::text::jsonb - 'swapEgress'
        END) || jsonb_build_object(
          'state', facts.state, 'swapId', n::text, 'sourceAsset', facts.source, 'destinationAsset', facts.destination,
          'destinationAddress', CASE
            WHEN n % 50000 = 11 THEN ${addresses.rare}
            WHEN facts.state = 'waiting' AND ${sql.literal(share(3))} < 0.35 THEN ${addresses.unpaid}
            WHEN facts.destination = 'usdc.eth' AND ${sql.literal(share(3))} < 0.8 THEN ${addresses.common}
            ELSE '0x' || left(md5('to' || n / 7) || md5('more' || n / 7), 40) END,
          'depositChannel', ${status}::text::jsonb -> 'depositChannel'
            || jsonb_build_object('depositAddress', 'bc1q' || md5('deposit' || n)),
          'fillOrKill', ${status}::text::jsonb -> 'fillOrKill' || jsonb_build_object('refundAddress', CASE
            WHEN facts.source = 'btc.btc' AND ${sql.literal(share(4))} < 0.8 THEN ${addresses.refund}
            ELSE 'bc1q' || md5('refund' || n / 5) END)
        ), at, at, at
      FROM generate_series(${from}::int, ${Math.min(swaps, from + lot - 1)}::int) AS n
      CROSS JOIN LATERAL (SELECT
        CASE WHEN n % 50000 = 7 THEN 'dot.hub' ELSE ${sql.literal(pick(1, sources))} END AS source,
        CASE WHEN n % 50000 = 7007 THEN 'flip.eth' ELSE ${
      sql.literal(pick(2, destinations))
    } END AS destination,
        ${sql.literal(pick(8, platforms))} AS platform, ${sql.literal(pick(5, states))} AS state,
        jsonb_build_object('refundEgress', jsonb_build_object('amount', '1', 'transactionReference', 'back' || n)) AS refund,
        to_timestamp(${begin / 1_000}::double precision
          + n::double precision * ${secondsOfYear / swaps}::double precision
          + 40 * ${sql.literal(share(7))}::double precision) AS at
      ) AS facts
      CROSS JOIN (SELECT min(id) AS id FROM accounts) AS own
      CROSS JOIN (SELECT max(id) AS id FROM accounts) AS other
      ORDER BY n`
    for (
      const [table, rows] of [["listed_swaps", "listing_of"], ["swap_addresses", "addresses_of"]] as const
    ) {
      yield* sql`
        INSERT INTO ${sql.literal(table)}
        SELECT made.* FROM swaps CROSS JOIN LATERAL ${sql.literal(rows)}(swaps) AS made
        WHERE swaps.id BETWEEN ${from} AND ${from + lot - 1}`
    }
  }
  yield* sql`ALTER TABLE swaps ENABLE TRIGGER USER`
  yield* sql`VACUUM (ANALYZE)`
  yield* sql`CHECKPOINT`
})
