import { Deferred, Effect, Exit, Schema, Semaphore } from "effect"
import type { SqlClient } from "effect/sql"
import type { SwapStatus } from "../../domain/Swap.ts"
import { type EpochMillis, toIsoDate } from "../../domain/Time.ts"
import { WholeNumber } from "../database/columns.ts"
import { storeOperation } from "../database/storeOperation.ts"
import type { Lookup } from "./lookupRows.ts"

interface Waiting<In, Out, E> {
  readonly item: In
  readonly result: Deferred.Deferred<Out, E>
}

/**
 * Lets many callers share one write: what comes in while a write is under way goes into the next one together, at
 * most `most` at a time, and what comes in alone is written at once. `write` tells what came of each item. Where
 * the caller that writes for others is interrupted, they write again.
 */
export const makeBatched = <In, Out, E>(
  write: (items: ReadonlyArray<In>) => Effect.Effect<(item: In) => Out, E>,
  most: number,
): (item: In) => Effect.Effect<Out, E> => {
  const turns = Semaphore.makeUnsafe(1)
  const waiting = new Set<Waiting<In, Out, E>>()

  /** The writer's own is always among them: others that were given up halfway may have come before it. */
  const takeSome = (own: Waiting<In, Out, E>) => {
    waiting.delete(own)
    const some = [own, ...[...waiting].slice(0, most - 1)]
    for (const one of some) waiting.delete(one)
    return some
  }

  const writeSome = (own: Waiting<In, Out, E>) => {
    const some = takeSome(own)
    return write(some.map(({ item }) => item)).pipe(
      Effect.onExit((exit) =>
        Effect.sync(() => {
          for (const one of some) {
            if (Exit.hasInterrupts(exit)) waiting.add(one)
            else Deferred.doneUnsafe(one.result, Exit.map(exit, (outcomeOf) => outcomeOf(one.item)))
          }
        })
      ),
      Effect.exit,
    )
  }

  return (item) =>
    Effect.suspend(() => {
      const mine: Waiting<In, Out, E> = { item, result: Deferred.makeUnsafe() }
      waiting.add(mine)
      const turn = Effect.suspend(() => waiting.has(mine) ? Effect.asVoid(writeSome(mine)) : Effect.void)
      return turns.withPermit(turn).pipe(
        Effect.andThen(Deferred.await(mine.result)),
        Effect.onInterrupt(() => Effect.sync(() => waiting.delete(mine))),
      )
    })
}

/** A look-up that brought what was known, of a swap that is asked about again. */
interface Unchanged {
  readonly lookup: Lookup
  readonly status: SwapStatus
  readonly askedAt: EpochMillis
  readonly nextLookupAt: EpochMillis
}

/** Many swaps are open at a time, and nearly all look-ups bring nothing new: they are written together. */
const mostAtOnce = 200

const toRow = ({ askedAt, lookup, nextLookupAt, status }: Unchanged) => ({
  id: lookup.id,
  owner: lookup.owner,
  number: lookup.number,
  asked: toIsoDate(askedAt),
  next: toIsoDate(nextLookupAt),
  said: status.lastStateChainUpdateAt,
})

const WrittenRow = Schema.Struct({ id: WholeNumber, lookups_begun: WholeNumber })
const decodeWritten = Schema.decodeUnknownEffect(Schema.Array(WrittenRow))

const keyOf = (id: number, number: number): string => `${id}/${number}`

/**
 * Writes that look-ups brought nothing new but perhaps the time of the upstream's last word, those of a moment in
 * one statement: whether each row took it, as it does while nobody has taken its look-up over. It locks nothing
 * but rows of swaps, and nobody who waits for one of these holds another.
 */
export const makeWriteUnchanged = (sql: SqlClient.SqlClient) =>
  makeBatched(
    Effect.fnUntraced(function* (items: ReadonlyArray<Unchanged>) {
      const rows = yield* sql`
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
        RETURNING swaps.id, lookups_begun`
      const written = new Set(
        (yield* decodeWritten(rows)).map(({ id, lookups_begun }) => keyOf(id, lookups_begun)),
      )
      return ({ lookup }: Unchanged) => written.has(keyOf(lookup.id, lookup.number))
    }, storeOperation("Lookups.unchanged")),
    mostAtOnce,
  )
