import type { SqlClient, Statement } from "effect/sql"
import type { CreatedRange } from "#domain/Period.ts"
import { toTimestamp } from "../database/columns.ts"

/** How far the clocks of replicas may be apart: a process sets `created_at`, while the database numbers the swaps. */
const clocksApart = "1 minute"
const last = Number.MAX_SAFE_INTEGER

/**
 * The ids next to a period that is `clocksApart` longer than asked for: of the last swap before it (`least`), and of the
 * first one after it (`most`). Where clocks were apart, a swap inside may have a smaller id than the first one inside, so
 * `isWithin` still has to compare the times of the swaps between, but for those that are so far inside that it `isCertain`.
 */
export const createdEdges = (sql: SqlClient.SqlClient, { createdBefore, createdFrom }: CreatedRange) => {
  const apart = sql.literal(`interval '${clocksApart}'`)
  const edge = (at: Statement.Fragment, order: "ASC" | "DESC", none: number) =>
    sql`coalesce((SELECT swap_id FROM listed_swaps WHERE ${at}
      ORDER BY created_at ${sql.literal(order)}, swap_id ${sql.literal(order)} LIMIT 1), ${none}::bigint)`
  const from = createdFrom === undefined ? undefined : sql`${toTimestamp(createdFrom)}::timestamptz`
  const before = createdBefore === undefined ? undefined : sql`${toTimestamp(createdBefore)}::timestamptz`
  const both = (atFrom: Statement.Fragment | undefined, atBefore: Statement.Fragment | undefined) =>
    sql.and([atFrom, atBefore].flatMap((is) => is === undefined ? [] : [is]))
  return {
    least: from && edge(sql`created_at < ${from} - ${apart}`, "DESC", 0),
    most: before && edge(sql`created_at >= ${before} + ${apart}`, "ASC", last),
    isWithin: (from ?? before) &&
      both(from && sql`created_at >= ${from}`, before && sql`created_at < ${before}`),
    isCertain: (id: Statement.Fragment) =>
      both(
        from && sql`${id} > ${edge(sql`created_at >= ${from} + ${apart}`, "ASC", last)}`,
        before && sql`${id} < ${edge(sql`created_at < ${before} - ${apart}`, "DESC", 0)}`,
      ),
  }
}
