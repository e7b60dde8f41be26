import { Effect, Schema } from "effect"
import { AccountId } from "#domain/accounts/Account.ts"
import { SwapOutcome } from "#domain/operations/Business.ts"
import { UtcDay } from "#domain/money/Commission.ts"
import { JournalNote } from "#domain/swaps/Journal.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { type EpochMillis, toIsoDate } from "#domain/Time.ts"
import { idOf, StatusJson, Timestamp, toTimestamp } from "../database/columns.ts"
import { readable, repository, rows } from "../database/repository.ts"
import { JournalRepo } from "./JournalRepo.ts"
import { enteredColumn } from "./standing.ts"

const StalledRow = Schema.Struct({
  id: idOf(SwapRecordId),
  accountId: idOf(AccountId),
  platform: ProviderName,
  status: StatusJson,
  since: Timestamp,
  enteredAt: Timestamp,
})
const stalled = readable(StalledRow, "Nobody is told of a swap that has stalled")
const stalls = rows(Schema.Struct({ platform: ProviderName, swaps: Schema.Int, since: Timestamp }))
const lastStalls = rows(Schema.Struct({
  id: idOf(SwapRecordId),
  outcome: SwapOutcome,
  stalledAt: Timestamp,
  endedAt: Timestamp,
}))
const days = rows(Schema.Struct({ day: UtcDay, stalls: Schema.Int }))

const toHappening =
  (at: EpochMillis) => ({ accountId, enteredAt: _, since, ...record }: typeof StalledRow.Type) => {
    const end = toIsoDate(since).slice(0, 16).replace("T", " ")
    const detail = `Still ${record.status.state}. It should have moved on by ${end} UTC`
    return { accountId, record, at, note: JournalNote.Stall({ detail }), events: ["swap.stalled" as const] }
  }

/** Swaps that stay in one state longer than it may last, or whose provider says an end that cannot be. */
export class StallsRepo
  extends repository<StallsRepo>()("Stalls", ({ op, sql }) =>
    Effect.map(JournalRepo, (journal) => {
      const overdue = op("flag", (now: EpochMillis, limit: number) =>
        stalled.all(sql`
          WITH overdue AS MATERIALIZED (
            SELECT id FROM swaps WHERE stalls_at <= ${toTimestamp(now)} AND stalled_since IS NULL
            ORDER BY stalls_at LIMIT ${limit}
            FOR UPDATE SKIP LOCKED
          )
          UPDATE swaps SET stalled_since = stalls_at FROM overdue WHERE swaps.id = overdue.id
          RETURNING swaps.id, account_id AS "accountId", platform, status, stalled_since AS since,
            ${sql.literal(enteredColumn)}`))

      return {
        /** Flags at most `limit` stalled swaps, each once over all replicas, with an entry and an event. */
        flag: (now: EpochMillis, limit: number) =>
          journal.recorded("Stalls.flag", function* () {
            const value = yield* overdue(now, limit)
            return { value, happened: value.map(toHappening(now)) }
          }),

        /** The providers with stalled swaps. */
        current: op(
          "current",
          stalls.all(sql`
            SELECT platform, count(*)::int AS swaps, min(stalled_since) AS since FROM swaps
            WHERE stalled_since IS NOT NULL GROUP BY platform ORDER BY platform`),
        ),

        /** The providers that say of followed swaps that they have completed as they cannot have. */
        disputes: op(
          "disputes",
          stalls.all(sql`
            SELECT platform, count(*)::int AS swaps, min(last.recorded_at) AS since
            FROM swaps CROSS JOIN LATERAL (
              SELECT kind, status, recorded_at FROM swap_journal
              WHERE swap_id = swaps.id AND kind <> 'stalled' ORDER BY swap_journal.id DESC LIMIT 1
            ) AS last
            WHERE next_lookup_at IS NOT NULL AND lookup_failures > 0 AND state <> 'completed'
              AND last.kind = 'contradicted' AND last.status ->> 'state' = 'completed'
            GROUP BY platform ORDER BY platform`),
        ),

        /** The latest swap of a provider that stalled in the last 90 days and has ended, besides one. */
        lastEnded: op("lastEnded", (provider: ProviderName, besides: SwapRecordId) =>
          lastStalls.first(sql`
            SELECT journal.swap_id AS id, outcome, recorded_at AS "stalledAt", ended_at AS "endedAt"
            FROM swap_journal AS journal JOIN swap_ends USING (swap_id)
            WHERE kind = 'stalled' AND recorded_at > now() - interval '90 days' AND ended_at > recorded_at
              AND provider = ${provider} AND journal.swap_id <> ${besides}
            ORDER BY recorded_at DESC LIMIT 1`)),

        /** How often swaps of a provider stalled, by day (UTC); days without any are left out. */
        byDay: op("byDay", (provider: ProviderName, from: UtcDay, to: UtcDay) =>
          days.all(sql`
            SELECT (recorded_at AT TIME ZONE 'UTC')::date::text AS day, count(*)::int AS stalls
            FROM swap_journal JOIN swaps ON swaps.id = swap_id
            WHERE kind = 'stalled' AND platform = ${provider}
              AND recorded_at >= ${from}::text::date::timestamp AT TIME ZONE 'UTC'
              AND recorded_at < (${to}::text::date + 1)::timestamp AT TIME ZONE 'UTC'
            GROUP BY 1 ORDER BY 1`)),
      }
    })) {}
