import { assert, layer } from "#test/support/it.ts"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { Caller } from "#domain/accounts/Account.ts"
import type { AccountSwapsQuery, OverviewQuery } from "#domain/operations/Business.ts"
import { UtcDay } from "#domain/money/Commission.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { StoreUnavailable } from "#domain/StoreError.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { EpochMillis } from "#domain/Time.ts"
import { CommissionsRepo } from "#infrastructure/store/accounts/CommissionsRepo.ts"
import { ListedSwapsRepo, MostVisited } from "#infrastructure/store/business/ListedSwapsRepo.ts"
import { SumsRepo } from "#infrastructure/store/business/SumsRepo.ts"
import { MostEnds, TrackRecordsRepo } from "#infrastructure/store/business/TrackRecordsRepo.ts"
import { OpenFundsRepo } from "#infrastructure/store/business/OpenFundsRepo.ts"
import { encodeStatus } from "#infrastructure/store/database/columns.ts"
import { newAccount, stores } from "#test/support/store.ts"
import { statusIn } from "#test/support/swap.ts"
import { readingOf } from "./readingOf.ts"

const swaps = 4_000

/** The most that a page looks at, and that it and the swaps that it shows may read in all. */
const looked = 100
const most = { rows: 500, blocks: 1_000 }

/** Values of commission are summed by the hour: a year of two accounts and platforms has some thousands of those. */
const mostOfYear = { rows: 6_000, blocks: 1_000 }
const ofYear = ["commission by day", "commission of an account"]

/** The ends of a pair that a track record is read of: a few, as the number of pairs is what counts. */
const endsOfPair = 20

const begin = Date.parse("2026-01-01T00:00:00Z")
const at = (hours: number) => EpochMillis.make(begin + hours * 3_600_000)

/**
 * Vacuums until every row is known to be visible to all. A server may look at the new rows by itself in the same moment,
 * which holds that back, and the planner then believes that reading an index alone is dear.
 */
