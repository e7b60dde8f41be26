import type { SqlClient, Statement } from "effect/sql"
import type { AccountSwapsQuery } from "#domain/operations/Business.ts"
import { statesOfResult, SwapState } from "#domain/swaps/Swap.ts"
import { toTimestamp } from "../database/columns.ts"
import { given } from "../database/repository.ts"
import { createdEdges } from "../swaps/createdRange.ts"

/*
 * A page finds its swaps by the indexes of one or two filters, and compares each swap found with the other filters. The
 * number of swaps that it visits has a limit, since a page with few hits among a million swaps must not read them all.
 * Where an index has more swaps than were visited, the page ends at the last visited one, and the next page goes on there.
 */

const visitedColumns =
  `listed_swaps.swap_id, listed_swaps.account_id, platform, source_asset, destination_asset, created_at,
  is_stalled, has_open_channel, state`

/** Whether the latest answer about a visited swap contradicts what is known, as its standing says it. */
const contradicted = `(
  SELECT lookup_failures > 0 AND last.kind = 'contradicted' FROM swaps CROSS JOIN LATERAL (
    SELECT kind FROM swap_journal WHERE swap_id = swaps.id AND kind <> 'stalled' ORDER BY swap_journal.id DESC LIMIT 1
  ) AS last WHERE swaps.id = visited.swap_id
)`

/** Whether the channel of a swap has expired without a deposit. */
const isExpired = "(swaps.state = 'waiting' AND (status #>> '{depositChannel,isExpired}')::boolean)"

/** A filter with an index that lists the swaps by state and id. */
type Indexed = readonly [
  column: "account_id" | "source_asset" | "destination_asset" | "platform",
  value: string,
]

const digits = /^[1-9][0-9]{0,15}$/

/** Whether the indexes answer the whole query, so that no visited swap is dropped by another filter. */
const isWhole = (query: AccountSwapsQuery, indexed: ReadonlyArray<Indexed>): boolean => {
  const used = indexed.map(([column]) => column)
  return query.createdFrom === undefined && query.createdBefore === undefined &&
    (query.account === undefined || used.includes("account_id")) &&
    (query.platform === undefined || used.includes("platform")) &&
    (query.sourceAsset === undefined || used.includes("source_asset")) &&
    (query.destinationAsset === undefined || used.includes("destination_asset")) &&
    (query.asset === undefined || used.length === 2)
}

/** The swaps that a query reads by an index of few: of what identifies them, or of a state that few are in. */
type Few = "find" | "stalled" | "waits" | "disputed" | "ended" | "results"

const hasResults = ({ results = [] }: AccountSwapsQuery): boolean => results.length > 0

const fewOf = (query: AccountSwapsQuery): Few | undefined => {
  if (query.find !== undefined) return "find"
  if (query.stalled === true) return "stalled"
  if (query.disputed === true) return "disputed"
  if (query.waits === true) return "waits"
  // Most swaps complete: those are read as all swaps are.
  if (!hasResults(query) || query.results?.includes("completed")) return undefined
  return query.ended === undefined ? "results" : "ended"
}

/** Whether no filter is left but the one that is read by. */
const isWholeOf = (few: Few, query: AccountSwapsQuery): boolean => {
  const { find, limit: _, offset: __, results = [], sort: ___, states = [], ...others } = query
  return (few === "results" ? find === undefined : few === "find" && results.length === 0) &&
    states.length === 0 && Object.values(others).every((value) => value === undefined)
}

/** The indexes to read: those of the filter that usually leaves the fewest swaps. */
const indexesOf = (query: AccountSwapsQuery): ReadonlyArray<Indexed> => {
  if (query.account !== undefined) return [["account_id", query.account]]
  if (query.sourceAsset !== undefined) return [["source_asset", query.sourceAsset]]
  if (query.destinationAsset !== undefined) return [["destination_asset", query.destinationAsset]]
  if (query.asset !== undefined) return [["source_asset", query.asset], ["destination_asset", query.asset]]
  return query.platform === undefined ? [] : [["platform", query.platform]]
}

