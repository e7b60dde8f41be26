import { Effect, Exit, Option, Request, RequestResolver, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { AccountId } from "../domain/Account.ts"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import type { SwapRecordId } from "../domain/SwapRecord.ts"
import { WholeNumber } from "./columns.ts"
import { storeOperation } from "./storeOperation.ts"

/** The row of a swap, which is seen only by its own account. */
class SwapById extends Request.Class<
  { readonly account: AccountId; readonly id: SwapRecordId },
  Option.Option<unknown>,
  StoreUnavailable
> {}

/** More than come in at one moment, and still a short statement. */
const mostAtOnce = 100

const PlacedRows = Schema.Array(Schema.Struct({ place: WholeNumber }))
const decodePlaces = Schema.decodeUnknownEffect(PlacedRows)

/**
 * Finds the rows of swaps by their ids, with these columns, those of a moment in one statement: swaps that are
 * open are read over and over, by many at a time. A row is not read yet, so that one which cannot be fails nobody
 * but those who asked for it.
 */
export const makeSwapsById = (sql: SqlClient.SqlClient, columns: string) => {
  const selected = sql.literal(columns)

  // By the primary key alone: `+ 0` keeps the planner, while it has no figures, from the indexes of accounts, and
  // the limit keeps it from reading all swaps to join them.
  const find = Effect.fnUntraced(function* (wanted: ReadonlyArray<SwapById>) {
    const rows = yield* sql`
      SELECT place, swap.* FROM unnest(
        ${wanted.map(({ id }) => `${id}`)}::text[]::bigint[],
        ${wanted.map(({ account }) => `${account}`)}::text[]::bigint[]
      ) WITH ORDINALITY AS wanted (id, account_id, place)
      CROSS JOIN LATERAL (
        SELECT ${selected} FROM swaps
        WHERE id = wanted.id AND account_id + 0 = wanted.account_id AND state IS NOT NULL LIMIT 1
      ) AS swap`
    const places = yield* decodePlaces(rows)
    return new Map(places.map(({ place }, index) => [place - 1, rows[index]]))
  }, storeOperation("Swaps.byId"))

  const resolver = RequestResolver.make<SwapById>((entries) =>
    Effect.map(find(entries.map(({ request }) => request)), (rows) => {
      for (const [place, entry] of entries.entries()) {
        entry.completeUnsafe(Exit.succeed(Option.fromUndefinedOr(rows.get(place))))
      }
    })
  ).pipe(RequestResolver.batchN(mostAtOnce))

  return (account: AccountId, id: SwapRecordId) => Effect.request(new SwapById({ account, id }), resolver)
}
