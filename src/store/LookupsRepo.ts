import { Context, Data, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ChannelId } from "../domain/Channel.ts"
import { ProviderName } from "../domain/ProviderName.ts"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import type { SwapStatus } from "../domain/Swap.ts"
import { SwapRecordId } from "../domain/SwapRecord.ts"
import type { EpochMillis } from "../domain/Time.ts"
import { encodeStatus, StatusJson, toTimestamp, WholeNumber } from "./columns.ts"
import { storeOperation } from "./storeOperation.ts"
import { normaliseReference } from "./transactionReference.ts"

/** What an upstream is asked for: a channel, or the transaction of a vault swap. */
export type LookupSubject = Data.TaggedEnum<{
  Channel: { readonly id: ChannelId }
  VaultSwap: { readonly transaction: string }
}>
export const LookupSubject = Data.taggedEnum<LookupSubject>()

/** A look-up that has begun: what is known of the swap, and the look-up's number among those of the swap. */
export interface Lookup {
  readonly id: SwapRecordId
  readonly platform: ProviderName
  readonly subject: LookupSubject
  readonly status: SwapStatus
  /** Whether the upstream has ever known what it is asked for. */
  readonly seenUpstream: boolean
  /** Failures in a row before this one. */
  readonly failures: number
  readonly number: number
  /** The number of the look-up that `status` comes from. */
  readonly basedOn: number
}

/** What a look-up brought. */
export interface LookupResult {
  readonly status: SwapStatus
  /** When the upstream was asked. */
  readonly askedAt: EpochMillis
  /** Nothing: the status can no longer change. */
  readonly nextLookupAt: Option.Option<EpochMillis>
}

const swapColumns = {
  id: WholeNumber.pipe(Schema.decodeTo(SwapRecordId)),
  platform: ProviderName,
  status: StatusJson,
  seen_upstream: Schema.Boolean,
  lookup_failures: Schema.Int,
  lookups_begun: WholeNumber,
  lookup_stored: WholeNumber,
}

const LookupRow = Schema.Union([
  Schema.Struct({
    ...swapColumns,
    issued_block: WholeNumber,
    network: ChannelId.fields.network,
    channel_id: WholeNumber,
    vault_transaction: Schema.Null,
  }),
  Schema.Struct({ ...swapColumns, vault_transaction: Schema.String }),
])
type LookupRow = typeof LookupRow.Type
const decodeRows = Schema.decodeUnknownEffect(Schema.Array(LookupRow))

const subjectOf = (row: LookupRow): LookupSubject =>
  row.vault_transaction === null
    ? LookupSubject.Channel({
      id: { issuedBlock: row.issued_block, network: row.network, channelId: row.channel_id },
    })
    : LookupSubject.VaultSwap({ transaction: row.vault_transaction })

const toLookup = (row: LookupRow): Lookup => ({
  id: row.id,
  platform: row.platform,
  subject: subjectOf(row),
  status: row.status,
  seenUpstream: row.seen_upstream,
  failures: row.lookup_failures,
  number: row.lookups_begun,
  basedOn: row.lookup_stored,
})

const toNullable = (time: Option.Option<EpochMillis>): Date | null =>
  Option.getOrNull(Option.map(time, toTimestamp))

/**
 * The look-ups of open swaps in the database. Each has a number; the result of one is stored only when none
 * that began later was stored before it.
 */
