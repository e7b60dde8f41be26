import { Data, Effect, Option, Schema } from "effect"
import type { Statement } from "effect/sql"
import type { JournalNote } from "#domain/swaps/Journal.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import type { SwapEventType } from "#domain/swaps/SwapEvent.ts"
import type { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { type EpochMillis, toIsoDate } from "#domain/Time.ts"
import { encodeStatus, toNullable, toTimestamp, WholeNumber } from "../database/columns.ts"
import { makeBatched } from "../database/batched.ts"
import { any, repository, rows, type Tools } from "../database/repository.ts"
import { type Happening, JournalRepo } from "./JournalRepo.ts"
import { type DueLookup, dueLookups, type Lookup, lookupColumns } from "./lookupRows.ts"
import { findableReferences } from "./transactionReference.ts"

/** The owner of look-ups, with the time until which no other process looks up the same swaps. */
export interface Lease {
  /** The name of one process, different after each start. */
  readonly owner: string
  readonly now: EpochMillis
  readonly until: EpochMillis
}

/** The outcome of starting a look-up of a single swap. */
export type Begun = Data.TaggedEnum<{
  Begun: { readonly lookup: DueLookup }
  /** Another look-up is under way, here or elsewhere. */
  UnderWay: object
  /** The swap does not exist. */
  Unknown: object
}>
export const Begun = Data.taggedEnum<Begun>()

export interface LookupResult {
  readonly status: SwapStatus
  /** The time at which the upstream was asked. */
  readonly askedAt: EpochMillis
  /** The time of the next look-up; none if the swap is from now on looked up only on request. */
  readonly nextLookupAt: Option.Option<EpochMillis>
}

/** The result of a look-up whose status differs from the known status. */
export interface ChangedResult extends LookupResult, Pick<Happening, "events" | "note"> {
  /** Present if the swap entered another state, with the time until which the state may last, if that is limited. */
  readonly entered: Option.Option<{ readonly stallsAt: Option.Option<EpochMillis> }>
}

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
const makeWriteUnchanged = ({ op, sql }: Tools) =>
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
      const written = new Set(all.map(({ id, lookups_begun }) => keyOf(id, lookups_begun)))
      return ({ lookup }: Unchanged) => written.has(keyOf(lookup.id, lookup.number))
    }),
    mostAtOnce,
  )

/** The note of an answer that cannot be true. */
export type Contradicting = Extract<JournalNote, { readonly _tag: "Contradiction" }>

/** Whether a contradiction is about an end: the upstream says that a swap has completed which has not. */
const isDispute = (known: SwapStatus, said: SwapStatus): boolean =>
  said.state === "completed" && known.state !== "completed"

const lastContradictions = rows(Schema.Struct({ isDispute: Schema.Boolean, isSame: Schema.Boolean }))

