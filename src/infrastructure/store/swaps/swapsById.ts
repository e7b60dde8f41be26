import { Effect, Exit, Option, Request, RequestResolver, Schema } from "effect"
import type { AccountId } from "#domain/accounts/Account.ts"
import type { StoreUnavailable } from "#domain/StoreError.ts"
import type { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { Tools } from "../database/repository.ts"

/** The row of a swap, visible only to its own account. */
class SwapById extends Request.Class<
  { readonly account: AccountId; readonly id: SwapRecordId; readonly knownVersion: string | undefined },
  Option.Option<unknown>,
  StoreUnavailable
> {}

/** The most swaps in one statement: more than are asked for at one moment, and still a short statement. */
const mostAtOnce = 128

/** The numbers of swaps that there are statements for: each statement is planned once, however often it is used. */
const sizes = [1, 2, 4, 8, 16, 32, 64, mostAtOnce]

/** A row's last transaction and its time: a standby that takes over may reuse the number of a lost transaction. */
const version = "xmin::text || ' ' || updated_at::text"

const decodePlaces = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ place: Schema.Int })))

/**
 * Reads the rows of swaps by their ids, with these columns, those of a moment in one statement: open swaps are read
 * over and over, by many clients at a time. A row also has its `version`, and its `status` as text, or null if the
 * caller knows this version. Rows are not decoded here, so that an unreadable row fails only those who asked for it.
 */
export const makeSwapsById = ({ op, sql }: Tools, columns: string) => {
  const placed = (place: number) => {
    const before = 3 * place
    return `(${place}, $${before + 1}::bigint, $${before + 2}::bigint, $${before + 3}::text)`
  }

  // The statements use only the primary key: `+ 0` keeps the planner, while it has no statistics, from the indexes of
  // accounts, and the limit keeps it from reading all swaps to join them. For an array, whose length is not in the
  // text, Postgres would make a new plan at each call, which takes several times as long as running it. Writing a
  // status as text takes most of the statement's time, so a known status is left out.
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

  const find = op("byId", function* (wanted: ReadonlyArray<SwapById>) {
    const statement = statements.find(({ size }) => size >= wanted.length)
    const { size, text } = yield* Effect.fromNullishOr(statement).pipe(Effect.orDie)
    // Unused places get ids of null, which match no swap.
    const parameters = Array.from({ length: size }, (_, place) => wanted[place])
      .flatMap((one) => [one?.id ?? null, one?.account ?? null, one?.knownVersion ?? null])
    const rows = yield* sql.unsafe(text, parameters)
    const places = yield* decodePlaces(rows)
    return new Map(places.map(({ place }, index) => [place, rows[index]]))
  })

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
