import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { AccountId } from "../../domain/Account.ts"
import { UtcDay } from "../../domain/Commission.ts"
import { JournalNote } from "../../domain/Journal.ts"
import { ProviderName } from "../../domain/ProviderName.ts"
import type { StallsOfDay } from "../../domain/ReportCard.ts"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import { type Stalls, type SwapRecord, SwapRecordId } from "../../domain/SwapRecord.ts"
import { type EpochMillis, toIsoDate } from "../../domain/Time.ts"
import { readableRows, StatusJson, Timestamp, toTimestamp, WholeNumber } from "../database/columns.ts"
import { storeOperation } from "../database/storeOperation.ts"
import { JournalRepo } from "./JournalRepo.ts"

const StalledRow = Schema.Struct({
  id: WholeNumber.pipe(Schema.decodeTo(SwapRecordId)),
  account_id: WholeNumber.pipe(Schema.decodeTo(AccountId)),
  platform: ProviderName,
  status: StatusJson,
  stalled_since: Timestamp,
})
const decodeStalled = readableRows(StalledRow, "Nobody is told of a swap that has stalled")
const StallsRow = Schema.Struct({ platform: ProviderName, swaps: Schema.Int, since: Timestamp })
const decodeDays = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ day: UtcDay, stalls: Schema.Int })),
)
const decodeStalls = Schema.decodeUnknownEffect(Schema.Array(StallsRow))

/** Swaps that stay in one state longer than it may last, or whose provider says an end that cannot be. */
export class StallsRepo extends Context.Service<StallsRepo, {
  /**
   * Flags swaps whose state has lasted too long, at most `limit`: each once for each such time, with a journal entry
   * and an event. Several replicas never flag a swap twice.
   */
  readonly flag: (
    now: EpochMillis,
    limit: number,
  ) => Effect.Effect<ReadonlyArray<SwapRecord>, StoreUnavailable>
  /** The providers with stalled swaps. */
  readonly current: Effect.Effect<ReadonlyArray<Stalls>, StoreUnavailable>
  /** The providers that say of followed swaps that they have completed as they cannot have. */
  readonly disputes: Effect.Effect<ReadonlyArray<Stalls>, StoreUnavailable>
  /** How often swaps of a provider stalled, by day (UTC); days without any are left out. */
  readonly byDay: (
    provider: ProviderName,
    from: UtcDay,
    to: UtcDay,
  ) => Effect.Effect<ReadonlyArray<StallsOfDay>, StoreUnavailable>
}>()("swap-broker/store/StallsRepo") {
  static readonly layer = Layer.effect(
    StallsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const journal = yield* JournalRepo

      const overdue = Effect.fnUntraced(function* (now: EpochMillis, limit: number) {
        const rows = yield* sql`
          WITH overdue AS MATERIALIZED (
            SELECT id FROM swaps WHERE stalls_at <= ${toTimestamp(now)} AND stalled_since IS NULL
            ORDER BY stalls_at LIMIT ${limit}
            FOR UPDATE SKIP LOCKED
          )
          UPDATE swaps SET stalled_since = stalls_at FROM overdue WHERE swaps.id = overdue.id
          RETURNING swaps.id, account_id, platform, status, stalled_since`
        return yield* decodeStalled(rows)
      }, storeOperation("Stalls.flag"))

      const toHappening = (at: EpochMillis) => (row: typeof StalledRow.Type) => {
        const { id, platform, status } = row
        const detail = `Still ${status.state}, which should have ended by ${toIsoDate(row.stalled_since)}`
        return {
          accountId: row.account_id,
          record: { id, platform, status },
          at,
          note: JournalNote.Stall({ detail }),
          events: ["swap.stalled" as const],
        }
      }

      const flag = (now: EpochMillis, limit: number) =>
        journal.recorded(
          "Stalls.flag",
          Effect.map(overdue(now, limit), (rows) => {
            const happened = rows.map(toHappening(now))
            return { value: happened.map(({ record }) => record), happened }
          }),
        )

      const current = sql`
        SELECT platform, count(*)::int AS swaps, min(stalled_since) AS since FROM swaps
        WHERE stalled_since IS NOT NULL GROUP BY platform ORDER BY platform`
        .pipe(Effect.flatMap(decodeStalls), storeOperation("Stalls.current"))

      const disputes = sql`
        SELECT platform, count(*)::int AS swaps, min(last.recorded_at) AS since
        FROM swaps CROSS JOIN LATERAL (
          SELECT kind, status, recorded_at FROM swap_journal
          WHERE swap_id = swaps.id AND kind <> 'stalled' ORDER BY swap_journal.id DESC LIMIT 1
        ) AS last
        WHERE next_lookup_at IS NOT NULL AND lookup_failures > 0 AND state <> 'completed'
          AND last.kind = 'contradicted' AND last.status ->> 'state' = 'completed'
        GROUP BY platform ORDER BY platform`
        .pipe(Effect.flatMap(decodeStalls), storeOperation("Stalls.disputes"))

      const byDay = (provider: ProviderName, from: UtcDay, to: UtcDay) =>
        sql`
          SELECT (recorded_at AT TIME ZONE 'UTC')::date::text AS day, count(*)::int AS stalls
          FROM swap_journal JOIN swaps ON swaps.id = swap_id
          WHERE kind = 'stalled' AND platform = ${provider}
            AND recorded_at >= ${from}::text::date::timestamp AT TIME ZONE 'UTC'
            AND recorded_at < (${to}::text::date + 1)::timestamp AT TIME ZONE 'UTC'
          GROUP BY 1 ORDER BY 1`.pipe(Effect.flatMap(decodeDays), storeOperation("Stalls.byDay"))

      return StallsRepo.of({ flag, current, disputes, byDay })
    }),
  )
}
