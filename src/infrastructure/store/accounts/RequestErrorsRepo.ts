import { Schema } from "effect"
import { AccountId } from "#domain/accounts/Account.ts"
import {
  FailureCause,
  type FailureCausesQuery,
  RequestErrors,
  type RequestErrorsQuery,
} from "#domain/RequestError.ts"
import { EpochMillis } from "#domain/Time.ts"
import { absentWhenNull, Timestamp, toTimestamp, WholeNumber } from "../database/columns.ts"
import { deleteBefore, given, repository, rows } from "../database/repository.ts"

/** The failed requests of an account that failed alike within one hour. */
export const HourOfErrors = Schema.Struct({
  accountId: AccountId,
  hour: EpochMillis,
  ...RequestErrors.fields,
})
export type HourOfErrors = typeof HourOfErrors.Type

const encodeHours = Schema.encodeEffect(Schema.fromJsonString(Schema.Array(HourOfErrors)))

const failures = rows(Schema.Struct({
  ...RequestErrors.fields,
  code: absentWhenNull(Schema.String),
  count: WholeNumber,
  lastAt: Timestamp,
}))

const causes = rows(Schema.Struct({
  ...FailureCause.fields,
  code: absentWhenNull(Schema.String),
  count: WholeNumber,
  lastAt: Timestamp,
}))

/** Failed requests, counted. */
export class RequestErrorsRepo extends repository<RequestErrorsRepo>()("RequestErrors", ({ op, sql }) => ({
  /** Adds counts in one statement, rows in the same order on every replica, so that none deadlock. */
  add: op("add", function* (hours: ReadonlyArray<HourOfErrors>) {
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
  }),

  /** The failures of an account, the most frequent first. */
  ofAccount: op(
    "ofAccount",
    (account: AccountId, { from, to, limit }: RequestErrorsQuery) =>
      failures.all(sql`
        SELECT endpoint, status, nullif(code, '') AS code, kind, sum(count)::bigint AS count,
          max(last_at) AS "lastAt", (array_agg(example ORDER BY last_at DESC))[1] AS example,
          ARRAY(
            SELECT DISTINCT jsonb_array_elements_text(names)
            FROM jsonb_array_elements(jsonb_agg(DISTINCT to_jsonb(parameters))) AS names ORDER BY 1
          ) AS parameters
        FROM request_errors
        WHERE account_id = ${account} AND hour BETWEEN ${toTimestamp(from)} AND ${toTimestamp(to)}
        GROUP BY endpoint, status, request_errors.code, kind
        ORDER BY sum(count) DESC, endpoint, status, request_errors.code, kind LIMIT ${limit}`),
  ),

  /** Causes of failures, the most frequent first, in one statement. Their many hours are summed up before joins and sorts. */
  causes: op(
    "causes",
    ({ account, endpoint, from, step, to }: FailureCausesQuery) => {
      const ofAccount = given(
        account,
        (name) => sql`AND account_id = (SELECT id FROM accounts WHERE name = ${name})`,
      )
      const atEndpoint = given(endpoint, (endpoint) => sql`AND endpoint = ${endpoint}`)
      return causes.all(sql`
        WITH summed AS MATERIALIZED (
          SELECT account_id, endpoint, status, code, kind, parameters, date_trunc(${step}, hour, 'UTC') AS at,
            sum(count)::bigint AS count, max(hour) AS hour,
            CASE WHEN parameters = '{}' THEN '' ELSE endpoint END AS place
          FROM request_errors
          WHERE hour BETWEEN ${toTimestamp(from)} AND ${toTimestamp(to)} ${ofAccount} ${atEndpoint}
          GROUP BY 1, 2, 3, 4, 5, 6, 7
        ), lines AS (
          SELECT account_id, endpoint, status, code, kind, parameters, place, sum(count)::bigint AS count,
            max(hour) AS hour
          FROM summed GROUP BY account_id, endpoint, status, code, kind, parameters, place
        ), failed AS (
          SELECT name, endpoint, status, code, kind, place, parameters, lines.count, last_at, example
          FROM lines JOIN accounts ON accounts.id = account_id
            JOIN request_errors AS latest USING (account_id, hour, endpoint, status, code, kind, parameters)
        ), alike AS (
          SELECT status, code, kind, place, sum(count)::bigint AS count, max(last_at) AS "lastAt",
            array_agg(DISTINCT endpoint ORDER BY endpoint) AS endpoints,
            (array_agg(example ORDER BY last_at DESC))[1] AS example,
            ARRAY(
              SELECT DISTINCT jsonb_array_elements_text(names)
              FROM jsonb_array_elements(jsonb_agg(DISTINCT to_jsonb(parameters))) AS names ORDER BY 1
            ) AS parameters
          FROM failed GROUP BY status, code, kind, place
        ), whose AS (
          SELECT status, code, kind, place,
            jsonb_agg(jsonb_build_object('name', name, 'count', count) ORDER BY count DESC, name) AS accounts
          FROM (
            SELECT status, code, kind, place, name, sum(count) AS count
            FROM failed GROUP BY status, code, kind, place, name
          ) AS called GROUP BY status, code, kind, place
        ), times AS (
          SELECT status, code, kind, place,
            jsonb_agg(jsonb_build_object('at', (extract(epoch FROM at) * 1000)::bigint, 'count', count)
              ORDER BY at) AS periods
          FROM (
            SELECT status, code, kind, place, at, sum(count) AS count
            FROM summed GROUP BY status, code, kind, place, at
          ) AS counted GROUP BY status, code, kind, place
        )
        SELECT endpoints, status, nullif(code, '') AS code, kind, count, "lastAt", example, parameters, accounts,
          periods
        FROM alike JOIN whose USING (status, code, kind, place) JOIN times USING (status, code, kind, place)
        ORDER BY count DESC, status DESC, alike.code, kind, place`)
    },
  ),

  /** Deletes at most `limit` rows of hours before a time, the oldest first; returns their number. */
  forget: op("forget", deleteBefore(sql, "request_errors", "hour", "ctid")),
})) {}
