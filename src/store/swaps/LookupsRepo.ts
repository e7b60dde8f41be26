import { Context, Data, Effect, Layer, Option } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { ProviderName } from "../../domain/ProviderName.ts"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import type { SwapStatus } from "../../domain/Swap.ts"
import type { SwapRecordId } from "../../domain/SwapRecord.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { encodeStatus, toNullable, toTimestamp } from "../database/columns.ts"
import { type Happening, JournalRepo } from "./JournalRepo.ts"
import { decodeDue, type DueLookup, type Lookup, lookupColumns, toDueLookup } from "./lookupRows.ts"
import { storeOperation } from "../database/storeOperation.ts"
import { findableReferences } from "./transactionReference.ts"
import { makeWriteUnchanged } from "./unchangedSwaps.ts"

/** Who looks swaps up, and until when nobody else looks the same ones up. */
export interface Lease {
  /** One process, once started: no two have the same. */
  readonly owner: string
  readonly now: EpochMillis
  readonly until: EpochMillis
}

/** What came of asking for a look-up of one swap. */
export type Begun = Data.TaggedEnum<{
  Begun: { readonly lookup: DueLookup }
  /** Another one is under way, here or elsewhere. */
  UnderWay: object
  /** There is no such swap. */
  Unknown: object
}>
export const Begun = Data.taggedEnum<Begun>()

/** What a look-up brought. */
export interface LookupResult {
  readonly status: SwapStatus
  /** When the upstream was asked. */
  readonly askedAt: EpochMillis
  /** Nothing: from now on only where somebody asks. */
  readonly nextLookupAt: Option.Option<EpochMillis>
}

/** A look-up that brought another status than was known. */
export interface ChangedResult extends LookupResult, Pick<Happening, "events" | "note"> {
  /** Where the swap came into another state: until when that may last, if there is a limit. */
  readonly entered: Option.Option<{ readonly stallsAt: Option.Option<EpochMillis> }>
}

/** Whether the row took what was written: not where the look-up's lease ran out and another one took over. */
type Written = Effect.Effect<boolean, StoreUnavailable>

/**
 * The look-ups of open swaps in the database. One at a time has the lease of a swap; only that one's result is
 * stored. A process whose lease ran out may still write while nobody has taken the swap over, and never after.
 */
export class LookupsRepo extends Context.Service<LookupsRepo, {
  /** Begins a look-up of each swap of a provider that is due, the longest due first. */
  readonly claimDue: (
    provider: ProviderName,
    lease: Lease,
    limit: number,
  ) => Effect.Effect<ReadonlyArray<DueLookup>, StoreUnavailable>
  /** Begins a look-up of one swap, due or not, followed or not, unless one is under way. */
  readonly begin: (id: SwapRecordId, lease: Lease) => Effect.Effect<Begun, StoreUnavailable>
  /** Whether a look-up of the swap is under way anywhere. */
  readonly isUnderWay: (id: SwapRecordId, now: EpochMillis) => Effect.Effect<boolean, StoreUnavailable>
  /** The upstream says what it said before; only the time of its last word may be another. */
  readonly unchanged: (lookup: Lookup, result: LookupResult) => Written
  /** The upstream says something new, which goes into the journal and the outbox with it. */
  readonly changed: (lookup: Lookup, result: ChangedResult) => Written
  /** The upstream said what cannot be. Goes into the journal, unless the last entry says the same. */
  readonly contradicted: (
    lookup: Lookup,
    happening: Pick<Happening, "at" | "note">,
    nextLookupAt: Option.Option<EpochMillis>,
  ) => Written
  /** The look-up brought nothing. */
  readonly failed: (lookup: Lookup, nextLookupAt: Option.Option<EpochMillis>) => Written
  /**
   * Takes a look-up back that was not made: it counts neither as a failure nor as a success, and a swap that was not
   * followed is not from now on.
   */
  readonly postponed: (lookup: DueLookup, until: EpochMillis) => Written
  /** Takes every look-up back that the owner of the lease has begun at a provider: they are due for others now. */
  readonly giveBack: (provider: ProviderName, lease: Lease) => Effect.Effect<void, StoreUnavailable>
  /** The same of every look-up, whoever has begun it: only for the one process there is, before it begins any. */
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

      const isUnderWay = (id: SwapRecordId, now: EpochMillis) =>
        sql`
          SELECT 1 FROM swaps
          WHERE id = ${id} AND lookup_owner IS NOT NULL AND next_lookup_at > ${toTimestamp(now)}`.pipe(
          Effect.map((rows) => rows.length > 0),
          storeOperation("Lookups.isUnderWay"),
        )

      /** The row of a look-up for as long as nobody has taken it over. */
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

      /** The last look-up of a swap counts its channel, too, which locks the account. */
      const unchanged = (lookup: Lookup, result: LookupResult) =>
        Option.match(result.nextLookupAt, {
          onNone: () => unchangedAtLast(lookup, result),
          onSome: (nextLookupAt) => writeUnchanged({ ...result, lookup, nextLookupAt }),
        })

      /** `journalled` stands for further parts of the same statement. */
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

      /** Most changes are confirmations and the like, of which nobody is told: one statement is enough. */
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

      // No lease ends later than one that would begin now, and look-ups are found by when they are due.
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

      /** Asked again and again, an upstream says the same thing, which is written down once. */
      const isNew = Effect.fnUntraced(function* ({ id }: Lookup, { note }: Pick<Happening, "note">) {
        if (note._tag !== "Contradiction") return true
        const rows = yield* sql`
          SELECT 1 FROM (
            SELECT kind, status, detail FROM swap_journal WHERE swap_id = ${id} AND kind <> 'stalled'
            ORDER BY id DESC LIMIT 1
          ) AS last
          WHERE kind = 'contradicted' AND detail = ${note.detail}
            AND status - 'lastStateChainUpdateAt' =
              ${yield* encodeStatus(note.status)}::jsonb - 'lastStateChainUpdateAt'`
        return rows.length === 0
      }, storeOperation("Lookups.contradicted"))

      const contradicted = (
        lookup: Lookup,
        { at, note }: Pick<Happening, "at" | "note">,
        nextLookupAt: Option.Option<EpochMillis>,
      ) =>
        journal.recorded(
          "Lookups.contradicted",
          Effect.gen(function* () {
            const value = yield* fail(lookup, nextLookupAt)
            if (!value || !(yield* isNew(lookup, { note }))) return { value, happened: [] }
            const { accountId, id, platform, status } = lookup
            return {
              value,
              happened: [{ accountId, record: { id, platform, status }, at, note, events: [] }],
            }
          }),
        )

      return LookupsRepo.of({
        claimDue,
        begin,
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
