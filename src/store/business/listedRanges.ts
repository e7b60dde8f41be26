import type { SqlClient, Statement } from "effect/sql"
import type { AccountSwapsQuery } from "../../domain/Business.ts"
import { SwapState } from "../../domain/Swap.ts"
import { toTimestamp } from "../database/columns.ts"

/*
 * A page reads one or two filters by their index and looks at each swap there for the others. It looks at so many at the
 * most: a page with few hits among a million swaps must not read them all. Where a range has more than were looked at,
 * nothing beyond the last one is shown, and the next page begins there.
 */

/** How far the clocks of replicas may be apart: `created_at` is of the process, the order of ids of the database. */
const clocksApart = "1 minute"

const visitedColumns =
  `listed_swaps.swap_id, account_id, platform, source_asset, destination_asset, created_at,
  is_stalled, state`

/** A filter with an index that lists the swaps by state and id. */
type Indexed = readonly [
  column: "account_id" | "source_asset" | "destination_asset" | "platform",
  value: string,
]

const digits = /^[1-9][0-9]{0,15}$/

/** Whether nothing but what the ranges are chosen by is left to look at. */
const isWhole = (query: AccountSwapsQuery, indexed: ReadonlyArray<Indexed>): boolean => {
  const used = indexed.map(([column]) => column)
  return query.createdFrom === undefined && query.createdBefore === undefined &&
    (query.account === undefined || used.includes("account_id")) &&
    (query.platform === undefined || used.includes("platform")) &&
    (query.sourceAsset === undefined || used.includes("source_asset")) &&
    (query.destinationAsset === undefined || used.includes("destination_asset")) &&
    (query.asset === undefined || used.length === 2)
}

/** The indexes to read, by the filter that leaves the fewest swaps as a rule. */
const indexesOf = (query: AccountSwapsQuery): ReadonlyArray<Indexed> => {
  if (query.account !== undefined) return [["account_id", query.account]]
  if (query.sourceAsset !== undefined) return [["source_asset", query.sourceAsset]]
  if (query.destinationAsset !== undefined) return [["destination_asset", query.destinationAsset]]
  if (query.asset !== undefined) return [["source_asset", query.asset], ["destination_asset", query.asset]]
  return query.platform === undefined ? [] : [["platform", query.platform]]
}

/**
 * The ranges of swaps that a query reads, as parts of one statement. As with the history of an account, what the planner
 * has to know stands in the text, and other values stand behind a SELECT of their own, where it cannot weigh them.
 */