const vacuumed = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const seen = Effect.map(
    Effect.andThen(
      sql`VACUUM ANALYZE`,
      sql<{ readonly all: boolean }>`
        SELECT bool_and(relallvisible >= relpages) AS all FROM pg_class
        WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    ),
    ([row]) => row?.all === true,
  )
  for (let tries = 0; tries < 8 && !(yield* seen); tries++) {
    yield* TestClock.withLive(Effect.sleep("250 millis"))
  }
})

/** A swap an hour: most are over, a few are under way or stalled, the last ones have open channels. */
const fill = Effect.fnUntraced(function* (one: Caller, other: Caller) {
  const sql = yield* SqlClient.SqlClient
  const status = yield* encodeStatus(statusIn("completed"))
  yield* sql`
    INSERT INTO swaps (id, account_id, platform, opening, request, issued_block, network, channel_id, deposit_address,
      shares_channel, state, status, created_at, updated_at, changed_at, stalled_since, next_lookup_at, lookup_failures)
    OVERRIDING SYSTEM VALUE
    SELECT n, CASE WHEN n % 2 = 0 THEN ${one.id} ELSE ${other.id}::bigint END,
      CASE WHEN n % 3 = 0 THEN 'relay' ELSE 'chainflip' END, 'opened', '{}', n, 'Bitcoin', n, 'bc1q' || n, true,
      now_in.state, ${status}::text::jsonb || jsonb_build_object(
        'state', now_in.state, 'swapId', 'swap-' || n,
        'sourceAsset', CASE WHEN n % 4 = 0 THEN 'eth.eth' ELSE 'btc.btc' END,
        'destinationAsset', CASE WHEN n % 7 = 0 THEN 'sol.sol' ELSE 'usdc.eth' END,
        'swapEgress', jsonb_build_object('amount', '1', 'scheduledAt', ${begin}::bigint + n::bigint * 3600000),
        'fees', jsonb_build_array(jsonb_build_object('type', 'broker', 'asset', 'usdc.eth', 'amount', '7'))
      ),
      recorded.at, recorded.at, recorded.at,
      CASE WHEN now_in.state = 'sending' THEN recorded.at END,
      CASE WHEN n > ${swaps} - 20 THEN recorded.at END, CASE WHEN n % 50 = 0 THEN 1 ELSE 0 END
    FROM generate_series(1, ${swaps}::int) AS n
    CROSS JOIN LATERAL (
      SELECT CASE
        WHEN n > ${swaps} - 20 OR n % 10 = 1 THEN 'waiting'
        WHEN n % 400 = 5 THEN 'sending' WHEN n % 20 = 6 THEN 'failed' ELSE 'completed'
      END AS state
    ) AS now_in
    CROSS JOIN LATERAL (SELECT to_timestamp((${begin}::bigint / 1000 + n::bigint * 3600)::double precision) AS at) AS recorded`
  yield* vacuumed
})

for (const store of stores) {
  const looking = Layer.merge(
    Layer.fresh(ListedSwapsRepo.layer),
    Layer.fresh(TrackRecordsRepo.layer),
  ).pipe(
    Layer.provide([Layer.succeed(MostVisited, looked), Layer.succeed(MostEnds, endsOfPair)]),
    Layer.provideMerge(store.layer),
  )

  layer(looking)(`What is read of many swaps on ${store.name}`, (it) => {
    it.effect(
      "is bounded for each list and sum of the operator, whatever it is filtered by",
      function* () {
        const [one, other] = [yield* newAccount, yield* newAccount]
        yield* fill(one, other)
        const listed = yield* ListedSwapsRepo
        const sums = yield* SumsRepo
        const underWay = yield* OpenFundsRepo
        const records = yield* TrackRecordsRepo
        const account = other.name
        const middle = SwapRecordId.make(swaps / 2)
        const period = { createdFrom: at(1_000), createdBefore: at(3_400) }
        const filters: Readonly<Record<string, Omit<AccountSwapsQuery, "limit" | "sort">>> = {
          "no filter": {},
          "an account": { account },
          "a platform": { platform: ProviderName.make("relay") },
          "a platform without swaps": { platform: ProviderName.make("near-intents") },
          "a state": { states: ["failed"] },
          "several states": { states: ["failed", "waiting", "completed"] },
          "a rare state": { states: ["sending"] },
          "a state without swaps": { states: ["receiving"] },
          "an asset": { asset: "eth.eth" },
          "a source asset": { sourceAsset: "btc.btc" },
          "a destination asset": { destinationAsset: "sol.sol" },
          "a period": period,
          "a period and a state": { ...period, states: ["failed"] },
          "a period and an account": { ...period, account },
          "since": { createdFrom: at(1_000) },
          "before": { createdBefore: at(3_000) },
          "stalled": { stalled: true },
          "not stalled": { stalled: false },
          "waiting for a deposit": { waits: true },
          "disputed": { disputed: true },
          "disputed, of an account": { disputed: true, account },
          "failed ends": { results: ["failed"] },
          "failed ends of an account": { results: ["failed"], account },
          "failed ends of a platform and an asset": {
            results: ["failed"],
            platform: ProviderName.make("relay"),
            asset: "eth.eth",
          },
          "failed ends of a day": { results: ["failed"], ended: { from: at(2_000), before: at(2_024) } },
          "refunded ends, of which there are none": { results: ["refunded"] },
          "refunds in part, of which there are none": { results: ["partlyRefunded"] },
          "all results of an account": {
            results: ["completed", "refunded", "partlyRefunded", "failed"],
            account,
          },
          "expired channels": { states: ["waiting"], expired: true },
          "completed ends": { results: ["completed"], states: ["completed"] },
          "completed ends of an account": { results: ["completed"], states: ["completed"], account },
          "an account, a platform, a state and an asset": {
            account,
            platform: ProviderName.make("chainflip"),
            states: ["completed"],
            sourceAsset: "btc.btc",
          },
          "what no swap fits": { account, sourceAsset: "eth.eth" },
          "an id": { find: `${middle}` },
          "an upstream's id": { find: "swap-77" },
          "a channel": { find: "77-bitcoin-77" },
          "a refund address of all": { find: "bc1qrefund" },
          "a refund address of all, in a state": { find: "bc1qrefund", states: ["receiving"] },
          "an unknown name": { find: "nothing" },
        }
        const lists = Object.entries(filters).flatMap(([name, filter]) =>
          [
            [`swaps by ${name}`, listed.page({ ...filter, sort: "descending", limit: 10 })],
            [
              `swaps by ${name}, ascending from the middle`,
              listed.page({ ...filter, offset: middle, sort: "ascending", limit: 10 }),
            ],
          ] as const
        )
        const days = { from: UtcDay.make("2026-03-01"), to: UtcDay.make("2026-03-31") }
        const hours = (step: OverviewQuery["step"]) => ({ from: at(1_000), before: at(1_096), step })
        const commissions = yield* CommissionsRepo
        const others = [
          ["failed swaps counted", listed.count({ results: ["failed"], sort: "descending", limit: 99 })],
          ["disputed swaps counted", listed.count({ disputed: true, sort: "descending", limit: 99 })],
          ["commission by day", sums.commission({ ...days, by: ["day"] })],
          ["commission of an account", sums.commission({ ...days, by: ["platform", "day"], account })],
          ["an account's own commission", commissions.earned(other.id, days)],
          ["ends", sums.ended(hours("hour"))],
          ["ends of an account", sums.ended({ ...hours("day"), account })],
          ["volume", sums.volume(hours("day"))],
          ["commission of hours", sums.earned(hours("hour"))],
          ["open channels", underWay.openChannels({ limit: 10 })],
          ["open channels of an account", underWay.openChannels({ limit: 10, account, offset: middle })],
          ["channels counted", underWay.channelCounts],
          ["states", underWay.states(undefined)],
          ["states of an account", underWay.states(account)],
          ["stalls", underWay.stalls(undefined)],
          ["stalls of an account", underWay.stalls(account)],
          ["track records", records.since(at(0))],
          ["track records of some days", records.since(at(swaps - 100))],
        ] as const
        const questions: ReadonlyArray<readonly [string, Effect.Effect<unknown, StoreUnavailable>]> = [
          ...lists,
          ...others,
        ]
        const found: Record<string, unknown> = {}
        for (const [name, question] of questions) {
          const reading = yield* readingOf(question)
          const bound = ofYear.includes(name) ? mostOfYear : most
          if (reading.rows > bound.rows || reading.blocks > bound.blocks) found[name] = reading
        }
        assert.deepStrictEqual(found, {})
      },
    )
  })
}
