import { Array, Context, Data, Effect, Layer, Option } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { ProviderName } from "../../domain/ProviderName.ts"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import type { SwapStatus } from "../../domain/Swap.ts"
import type { SwapRecordId } from "../../domain/SwapRecord.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { type Contradicting, makeNewsIn } from "./contradictions.ts"
import { encodeStatus, toNullable, toTimestamp } from "../database/columns.ts"
import { type Happening, JournalRepo } from "./JournalRepo.ts"
import { decodeDue, type DueLookup, type Lookup, lookupColumns, toDueLookup } from "./lookupRows.ts"
import { storeOperation } from "../database/storeOperation.ts"
import { findableReferences } from "./transactionReference.ts"
import { makeWriteUnchanged } from "./unchangedSwaps.ts"

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

/** The result of a look-up. */
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

/** Whether the row was written: it is not if the lease ended and another look-up took over. */
type Written = Effect.Effect<boolean, StoreUnavailable>

/**
 * The look-ups of open swaps. One look-up at a time has the lease of a swap, and only its result is stored. A process
 * whose lease has ended may still write until another process takes the swap over, and never after.
 */
export class LookupsRepo extends Context.Service<LookupsRepo, {
  /** Begins a look-up of each swap of a provider that is due, the longest overdue first. */
  readonly claimDue: (
    provider: ProviderName,
    lease: Lease,
    limit: number,
  ) => Effect.Effect<ReadonlyArray<DueLookup>, StoreUnavailable>
  /** Begins a look-up of one swap, due or not, followed or not, unless one is under way. */
  readonly begin: (id: SwapRecordId, lease: Lease) => Effect.Effect<Begun, StoreUnavailable>
  /** Begins a look-up of a swap in the place of one that may be under way, whose result is discarded. */
  readonly takeOver: (
    id: SwapRecordId,
    lease: Lease,
  ) => Effect.Effect<Option.Option<DueLookup>, StoreUnavailable>
  /** Whether a look-up of the swap is under way anywhere. */
  readonly isUnderWay: (id: SwapRecordId, now: EpochMillis) => Effect.Effect<boolean, StoreUnavailable>
  /** Writes that the upstream repeated the known status; only the time of its last update may differ. */
  readonly unchanged: (lookup: Lookup, result: LookupResult) => Written
  /** Writes the upstream's news, with its journal entry and its events in the same transaction. */
  readonly changed: (lookup: Lookup, result: ChangedResult) => Written
  /**
   * Writes that the upstream's answer cannot be true. The journal notes it, unless its last entry says the same. Where it
   * says that the swap has completed, the account is told of the dispute, once for each.
   */
  readonly contradicted: (
    lookup: Lookup,
    happening: { readonly at: EpochMillis; readonly note: Contradicting },
    nextLookupAt: Option.Option<EpochMillis>,
  ) => Written
  /** Writes that the look-up failed. */
  readonly failed: (lookup: Lookup, nextLookupAt: Option.Option<EpochMillis>) => Written
  /**
   * Takes back a look-up that was not made. It counts neither as a failure nor as a success, and a swap that was not
   * followed stays so.
   */
  readonly postponed: (lookup: DueLookup, until: EpochMillis) => Written
  /** Takes back every look-up that the owner of the lease has begun at a provider: they are now due for others. */
  readonly giveBack: (provider: ProviderName, lease: Lease) => Effect.Effect<void, StoreUnavailable>
  /** Takes back the look-ups of every owner. Only for a sole process, before it begins its first. */
  readonly giveBackAll: (now: EpochMillis) => Effect.Effect<void, StoreUnavailable>
}>()("swap-broker/store/LookupsRepo") {
  static readonly layer = Layer.effect(
    LookupsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const journal = yield* JournalRepo
      const columns = sql.literal(lookupColumns)

      const take = ({ now, owner, until }: Lease) =>
        sql`next_lookup_at = ${toTimestamp(until)}, lookup_owner = ${owner},
          lookups_begun = lookups_begun + 1, asked_at = ${toTimestamp(now)}`

      const claimDue = Effect.fnUntraced(function* (provider: ProviderName, lease: Lease, limit: number) {
        const rows = yield* sql`
          WITH due AS MATERIALIZED (
            SELECT id, next_lookup_at AS due_at FROM swaps
            WHERE platform = ${provider} AND next_lookup_at <= ${toTimestamp(lease.now)}
            ORDER BY next_lookup_at LIMIT ${limit}
            FOR UPDATE SKIP LOCKED
          )
          UPDATE swaps SET ${take(lease)} FROM due WHERE swaps.id = due.id
          RETURNING ${columns}, due_at AS "dueAt"`
        return (yield* decodeDue(rows)).map(toDueLookup)
      }, storeOperation("Lookups.claimDue"))

      const begin = Effect.fnUntraced(function* (id: SwapRecordId, lease: Lease) {
        const rows = yield* sql`
          WITH free AS (
            SELECT id, next_lookup_at AS due_at FROM swaps
            WHERE id = ${id} AND state IS NOT NULL
              AND (lookup_owner IS NULL OR next_lookup_at <= ${toTimestamp(lease.now)})
            FOR UPDATE
          )
          UPDATE swaps SET ${take(lease)} FROM free WHERE swaps.id = free.id
          RETURNING ${columns}, due_at AS "dueAt"`
        const [row] = yield* decodeDue(rows)
        if (row !== undefined) return Begun.Begun({ lookup: toDueLookup(row) })
        const known = yield* sql`SELECT 1 FROM swaps WHERE id = ${id} AND state IS NOT NULL`
        return known.length > 0 ? Begun.UnderWay() : Begun.Unknown()
      }, storeOperation("Lookups.begin"))

      const takeOver = Effect.fnUntraced(function* (id: SwapRecordId, lease: Lease) {
        const rows = yield* sql`
          UPDATE swaps SET ${take(lease)} WHERE id = ${id} AND state IS NOT NULL
          RETURNING ${columns}, NULL::timestamptz AS "dueAt"`
        return Option.map(Array.head(yield* decodeDue(rows)), toDueLookup)
      }, storeOperation("Lookups.takeOver"))

      const isUnderWay = (id: SwapRecordId, now: EpochMillis) =>
        sql`
          SELECT 1 FROM swaps
          WHERE id = ${id} AND lookup_owner IS NOT NULL AND next_lookup_at > ${toTimestamp(now)}`.pipe(
          Effect.map((rows) => rows.length > 0),
          storeOperation("Lookups.isUnderWay"),
        )

      /** The row of a look-up, until another look-up has taken it over. */
      const held = ({ id, number, owner }: Lookup) =>
        sql`id = ${id} AND lookups_begun = ${number} AND lookup_owner = ${owner}`

      const found = Effect.fnUntraced(function* (result: LookupResult) {
        const { askedAt, nextLookupAt, status } = result
        return sql`
          state = ${status.state}, status = ${yield* encodeStatus(status)},
          updated_at = ${toTimestamp(askedAt)}, looked_up_at = ${toTimestamp(askedAt)},
          next_lookup_at = ${toNullable(nextLookupAt)}::timestamptz,
          lookup_failures = 0, lookup_owner = NULL, seen_upstream = true`
      })

      const unchangedAtLast = Effect.fnUntraced(function* (lookup: Lookup, result: LookupResult) {
        const rows = yield* sql`UPDATE swaps SET ${yield* found(result)} WHERE ${held(lookup)} RETURNING id`
        return rows.length > 0
      }, storeOperation("Lookups.unchanged"))

      const writeUnchanged = makeWriteUnchanged(sql)
      const newsIn = makeNewsIn(sql)

      /** The last look-up of a swap also changes the count of open channels, which locks the account. */
      const unchanged = (lookup: Lookup, result: LookupResult) =>
        Option.match(result.nextLookupAt, {
          onNone: () => unchangedAtLast(lookup, result),
          onSome: (nextLookupAt) => writeUnchanged({ ...result, lookup, nextLookupAt }),
        })

      /** Updates the row of a changed swap; `journalled` holds further parts of the same statement. */
      const update = Effect.fnUntraced(
        function* (lookup: Lookup, result: ChangedResult, journalled: Statement.Fragment) {
          const entered = Option.match(result.entered, {
            onNone: () => sql.literal(""),
            onSome: ({ stallsAt }) =>
              sql`, stalls_at = ${toNullable(stallsAt)}::timestamptz, stalled_since = NULL`,
          })
          const references = JSON.stringify(findableReferences(result.status))
          const rows = yield* sql`
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
          SELECT id FROM stored`
          return rows.length > 0
        },
        storeOperation("Lookups.changed"),
      )

      const stored = sql.literal("stored")

      /** Writes a change without events, such as a confirmation, in one statement. Most changes have none. */
      const changedUntold = (lookup: Lookup, result: ChangedResult) =>
        Effect.flatMap(
          journal.writing({ at: result.askedAt, note: result.note }, stored),
          (writing) => update(lookup, result, sql`, journalled AS (${writing})`),
        )

      const changedAndTold = (lookup: Lookup, result: ChangedResult) =>
        journal.recorded(
          "Lookups.changed",
          Effect.map(update(lookup, result, sql.literal("")), (value) => {
            const { accountId, id, platform } = lookup
            const { askedAt: at, events, note, status } = result
            const record = { id, platform, status }
            return { value, happened: value ? [{ accountId, record, at, note, events }] : [] }
          }),
        )

      const changed = (lookup: Lookup, result: ChangedResult) =>
        result.events.length === 0 ? changedUntold(lookup, result) : changedAndTold(lookup, result)

      const fail = Effect.fnUntraced(function* (lookup: Lookup, next: Option.Option<EpochMillis>) {
        const rows = yield* sql`
          UPDATE swaps SET
            lookup_failures = lookup_failures + 1, lookup_owner = NULL,
            next_lookup_at = ${toNullable(next)}::timestamptz
          WHERE ${held(lookup)}
          RETURNING id`
        return rows.length > 0
      }, storeOperation("Lookups.failed"))

      const postponed = Effect.fnUntraced(function* (lookup: DueLookup, until: EpochMillis) {
        const next = Option.as(lookup.dueAt, until)
        const rows = yield* sql`
          UPDATE swaps SET lookup_owner = NULL, next_lookup_at = ${toNullable(next)}::timestamptz
          WHERE ${held(lookup)} AND next_lookup_at IS NOT NULL
          RETURNING id`
        return rows.length > 0
      }, storeOperation("Lookups.postponed"))

      // The index on due times finds the look-ups: no lease ends later than one that would begin now.
      const giveBack = (provider: ProviderName, { owner, now, until }: Lease) =>
        sql`
          UPDATE swaps SET lookup_owner = NULL, next_lookup_at = least(next_lookup_at, ${toTimestamp(now)})
          WHERE platform = ${provider} AND next_lookup_at <= ${toTimestamp(until)}
            AND lookup_owner = ${owner}`.pipe(Effect.asVoid, storeOperation("Lookups.giveBack"))

      const giveBackAll = (now: EpochMillis) =>
        sql`
          UPDATE swaps SET lookup_owner = NULL, next_lookup_at = least(next_lookup_at, ${toTimestamp(now)})
          WHERE next_lookup_at IS NOT NULL AND lookup_owner IS NOT NULL`.pipe(
          Effect.asVoid,
          storeOperation("Lookups.giveBackAll"),
        )

      const contradicted = (
        lookup: Lookup,
        { at, note }: { readonly at: EpochMillis; readonly note: Contradicting },
        nextLookupAt: Option.Option<EpochMillis>,
      ) =>
        journal.recorded(
          "Lookups.contradicted",
          Effect.gen(function* () {
            const value = yield* fail(lookup, nextLookupAt)
            if (!value) return { value, happened: [] }
            const { events, isNew } = yield* newsIn(lookup, note)
            const { accountId, id, platform, status } = lookup
            const happening = { accountId, record: { id, platform, status }, at, note, events }
            return { value, happened: isNew ? [happening] : [] }
          }),
        )

      return LookupsRepo.of({
        claimDue,
        begin,
        takeOver,
        isUnderWay,
        unchanged,
        changed,
        contradicted,
        failed: fail,
        postponed,
        giveBack,
        giveBackAll,
      })
    }),
  )
}