/**
 * The ranges of swaps that a query reads, as parts of one statement. States and columns are literals, because the planner
 * chooses the index by them. The other values stand in subqueries: from a value that it saw the planner would guess how
 * many swaps there are, and choose another index.
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

  const created = createdEdges(sql, query)
  /**
   * The conditions that keep ids within the page and the period. Two bounds on one expression look like a narrow range to
   * the planner, which might then read all of it and sort. `ending` can write the bound at which reading stops with
   * another expression of the same meaning.
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
      given(created.least, (edge) => sql`AND ${from(least, edge)}`),
      given(created.most, (edge) => sql`AND ${before(most, edge)}`),
    ])
  }
  const bounds = boundsOf(sql.literal("swap_id"))

  const few = fewOf(query)
  const indexed = few === undefined ? indexesOf(query) : []
  const byState = indexed.length > 0 || wanted.length > 0
  const count = Math.max(1, indexed.length) * (byState ? states.length : 1)
  const isExact = few === undefined
    ? query.stalled === undefined && !hasResults(query) && query.expired === undefined &&
      isWhole(query, indexed)
    : isWholeOf(few, query)
  const perRange = isExact
    ? query.limit + 1
    : Math.max(query.limit + 1, Math.ceil(mostVisited / (query.expired === undefined ? count : 2 * count)))
  const limit = sql.literal(`LIMIT ${perRange}`)

  const ofStates = (index: Indexed | undefined, place: number) => {
    // The indexes order ids by different expressions, so the planner can follow the order of this index in no other.
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

  /** The listed swaps of few ids, each by its own key: the limit keeps the planner from reading all swaps to join them. */
  const listedOf = (few: Statement.Fragment) =>
    sql`
      SELECT listed.* FROM (${few}) AS few CROSS JOIN LATERAL (
        SELECT ${columns} FROM listed_swaps WHERE listed_swaps.swap_id = few.swap_id LIMIT 1
      ) AS listed`
  const listedIf = (condition: string) =>
    sql`SELECT ${columns} FROM listed_swaps WHERE ${
      sql.literal(condition)
    } ${bounds} ORDER BY swap_id ${direction} ${limit}`
  const results = [...new Set(query.results)]
  /** A fact of a visited swap: a subquery for each, as the planner would join all swaps to the visited ones. */
  const ofSwap = (fact: string) => sql.literal(`(SELECT ${fact} FROM swaps WHERE swaps.id = visited.swap_id)`)
  /** The results with the states that go with each, as rows of two columns. */
  const ends = sql.literal(
    results.flatMap((result) => statesOfResult[result].map((state) => `('${result}', '${state}')`)).join(),
  )
  /** Of the ends that are read by their time: those that can be of the results. */
  const outcomes = sql.literal(
    `outcome IN (${
      results.map((result) => `'${result === "partlyRefunded" ? "completed" : result}'`).join()
    })`,
  )
  const during = given(
    query.ended,
    ({ before, from }) => sql`AND ended_at >= ${toTimestamp(from)} AND ended_at < ${toTimestamp(before)}`,
  )

  const readFew: Readonly<Record<Few, () => Statement.Fragment>> = {
    find: () => marked(query.find ?? ""),
    stalled: () => listedIf("is_stalled"),
    waits: () => listedIf("has_open_channel"),
    disputed: () =>
      listedOf(sql`
        SELECT id AS swap_id FROM swaps WHERE lookup_failures > 0 AND state IS NOT NULL ${
        boundsOf(sql.literal("id"))
      }
        ORDER BY id ${direction} ${limit}`),
    // All that ended in the period so is read, to be put into the order of ids.
    ended: () =>
      listedOf(sql`
        SELECT DISTINCT swap_id + 0 AS swap_id FROM swap_ends WHERE ${outcomes} ${during} ${bounds}
        ORDER BY swap_id ${direction} ${limit}`),
    results: () =>
      listedOf(sql`
        SELECT part.id AS swap_id FROM (VALUES ${ends}) AS wanted (result, state) CROSS JOIN LATERAL (
          SELECT id FROM swaps WHERE ${
        given(query.account, (name) => sql`${equals(["account_id", name])} AND`)
      }
            swaps.state = wanted.state AND state IN ('completed', 'failed')
            AND swap_result(state, status) = wanted.result
            ${
        query.account === undefined ? sql.literal("AND swap_result(state, status) <> 'completed'") : none
      }
            ${boundsOf(sql.literal("id - 0"))}
          ORDER BY id - 0 ${direction} ${limit}
        ) AS part ORDER BY part.id ${direction} ${limit}`),
  }

  const ranges = few !== undefined ? one(readFew[few]()) : byState
    ? sql.join(" UNION ALL ", false)(
      (indexed.length === 0 ? [undefined] : indexed).map(ofStates),
    )
    : one(listedIf("true"))

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
    ...(created.isWithin === undefined ? [] : [created.isWithin]),
    ...(query.stalled === undefined ? [] : [query.stalled ? sql`is_stalled` : sql`NOT is_stalled`]),
    ...(query.waits === undefined ? [] : [sql`has_open_channel AND state = 'waiting'`]),
    ...(query.disputed === undefined ? [] : [sql`${sql.literal(contradicted)}`]),
    ...(query.expired === undefined
      ? []
      : [sql`${ofSwap(isExpired)} IS ${sql.literal(query.expired ? "TRUE" : "NOT TRUE")}`]),
    ...(results.length === 0 || few === "results"
      ? []
      : [sql`${ofSwap("swap_result(swaps.state, status)")} IN ${sql.in(results)}`]),
    ...(query.ended === undefined ? [] : [
      sql`EXISTS (SELECT FROM swap_ends WHERE swap_ends.swap_id = visited.swap_id AND ${outcomes} ${during})`,
    ]),
  ]

  return {
    direction,
    ranges,
    /** The condition on visited swaps: all filters, and no swap beyond the end of the page. */
    fits: sql.and(conditions),
    /** The most swaps that are visited in a range. A range in which as many were visited may have more. */
    perRange,
    /** `last`: the last visited id of a range. `nearest`: of several ranges' last ids the first, where the page ends. */
    last: sql.literal(isAscending ? "max(swap_id)" : "min(swap_id)"),
    nearest: sql.literal(isAscending ? "min(last)" : "max(last)"),
  }
}