export class LookupsRepo extends Context.Service<LookupsRepo, {
  /** Begins a look-up of each swap that is due, the longest due first; others get none of them until `leaseUntil`. */
  readonly claimDue: (
    claim: { readonly now: EpochMillis; readonly leaseUntil: EpochMillis; readonly limit: number },
  ) => Effect.Effect<ReadonlyArray<Lookup>, StoreUnavailable>
  /** Begins a look-up of one swap, due or not; none when its status can no longer change. */
  readonly begin: (
    id: SwapRecordId,
    leaseUntil: EpochMillis,
  ) => Effect.Effect<Option.Option<Lookup>, StoreUnavailable>
  /**
   * Stores what a look-up brought, unless a later one was faster, or another one settled the swap meanwhile:
   * whether the result can follow was judged by what was known before that.
   */
  readonly succeeded: (lookup: Lookup, result: LookupResult) => Effect.Effect<void, StoreUnavailable>
  /** Stores that a look-up brought nothing. */
  readonly failed: (
    lookup: Lookup,
    nextLookupAt: Option.Option<EpochMillis>,
  ) => Effect.Effect<void, StoreUnavailable>
  /** Takes a look-up back that was not made: it counts neither as a failure nor as a success. */
  readonly postponed: (lookup: Lookup, until: EpochMillis) => Effect.Effect<void, StoreUnavailable>
}>()("swap-broker/store/LookupsRepo") {
  static readonly layer = Layer.effect(
    LookupsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const columns = sql.literal(
        "swaps.id, platform, issued_block, network, channel_id, vault_transaction, status, seen_upstream, " +
          "lookup_failures, lookups_begun, lookup_stored",
      )

      const claimDue = Effect.fnUntraced(function* (
        claim: { readonly now: EpochMillis; readonly leaseUntil: EpochMillis; readonly limit: number },
      ) {
        const rows = yield* sql`
          WITH due AS MATERIALIZED (
            SELECT id FROM swaps WHERE next_lookup_at <= ${toTimestamp(claim.now)}
            ORDER BY next_lookup_at LIMIT ${claim.limit}
            FOR UPDATE SKIP LOCKED
          )
          UPDATE swaps
          SET next_lookup_at = ${toTimestamp(claim.leaseUntil)}, lookups_begun = lookups_begun + 1
          FROM due WHERE swaps.id = due.id
          RETURNING ${columns}`
        return (yield* decodeRows(rows)).map(toLookup)
      }, storeOperation("Lookups.claimDue"))

      const begin = Effect.fnUntraced(function* (id: SwapRecordId, leaseUntil: EpochMillis) {
        const rows = yield* sql`
          UPDATE swaps
          SET next_lookup_at = ${toTimestamp(leaseUntil)}, lookups_begun = lookups_begun + 1
          WHERE id = ${id} AND next_lookup_at IS NOT NULL
          RETURNING ${columns}`
        return Option.map(Option.fromUndefinedOr((yield* decodeRows(rows))[0]), toLookup)
      }, storeOperation("Lookups.begin"))

      const succeeded = Effect.fnUntraced(function* (lookup: Lookup, result: LookupResult) {
        const askedAt = toTimestamp(result.askedAt)
        const reference = result.status.deposit?.transactionReference
        const deposit = reference === undefined ? null : normaliseReference(reference)
        yield* sql`
          WITH stored AS (
            UPDATE swaps SET
              state = ${result.status.state}, status = ${yield* encodeStatus(result.status)},
              updated_at = ${askedAt}, looked_up_at = ${askedAt},
              next_lookup_at = ${toNullable(result.nextLookupAt)}::timestamptz,
              lookup_failures = 0, lookup_stored = ${lookup.number}, seen_upstream = true
            WHERE id = ${lookup.id} AND lookup_stored < ${lookup.number}
              AND (lookup_stored = ${lookup.basedOn} OR state NOT IN ('completed', 'failed'))
            RETURNING id, account_id
          )
          INSERT INTO swap_deposits (account_id, transaction_reference, swap_id)
          SELECT account_id, ${deposit}::text, id FROM stored WHERE ${deposit}::text IS NOT NULL
          ON CONFLICT DO NOTHING`
      }, storeOperation("Lookups.succeeded"))

      const failed = Effect.fnUntraced(function* (lookup: Lookup, nextLookupAt: Option.Option<EpochMillis>) {
        yield* sql`
          UPDATE swaps SET
            lookup_failures = lookup_failures + 1, next_lookup_at = ${toNullable(nextLookupAt)}::timestamptz
          WHERE id = ${lookup.id} AND lookup_stored < ${lookup.number}`
      }, storeOperation("Lookups.failed"))

      const postponed = Effect.fnUntraced(function* (lookup: Lookup, until: EpochMillis) {
        yield* sql`
          UPDATE swaps SET next_lookup_at = ${toTimestamp(until)}
          WHERE id = ${lookup.id} AND lookup_stored < ${lookup.number} AND next_lookup_at IS NOT NULL`
      }, storeOperation("Lookups.postponed"))

      return LookupsRepo.of({ claimDue, begin, succeeded, failed, postponed })
    }),
  )
}