export const listedRanges = (sql: SqlClient.SqlClient, query: AccountSwapsQuery, mostVisited: number) => {
  const none = sql.literal("")
  const isAscending = query.sort === "ascending"
  const direction = sql.literal(isAscending ? "ASC" : "DESC")
  const wanted = [...new Set(query.states ?? [])]
  const states = wanted.length === 0 ? SwapState.literals : wanted
  const stateList = (names: ReadonlyArray<string>) => sql.literal(names.map((name) => `('${name}')`).join())
  const columns = sql.literal(visitedColumns)

  const accountId = (name: string) => sql`(SELECT id FROM accounts WHERE name = ${name})`
  const equals = ([column, value]: Indexed) =>
    column === "account_id"
      ? sql`account_id = ${accountId(value)}`
      : sql`${sql.literal(column)} = (SELECT ${value}::text)`

  /** The swap at the edge of a time: there may be others beyond it whose clock was behind or ahead by that much. */
  const edge = (at: Statement.Fragment, order: "ASC" | "DESC") =>
    sql`(SELECT swap_id FROM listed_swaps WHERE ${at}
      ORDER BY created_at ${sql.literal(order)}, swap_id ${sql.literal(order)} LIMIT 1)`
  const apart = sql.literal(`interval '${clocksApart}'`)
  /**
   * What the ids lie between. The planner takes two bounds of the same thing for a narrow range, and might read all of it
   * and sort: the bound at which a range ends can be `ending`, of something else that means the same.
   */
  const boundsOf = (
    id: Statement.Fragment,
    ending = (comparison: Statement.Fragment, edge: Statement.Fragment) => sql`${id} ${comparison} ${edge}`,
  ) => {
    const isAt = (comparison: Statement.Fragment, edge: Statement.Fragment) =>
      sql`${id} ${comparison} ${edge}`
    const [from, before] = isAscending ? [isAt, ending] : [ending, isAt]
    const [least, most] = [sql.literal(">="), sql.literal("<=")]
    return sql.join(" ", false)([
      query.offset === undefined
        ? none
        : sql`AND ${isAt(isAscending ? least : most, sql`(SELECT ${query.offset}::bigint)`)}`,
      query.createdFrom === undefined ? none : sql`AND ${
        from(
          least,
          edge(sql`created_at >= ${toTimestamp(query.createdFrom)}::timestamptz - ${apart}`, "ASC"),
        )
      }`,
      query.createdBefore === undefined ? none : sql`AND ${
        before(
          most,
          edge(sql`created_at < ${toTimestamp(query.createdBefore)}::timestamptz + ${apart}`, "DESC"),
        )
      }`,
    ])
  }
  const bounds = boundsOf(sql.literal("swap_id"))

  const indexed = query.find === undefined && query.stalled !== true ? indexesOf(query) : []
  const byState = indexed.length > 0 || wanted.length > 0
  const count = Math.max(1, indexed.length) * (byState ? states.length : 1)
  const isExact = query.stalled === undefined && isWhole(query, indexed) &&
    (query.find === undefined || wanted.length === 0)
  const perRange = isExact ? query.limit + 1 : Math.max(query.limit + 1, Math.ceil(mostVisited / count))
  const limit = sql.literal(`LIMIT ${perRange}`)

  const ofStates = (index: Indexed | undefined, place: number) => {
    // Each index has an order that no other one has, so that the planner walks no other.
    const id = sql.literal(index === undefined ? "swap_id - 0" : "swap_id + 0")
    const first = index === undefined ? none : sql`${equals(index)} AND`
    return sql`
      SELECT ${sql.literal(`'${place}'`)} || wanted.state AS range, part.*
      FROM (VALUES ${stateList(states)}) AS wanted (state) CROSS JOIN LATERAL (
        SELECT ${columns} FROM listed_swaps WHERE ${first} listed_swaps.state = wanted.state
          ${
      boundsOf(
        id,
        (comparison, edge) => sql`(listed_swaps.state, ${id}) ${comparison} (wanted.state, ${edge})`,
      )
    }
        ORDER BY ${id} ${direction} ${limit}
      ) AS part`
  }
  const one = (rows: Statement.Fragment) => sql`SELECT 'all' AS range, part.* FROM (${rows}) AS part`

  const ownId = (text: string) => digits.test(text) ? text : null
  const marked = (text: string) =>
    sql`
      SELECT ${columns} FROM (
        SELECT swap_id FROM (
          (SELECT swap_id FROM swap_marks WHERE mark = (SELECT swap_mark(${text}::text)) ${bounds}
            ORDER BY swap_id ${direction} ${limit})
          UNION
          SELECT id FROM swaps WHERE id = (SELECT ${ownId(text)}::text::bigint) AND state IS NOT NULL
        ) AS found WHERE true ${bounds} ORDER BY swap_id ${direction} ${limit}
      ) AS marked JOIN listed_swaps USING (swap_id)`

  const ranges = query.find !== undefined ? one(marked(query.find)) : query.stalled === true
    ? one(
      sql`SELECT ${columns} FROM listed_swaps WHERE is_stalled ${bounds} ORDER BY swap_id ${direction} ${limit}`,
    )
    : byState
    ? sql.join(" UNION ALL ", false)(
      (indexed.length === 0 ? [undefined] : indexed).map(ofStates),
    )
    : one(
      sql`SELECT ${columns} FROM listed_swaps WHERE true ${bounds} ORDER BY swap_id ${direction} ${limit}`,
    )

  const conditions = [
    sql`(reached IS NULL OR swap_id ${sql.literal(isAscending ? "<=" : ">=")} reached)`,
    ...(wanted.length === 0 ? [] : [sql`state IN ${sql.in(wanted)}`]),
    ...(query.account === undefined ? [] : [equals(["account_id", query.account])]),
    ...(query.platform === undefined ? [] : [equals(["platform", query.platform])]),
    ...(query.sourceAsset === undefined ? [] : [equals(["source_asset", query.sourceAsset])]),
    ...(query.destinationAsset === undefined ? [] : [equals(["destination_asset", query.destinationAsset])]),
    ...(query.asset === undefined
      ? []
      : [sql`(${equals(["source_asset", query.asset])} OR ${equals(["destination_asset", query.asset])})`]),
    ...(query.createdFrom === undefined ? [] : [sql`created_at >= ${toTimestamp(query.createdFrom)}`]),
    ...(query.createdBefore === undefined ? [] : [sql`created_at < ${toTimestamp(query.createdBefore)}`]),
    ...(query.stalled === undefined ? [] : [query.stalled ? sql`is_stalled` : sql`NOT is_stalled`]),
  ]

  return {
    direction,
    ranges,
    /** The condition that a visited swap fits. */
    fits: sql.and(conditions),
    /** How many swaps a range has at the most: one that has as many may go on. */
    perRange,
    /** The last id of a range, and of several such the one beyond which nothing may be shown. */
    last: sql.literal(isAscending ? "max(swap_id)" : "min(swap_id)"),
    nearest: sql.literal(isAscending ? "min(last)" : "max(last)"),
  }
}
