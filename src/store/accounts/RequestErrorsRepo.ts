import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { AccountId } from "../../domain/Account.ts"
import { RequestErrors, type RequestErrorsQuery } from "../../domain/RequestError.ts"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import { EpochMillis } from "../../domain/Time.ts"
import { absentWhenNull, Timestamp, toTimestamp, WholeNumber } from "../database/columns.ts"
import { storeOperation } from "../database/storeOperation.ts"

/** The failed requests of an account that failed alike within one hour. */
export const HourOfErrors = Schema.Struct({
  accountId: AccountId,
  hour: EpochMillis,
  ...RequestErrors.fields,
})
export type HourOfErrors = typeof HourOfErrors.Type

const encodeHours = Schema.encodeEffect(Schema.fromJsonString(Schema.Array(HourOfErrors)))

const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({
  ...RequestErrors.fields,
  code: absentWhenNull(Schema.String),
  count: WholeNumber,
  lastAt: Timestamp,
})))

/** Failed requests, counted. */
export class RequestErrorsRepo extends Context.Service<RequestErrorsRepo, {
  /** Adds counts to those that are there, in one statement. */
  readonly add: (hours: ReadonlyArray<HourOfErrors>) => Effect.Effect<void, StoreUnavailable>
  /** The failures of an account, the most frequent first. */
  readonly ofAccount: (
    account: AccountId,
    query: RequestErrorsQuery,
  ) => Effect.Effect<ReadonlyArray<RequestErrors>, StoreUnavailable>
  /** Deletes at most `limit` rows of hours before a time, the oldest first; returns their number. */
  readonly forget: (before: EpochMillis, limit: number) => Effect.Effect<number, StoreUnavailable>
}>()("swap-broker/store/RequestErrorsRepo") {
  static readonly layer = Layer.effect(
    RequestErrorsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      // Every replica takes the rows in the same order, so that no two wait for each other.
      const add = Effect.fnUntraced(function* (hours: ReadonlyArray<HourOfErrors>) {
        yield* sql`
          INSERT INTO request_errors AS known
            (account_id, hour, endpoint, status, code, kind, count, last_at, parameters, example)
          SELECT "accountId", to_timestamp(hour / 1000.0), endpoint, status, coalesce(code, ''), kind, count,
            to_timestamp("lastAt" / 1000.0), ARRAY(SELECT jsonb_array_elements_text(parameters)), example
          FROM jsonb_to_recordset(${yield* encodeHours(hours)}::text::jsonb) AS added (
            "accountId" bigint, hour bigint, endpoint text, status integer, code text, kind text, count bigint,
            "lastAt" bigint, parameters jsonb, example text
          )
          ORDER BY 1, 2, 3, 4, 5, 6
          ON CONFLICT (account_id, hour, endpoint, status, code, kind) DO UPDATE SET
            count = known.count + excluded.count,
            example = CASE WHEN excluded.last_at < known.last_at THEN known.example ELSE excluded.example END,
            last_at = greatest(known.last_at, excluded.last_at),
            parameters = ARRAY(SELECT DISTINCT unnest(known.parameters || excluded.parameters) ORDER BY 1)`
      }, storeOperation("RequestErrors.add"))

      const ofAccount = Effect.fnUntraced(
        function* (account: AccountId, { from, to, limit }: RequestErrorsQuery) {
          const rows = yield* sql`
            SELECT endpoint, status, nullif(code, '') AS code, kind, sum(count)::bigint AS count,
              max(last_at) AS "lastAt", (array_agg(example ORDER BY last_at DESC))[1] AS example,
              ARRAY(
                SELECT DISTINCT jsonb_array_elements_text(names)
                FROM jsonb_array_elements(jsonb_agg(DISTINCT to_jsonb(parameters))) AS names ORDER BY 1
              ) AS parameters
            FROM request_errors
            WHERE account_id = ${account} AND hour BETWEEN ${toTimestamp(from)} AND ${toTimestamp(to)}
            GROUP BY endpoint, status, request_errors.code, kind
            ORDER BY sum(count) DESC, endpoint, status, request_errors.code, kind LIMIT ${limit}`
          return yield* decodeRows(rows)
        },
        storeOperation("RequestErrors.ofAccount"),
      )

      const forget = Effect.fnUntraced(function* (before: EpochMillis, limit: number) {
        const rows = yield* sql`
          DELETE FROM request_errors WHERE ctid IN (
            SELECT ctid FROM request_errors WHERE hour < ${toTimestamp(before)} ORDER BY hour LIMIT ${limit}
            FOR UPDATE SKIP LOCKED
          )
          RETURNING 1`
        return rows.length
      }, storeOperation("RequestErrors.forget"))

      return RequestErrorsRepo.of({ add, ofAccount, forget })
    }),
  )
}
