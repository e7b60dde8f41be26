import { Array, Context, Effect, Option, Schema, Struct } from "effect"
import { AccountName } from "#domain/accounts/Account.ts"
import type { AccountSwap, AccountSwapsQuery, Counted } from "#domain/operations/Business.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { defined } from "../../platform/optionalMembers.ts"
import { absentWhenNull, idOf, Timestamp, UsdText } from "../database/columns.ts"
import { repository, rows, rowsAs } from "../database/repository.ts"
import { standingColumns, StandingSwapRow, toStandingSwap } from "../swaps/standing.ts"
import { listedRanges } from "./listedRanges.ts"

const Id = idOf(SwapRecordId)

const swapsById = rowsAs(
  Schema.Struct({
    ...StandingSwapRow.fields,
    account: AccountName,
    value: absentWhenNull(UsdText),
    commissionValue: absentWhenNull(UsdText),
    nextLookupAt: absentWhenNull(Timestamp),
  }),
  (row): [SwapRecordId, AccountSwap] => [row.id, {
    record: toStandingSwap(row),
    ...Struct.pick(row, ["account", "createdAt", "stalledSince", "value", "commissionValue", "nextLookupAt"]),
  }],
)

/** A row for each id of the page, or a single one without an id where the page is empty; `reached` is in all of them. */
const pageIds = rows(Schema.Struct({ id: Schema.NullOr(Id), reached: Schema.NullOr(Id) }))

/** The most swaps that a page looks at, in all its ranges together; a page of more hits looks at as many. */
export const MostVisited = Context.Reference("swap-broker/store/MostVisited", { defaultValue: () => 1_400 })

export class ListedSwapsRepo
  extends repository<ListedSwapsRepo>()("ListedSwaps", ({ op, sql }) =>
    Effect.map(MostVisited, (most) => {
      const columns = sql.literal(standingColumns)
      const paidIn = sql.literal(
        "coalesce(status #>> '{deposit,amount}', status #>> '{depositChannel,expectedDepositAmount}')::numeric",
      )

      const byIds = op("byIds", function* (ids: ReadonlyArray<SwapRecordId>) {
        if (ids.length === 0) return []
        const swaps = new Map(
          yield* swapsById.all(sql`
            SELECT swaps.id, accounts.name AS account, platform, status, ${columns}, (
              SELECT CASE WHEN state IN ('completed', 'failed') THEN min(value)
                ELSE value_of(status ->> 'sourceAsset', ${paidIn}, now()) END
              FROM swap_ends WHERE swap_id = swaps.id AND upstream_swap = coalesce(status ->> 'swapId', '')
            )::text AS value, (
              SELECT CASE WHEN bool_and(value IS NOT NULL) THEN sum(value) END
              FROM commissions WHERE swap_id = swaps.id AND upstream_swap = coalesce(status ->> 'swapId', '')
            )::text AS "commissionValue", next_lookup_at AS "nextLookupAt"
            FROM swaps JOIN accounts ON accounts.id = account_id
            WHERE swaps.id = ANY (${`{${ids.join()}}`}::bigint[]) AND state IS NOT NULL`),
        )
        return Array.getSomes(ids.map((id) => Option.fromUndefinedOr(swaps.get(id))))
      })

      /** The ids of the page and of the first swap after it; `reached` is the last id that was looked at. */
      const idsOf = op("page", function* (query: AccountSwapsQuery) {
        const { direction, fits, last, nearest, perRange, ranges } = listedRanges(sql, query, most)
        const rows = yield* pageIds.all(sql`
          WITH visited AS MATERIALIZED (${ranges}),
          ended AS (
            SELECT ${nearest} AS reached FROM (
              SELECT ${last} AS last FROM visited GROUP BY range
              HAVING count(*) = ${sql.literal(`${perRange}`)}
            ) AS full_ranges
          ), fitting AS (
            SELECT swap_id FROM visited CROSS JOIN ended WHERE ${fits}
            ORDER BY swap_id ${direction} LIMIT ${sql.literal(`${query.limit + 1}`)}
          )
          SELECT swap_id AS id, reached FROM ended LEFT JOIN fitting ON true ORDER BY swap_id ${direction}`)
        return {
          found: Array.getSomes(rows.map(({ id }) => Option.fromNullOr(id))),
          reached: rows[0]?.reached ?? undefined,
        }
      })

      return {
        /** A page of matching swaps, by ID; even an empty page may have `next`, as its scan is bounded. */
        page: Effect.fnUntraced(function* (query: AccountSwapsQuery) {
          const { found, reached = 0 } = yield* idsOf(query)
          const after = query.sort === "ascending" && reached > 0 ? reached + 1 : reached - 1
          const next = found[query.limit] ?? Option.getOrUndefined(SwapRecordId.makeOption(after))
          return { items: yield* byIds(found.slice(0, query.limit)), ...defined({ next }) }
        }),

        /** How many swaps fit, at least: no more than `limit` are counted, of as many as a page looks at. */
        count: Effect.fnUntraced(function* (query: AccountSwapsQuery) {
          const { found, reached } = yield* idsOf(query)
          const swaps = Math.min(found.length, query.limit)
          return { swaps, isLeast: found.length > query.limit || reached !== undefined } satisfies Counted
        }),

        /** The visible swaps with these ids, in their order. */
        byIds,
      }
    })) {}