/** Look-ups of open swaps, one lease a swap at a time; operations say whether they wrote the row. */
export class LookupsRepo
  extends repository<LookupsRepo>()("Lookups", (tools) =>
    Effect.map(JournalRepo, (journal) => {
      const { op, sql } = tools
      const columns = sql.literal(lookupColumns)

      const take = ({ now, owner, until }: Lease) =>
        sql`next_lookup_at = ${toTimestamp(until)}, lookup_owner = ${owner},
        lookups_begun = lookups_begun + 1, asked_at = ${toTimestamp(now)}`

      /** The row of a look-up, until another look-up has taken it over. */
      const held = ({ id, number, owner }: Lookup) =>
        sql`id = ${id} AND lookups_begun = ${number} AND lookup_owner = ${owner}`

      const found = ({ askedAt, nextLookupAt, status }: LookupResult) =>
        Effect.map(encodeStatus(status), (json) =>
          sql`
            state = ${status.state}, status = ${json},
            updated_at = ${toTimestamp(askedAt)}, looked_up_at = ${toTimestamp(askedAt)},
            next_lookup_at = ${toNullable(nextLookupAt)}::timestamptz,
            lookup_failures = 0, lookup_owner = NULL, seen_upstream = true`)

      const unchangedAtLast = op("unchanged", function* (lookup: Lookup, result: LookupResult) {
        return yield* any(sql`UPDATE swaps SET ${yield* found(result)} WHERE ${held(lookup)} RETURNING id`)
      })

      const writeUnchanged = makeWriteUnchanged(tools)

      /** News in a contradiction: none where the last entry is equal; each dispute is announced once. */
      const newsIn = op(
        "contradicted",
        function* ({ id, status: known }: Lookup, { detail, status }: Contradicting) {
          const last = yield* lastContradictions.first(sql`
            SELECT coalesce(last.status ->> 'state', '') = 'completed' AS "isDispute", detail = ${detail}
              AND last.status - 'lastStateChainUpdateAt' =
                ${yield* encodeStatus(status)}::jsonb - 'lastStateChainUpdateAt' AS "isSame"
            FROM (
              SELECT kind, status, detail FROM swap_journal WHERE swap_id = ${id} AND kind <> 'stalled'
              ORDER BY id DESC LIMIT 1
            ) AS last
            WHERE kind = 'contradicted'`)
          const begins = isDispute(known, status) && !Option.exists(last, ({ isDispute }) => isDispute)
          const events: ReadonlyArray<SwapEventType> = begins ? ["swap.disputed"] : []
          return { isNew: !Option.exists(last, ({ isSame }) => isSame), events }
        },
      )

      /** Updates the row of a changed swap; `journalled` holds further parts of the same statement. */
      const update = op(
        "changed",
        function* (lookup: Lookup, result: ChangedResult, journalled: Statement.Fragment) {
          const entered = Option.match(result.entered, {
            onNone: () => sql.literal(""),
            onSome: ({ stallsAt }) =>
              sql`, stalls_at = ${toNullable(stallsAt)}::timestamptz, stalled_since = NULL`,
          })
          const references = JSON.stringify(findableReferences(result.status))
          return yield* any(sql`
            WITH stored AS (
              UPDATE swaps SET ${yield* found(result)}, changed_at = ${toTimestamp(result.askedAt)} ${entered}
              WHERE ${held(lookup)}
              RETURNING id, account_id
            ), deposited AS (
              INSERT INTO swap_deposits (account_id, transaction_reference, swap_id)
              SELECT account_id, reference, id
              FROM stored, jsonb_array_elements_text(${references}::jsonb) AS deposit (reference)
              ON CONFLICT DO NOTHING
            ) ${journalled}
            SELECT id FROM stored`)
        },
      )

      const stored = sql.literal("stored")

      /** Writes a change without events, such as a confirmation, in one statement. Most changes have none. */
      const changedUntold = (lookup: Lookup, result: ChangedResult) =>
        Effect.flatMap(
          journal.writing({ at: result.askedAt, note: result.note }, stored),
          (writing) => update(lookup, result, sql`, journalled AS (${writing})`),
        )

      const changedAndTold = (lookup: Lookup, result: ChangedResult) =>
        journal.recorded("Lookups.changed", function* () {
          const value = yield* update(lookup, result, sql.literal(""))
          const { accountId, id, platform } = lookup
          const { askedAt: at, events, note, status } = result
          const record = { id, platform, status }
          return { value, happened: value ? [{ accountId, record, at, note, events }] : [] }
        })

      const failed = op("failed", (lookup: Lookup, next: Option.Option<EpochMillis>) =>
        any(sql`
          UPDATE swaps SET
            lookup_failures = lookup_failures + 1, lookup_owner = NULL,
            next_lookup_at = ${toNullable(next)}::timestamptz
          WHERE ${held(lookup)}
          RETURNING id`))

      return {
        /** Begins a look-up of each swap of a provider that is due, the longest overdue first. */
        claimDue: op("claimDue", (provider: ProviderName, lease: Lease, limit: number) =>
          dueLookups.all(sql`
            WITH due AS MATERIALIZED (
              SELECT id, next_lookup_at AS due_at FROM swaps
              WHERE platform = ${provider} AND next_lookup_at <= ${toTimestamp(lease.now)}
              ORDER BY next_lookup_at LIMIT ${limit}
              FOR UPDATE SKIP LOCKED
            )
            UPDATE swaps SET ${take(lease)} FROM due WHERE swaps.id = due.id
            RETURNING ${columns}, due_at AS "dueAt"`)),

        /** Begins a look-up of one swap, due or not, followed or not, unless one is under way. */
        begin: op("begin", function* (id: SwapRecordId, lease: Lease) {
          const begun = yield* dueLookups.first(sql`
            WITH free AS (
              SELECT id, next_lookup_at AS due_at FROM swaps
              WHERE id = ${id} AND state IS NOT NULL
                AND (lookup_owner IS NULL OR next_lookup_at <= ${toTimestamp(lease.now)})
              FOR UPDATE
            )
            UPDATE swaps SET ${take(lease)} FROM free WHERE swaps.id = free.id
            RETURNING ${columns}, due_at AS "dueAt"`)
          if (Option.isSome(begun)) return Begun.Begun({ lookup: begun.value })
          const isKnown = yield* any(sql`SELECT 1 FROM swaps WHERE id = ${id} AND state IS NOT NULL`)
          return isKnown ? Begun.UnderWay() : Begun.Unknown()
        }),

        /** Begins a look-up of a swap in the place of one that may be under way, whose result is discarded. */
        takeOver: op("takeOver", (id: SwapRecordId, lease: Lease) =>
          dueLookups.first(sql`
            UPDATE swaps SET ${take(lease)} WHERE id = ${id} AND state IS NOT NULL
            RETURNING ${columns}, NULL::timestamptz AS "dueAt"`)),

        /** Whether a look-up of the swap is under way anywhere. */
        isUnderWay: op("isUnderWay", (id: SwapRecordId, now: EpochMillis) =>
          any(sql`
            SELECT 1 FROM swaps
            WHERE id = ${id} AND lookup_owner IS NOT NULL AND next_lookup_at > ${toTimestamp(now)}`)),

        /** Writes that the status is unchanged. The last look-up locks the account, for its open channels. */
        unchanged: (lookup: Lookup, result: LookupResult) =>
          Option.match(result.nextLookupAt, {
            onNone: () => unchangedAtLast(lookup, result),
            onSome: (nextLookupAt) => writeUnchanged({ ...result, lookup, nextLookupAt }),
          }),

        /** Writes the upstream's news, with its journal entry and its events in the same transaction. */
        changed: (lookup: Lookup, result: ChangedResult) =>
          result.events.length === 0 ? changedUntold(lookup, result) : changedAndTold(lookup, result),

        /** Writes a contradicting answer: a new journal entry, and one dispute event for a disputed end. */
        contradicted: (
          lookup: Lookup,
          { at, note }: { readonly at: EpochMillis; readonly note: Contradicting },
          nextLookupAt: Option.Option<EpochMillis>,
        ) =>
          journal.recorded("Lookups.contradicted", function* () {
            const value = yield* failed(lookup, nextLookupAt)
            if (!value) return { value, happened: [] }
            const { events, isNew } = yield* newsIn(lookup, note)
            const { accountId, id, platform, status } = lookup
            const happening = { accountId, record: { id, platform, status }, at, note, events }
            return { value, happened: isNew ? [happening] : [] }
          }),

        /** Writes that the look-up failed. */
        failed,

        /** Takes back a look-up that was not made: it counts as nothing, and starts no following. */
        postponed: op("postponed", (lookup: DueLookup, until: EpochMillis) => {
          const next = Option.as(lookup.dueAt, until)
          return any(sql`
            UPDATE swaps SET lookup_owner = NULL, next_lookup_at = ${toNullable(next)}::timestamptz
            WHERE ${held(lookup)} AND next_lookup_at IS NOT NULL
            RETURNING id`)
        }),

        /** Gives up the lease's look-ups at a provider: others may begin them. No lease ends later than one that begins now. */
        giveBack: op("giveBack", (provider: ProviderName, { owner, now, until }: Lease) =>
          Effect.asVoid(sql`
            UPDATE swaps SET lookup_owner = NULL, next_lookup_at = least(next_lookup_at, ${toTimestamp(now)})
            WHERE platform = ${provider} AND next_lookup_at <= ${toTimestamp(until)}
              AND lookup_owner = ${owner}`)),

        /** Takes back the look-ups of every owner. Only for a sole process, before it begins its first. */
        giveBackAll: op("giveBackAll", (now: EpochMillis) =>
          Effect.asVoid(sql`
            UPDATE swaps SET lookup_owner = NULL, next_lookup_at = least(next_lookup_at, ${toTimestamp(now)})
            WHERE next_lookup_at IS NOT NULL AND lookup_owner IS NOT NULL`)),
      }
    })) {}
