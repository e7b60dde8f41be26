import { Effect, Exit, Option, Request, RequestResolver, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { AccountId } from "../../domain/Account.ts"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import type { SwapRecordId } from "../../domain/SwapRecord.ts"
import { storeOperation } from "../database/storeOperation.ts"

/** The row of a swap, which is seen only by its own account. */
class SwapById extends Request.Class<
  { readonly account: AccountId; readonly id: SwapRecordId; readonly knownVersion: string | undefined },
  Option.Option<unknown>,
  StoreUnavailable
> {}

/** More than come in at one moment, and still a short statement. */
const mostAtOnce = 128

/** For how many swaps there is a statement: each is planned once, however many are asked for after that. */
const sizes = [1, 2, 4, 8, 16, 32, 64, mostAtOnce]

/**
 * Tells the versions of a row apart: the transaction that wrote it last, and the time that it wrote down, because a
 * standby that takes over may give the number of a lost transaction again.
 */
const version = "xmin::text || ' ' || updated_at::text"

const PlacedRows = Schema.Array(Schema.Struct({ place: Schema.Int }))
const decodePlaces = Schema.decodeUnknownEffect(PlacedRows)

/**
 * Finds the rows of swaps by their ids, with these columns, those of a moment in one statement: swaps that are
 * open are read over and over, by many at a time. Beside them a row has its `version`, and its `status` as text,
 * or null where it is the version that the caller knows. A row is not read yet, so that one which cannot be fails
 * nobody but those who asked for it.
 */
export const makeSwapsById = (sql: SqlClient.SqlClient, columns: string) => {
  const placed = (place: number) => {
    const before = 3 * place
    return `(${place}, $${before + 1}::bigint, $${before + 2}::bigint, $${before + 3}::text)`
  }

  // By the primary key alone: `+ 0` keeps the planner, while it has no figures, from the indexes of accounts, and
  // the limit keeps it from reading all swaps to join them. Of an array, whose length is not in the text, it would
  // make a new plan for each call, which takes several times as long as to carry it out. To write a status as text
  // takes most of the time of the whole statement, so it is left out where it is known already.
  const statements = sizes.map((size) => ({
    size,
    text: `
      SELECT place, swap.* FROM (VALUES ${Array.from({ length: size }, (_, place) => placed(place)).join()})
        AS wanted (place, id, account_id, version)
      CROSS JOIN LATERAL (
        SELECT ${columns}, ${version} AS version,
          CASE WHEN ${version} = wanted.version THEN NULL ELSE status::text END AS status
        FROM swaps
        WHERE id = wanted.id AND account_id + 0 = wanted.account_id AND state IS NOT NULL LIMIT 1
      ) AS swap`,
  }))

  const find = Effect.fnUntraced(function* (wanted: ReadonlyArray<SwapById>) {
    const statement = statements.find(({ size }) => size >= wanted.length)
    const { size, text } = yield* Effect.fromNullishOr(statement).pipe(Effect.orDie)
    // A place that nothing is wanted for is of no swap.
    const parameters = Array.from({ length: size }, (_, place) => wanted[place])
      .flatMap((one) => [one?.id ?? null, one?.account ?? null, one?.knownVersion ?? null])
    const rows = yield* sql.unsafe(text, parameters)
    const places = yield* decodePlaces(rows)
    return new Map(places.map(({ place }, index) => [place, rows[index]]))
  }, storeOperation("Swaps.byId"))

  const resolver = RequestResolver.make<SwapById>((entries) =>
    Effect.map(find(entries.map(({ request }) => request)), (rows) => {
      for (const [place, entry] of entries.entries()) {
        entry.completeUnsafe(Exit.succeed(Option.fromUndefinedOr(rows.get(place))))
      }
    })
  ).pipe(RequestResolver.batchN(mostAtOnce))

  return (account: AccountId, id: SwapRecordId, knownVersion: string | undefined) =>
    Effect.request(new SwapById({ account, id, knownVersion }), resolver)
}
