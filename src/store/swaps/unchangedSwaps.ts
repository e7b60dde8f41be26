import { Schema } from "effect"
import type { SwapStatus } from "../../domain/Swap.ts"
import { type EpochMillis, toIsoDate } from "../../domain/Time.ts"
import { WholeNumber } from "../database/columns.ts"
import { makeBatched } from "../database/batched.ts"
import { rows, type Tools } from "../database/repository.ts"
import type { Lookup } from "./lookupRows.ts"

/** An unchanged result of a look-up, of a swap that is looked up again. */
interface Unchanged {
  readonly lookup: Lookup
  readonly status: SwapStatus
  readonly askedAt: EpochMillis
  readonly nextLookupAt: EpochMillis
}

/** The most results written together: many swaps are open at a time, and nearly all look-ups bring nothing new. */
const mostAtOnce = 200

const toRow = ({ askedAt, lookup, nextLookupAt, status }: Unchanged) => ({
  id: lookup.id,
  owner: lookup.owner,
  number: lookup.number,
  asked: toIsoDate(askedAt),
  next: toIsoDate(nextLookupAt),
  said: status.lastStateChainUpdateAt,
})

const writtenRows = rows(Schema.Struct({ id: WholeNumber, lookups_begun: WholeNumber }))

const keyOf = (id: number, number: number): string => `${id}/${number}`

/**
 * Writes unchanged results of look-ups, which may have a new time of the upstream's last update, those of a moment in
 * one statement. Returns whether each row was written, which it is until another look-up takes over. The statement
 * locks only rows of swaps, and no transaction that waits for one of them holds another.
 */
export const makeWriteUnchanged = ({ op, sql }: Tools) =>
  makeBatched(
    op("unchanged", function* (items: ReadonlyArray<Unchanged>) {
      const all = yield* writtenRows.all(sql`
        UPDATE swaps SET
          status = CASE
            WHEN said IS NULL THEN status - 'lastStateChainUpdateAt'
            ELSE jsonb_set(status, '{lastStateChainUpdateAt}', to_jsonb(said))
          END,
          updated_at = asked, looked_up_at = asked, next_lookup_at = next,
          lookup_failures = 0, lookup_owner = NULL, seen_upstream = true
        FROM jsonb_to_recordset(${JSON.stringify(items.map(toRow))}::jsonb) AS found (
          id bigint, owner text, number bigint, asked timestamptz, next timestamptz, said bigint
        )
        WHERE swaps.id = found.id AND lookups_begun = number AND lookup_owner = owner
        RETURNING swaps.id, lookups_begun`)
      const written = new Set(
        all.map(({ id, lookups_begun }) => keyOf(id, lookups_begun)),
      )
      return ({ lookup }: Unchanged) => written.has(keyOf(lookup.id, lookup.number))
    }),
    mostAtOnce,
  )
