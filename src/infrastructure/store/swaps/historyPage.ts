import { Array } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { AccountId } from "#domain/accounts/Account.ts"
import { statesOfResult } from "#domain/swaps/Swap.ts"
import type { HistoryQuery } from "#domain/swaps/SwapRecord.ts"
import { given } from "../database/repository.ts"
import { createdEdges } from "./createdRange.ts"

/*
 * A page merges ranges of one index, each in the order of ids and no longer than the page, so that what few swaps have
 * costs no more than what many have. Without assets and address there is a range for each state, or state and result. With
 * them the columns behind the given ones say which ranges there are: each distinct value of theirs is found by a step in
 * the index (migration 0070).
 *
 * Postgres keeps a plan only if it finds no better one for the values of a call. So the values that it has to know, the
 * states and the limit, are part of the text; the other values stand each behind a SELECT of its own, where it cannot weigh
 * them. For the expressions of ids see the indexes.
 */

/** The columns of an index behind the account, in order, with the values that the query gives. */
type Columns = ReadonlyArray<readonly [name: string, value?: string | undefined]>

/** The table that has the asset or the address of a query, and the columns of the index that the query is read by. */
const indexOf = ({ address, destinationAsset, platform, sourceAsset }: HistoryQuery) => {
  const assets: Columns = [["source_asset", sourceAsset], ["destination_asset", destinationAsset]]
  const others: Columns = [["platform", platform], ["state"], ["other_result"]]
  if (address !== undefined) {
    const columns = [["address", address] as const, ...assets, ...others]
    return { table: "swap_addresses", id: "swap_id", columns }
  }
  const assetsGiven = assets.filter(([, value]) => value !== undefined)
  if (assetsGiven.length === 0) return undefined
  return { table: "listed_swaps", id: "swap_id * 1", columns: [...assetsGiven, ...others] }
}

/** The parts of a statement that finds the swaps of a page: `page (id)`, preceded by what it needs. */
export const historyPage = (sql: SqlClient.SqlClient, account: AccountId, query: HistoryQuery) => {
  const { offset, platform, results, states } = query
  const byResult = results !== undefined
  const ends = [...new Set(results)].flatMap((result) =>
    statesOfResult[result].filter((state) => states.includes(state)).map((state) => [state, result])
  )
  if (byResult && ends.length === 0) return undefined
  const kinds = byResult ? ends : [...new Set(states)].map((state) => [state])
  const ranges = sql.literal(kinds.map((words) => `(${words.map((word) => `'${word}'`).join()})`).join())
  const limit = sql.literal(`LIMIT ${query.limit}`)
  const isAscending = query.sort === "ascending"
  const created = createdEdges(sql, query)
  const ofAccount = sql`account_id = (SELECT ${account}::bigint)`

  const bound = (comparison: string, edge: Statement.Fragment | undefined) =>
    given(edge, (edge) => sql`AND ${sql.literal(comparison)} ${edge}`)

  /** The first ids of each range that is wanted, merged. */
  const page = (wanted: Statement.Fragment, table: string, id: string, isIn: Statement.Fragment) => {
    const order = sql.literal(`${id} ${isAscending ? "ASC" : "DESC"}`)
    const key = sql.literal(table === "swaps" ? "id" : "swap_id")
    const from = offset === undefined ? offset : sql`(SELECT ${offset}::bigint)`
    const within = created.isWithin && sql`(${created.isCertain(key)} OR (
      SELECT ${created.isWithin} FROM listed_swaps AS listed WHERE listed.swap_id = each.${key}))`
    return sql`page AS (
      SELECT matching.id FROM ${wanted} CROSS JOIN LATERAL (
        SELECT ${key} AS id FROM ${sql.literal(table)} AS each WHERE ${ofAccount} AND ${isIn} ${
      bound("", within)
    }
          ${bound(`${id} ${isAscending ? ">=" : "<="}`, from)}
          ${bound(`${id} >=`, created.least)} ${bound(`${id} <=`, created.most)}
        ORDER BY ${order} ${limit}
      ) AS matching
      ORDER BY matching.id ${sql.literal(isAscending ? "ASC" : "DESC")} ${limit}
    )`
  }

  const index = indexOf(query)
  if (index === undefined) {
    const columns = sql.literal(byResult ? "state, result" : "state")
    const isResult = "AND state IN ('completed', 'failed') AND swap_result(state, status) = wanted.result"
    return page(
      sql`(VALUES ${ranges}) AS wanted (${columns})`,
      "swaps",
      byResult ? "id - 0" : "id + 0",
      sql`each.state = wanted.state ${sql.literal(byResult ? isResult : "")}
        ${given(platform, (name) => sql`AND platform = (SELECT ${name}::text)`)}`,
    )
  }

  const [known, others] = Array.span(index.columns, ([, value]) => value !== undefined)
  const table = sql.literal(index.table)
  const equals = ([name, value]: Columns[number]) =>
    value === undefined ? [] : [
      sql`${sql.literal(`${name} COLLATE "C"`)} = (SELECT ${
        name === "address" ? sql`swap_address(${value}::text)` : sql`${value}::text`
      })`,
    ]
  const isKnown = sql.and(known.flatMap(equals))
  const names = (row: string) => sql.literal(others.map(([name]) => `${row}.${name} COLLATE "C"`).join())
  const kind = sql.literal(byResult ? "(state, coalesce(nullif(other_result, ''), state))" : "(state)")
  const next = (later: Statement.Fragment) =>
    sql`SELECT ${names("each")} FROM ${table} AS each WHERE ${ofAccount} AND ${isKnown} ${later}
      ORDER BY ${names("each")} LIMIT 1`
  const isIn = sql`${isKnown} AND (${names("each")}) = (${names("wanted")})`
  return sql`parts AS (
    (${next(sql.literal(""))}) UNION ALL SELECT later.* FROM parts CROSS JOIN LATERAL (
      ${next(sql`AND (${names("each")}) > (${names("parts")})`)}
    ) AS later
  ), wanted AS (
    SELECT * FROM parts WHERE ${sql.and([sql`${kind} IN (${ranges})`, ...others.flatMap(equals)])}
  ), ${page(sql.literal("wanted"), index.table, index.id, isIn)}`
}
