import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Address } from "../../domain/Address.ts"
import { AssetId } from "../../domain/Asset.ts"
import { ProviderName } from "../../domain/ProviderName.ts"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import { SwapRecordId } from "../../domain/SwapRecord.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { readableRows, RequestJson, Timestamp, toTimestamp, WholeNumber } from "../database/columns.ts"
import { storeOperation } from "../database/storeOperation.ts"

/** A channel at an upstream that no record has. */
export const LostChannel = Schema.Struct({ asset: AssetId, depositAddress: Address })
export type LostChannel = typeof LostChannel.Type

const LostJson = Schema.Array(LostChannel)
const encodeLost = Schema.encodeEffect(Schema.fromJsonString(LostJson))

/** An opening that has no channel (yet), and the time by which its process has finished with it. */
const PendingRow = Schema.Struct({
  id: WholeNumber.pipe(Schema.decodeTo(SwapRecordId)),
  platform: ProviderName,
  request: RequestJson,
  requestedAt: Timestamp,
  /** Absent once the outcome is unknown. */
  leaseUntil: Schema.NullOr(Timestamp),
})
export type PendingOpening = typeof PendingRow.Type

const decodePending = readableRows(PendingRow, "An opening is not looked for")
const decodeRecorded = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ mark: Schema.String, recordedAt: Timestamp })),
)
const decodeSweeps = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ platform: ProviderName, lost: LostJson })),
)
export type SweptProvider = Effect.Success<ReturnType<typeof decodeSweeps>>[number]

/** How addresses are written in the marks that swaps are found by (0031_business). */
const markOf = (address: string): string => address.toLowerCase().replace(/^0x/, "")

/** The most openings that are looked for at a time; without a catastrophe there are none. */
const mostPending = 1_000

/** A look at a provider's channels that is to begin. */
export interface SweepClaim {
  readonly platform: ProviderName
  readonly now: EpochMillis
  /** None is due where one was finished since then. */
  readonly dueSince: EpochMillis
  readonly leaseUntil: EpochMillis
}

/** Openings whose answers were lost, and what was found of them at their upstreams. */
export class LostOpeningsRepo extends Context.Service<LostOpeningsRepo, {
  /** Openings at a provider that were asked for since then and have no channel (yet), the oldest first. */
  readonly pending: (
    platform: ProviderName,
    since: EpochMillis,
  ) => Effect.Effect<ReadonlyArray<PendingOpening>, StoreUnavailable>
  /** When the latest swap with each of these deposit addresses was recorded, but for the one named. */
  readonly recorded: (
    platform: ProviderName,
    addresses: ReadonlyArray<Address>,
    besides?: SwapRecordId,
  ) => Effect.Effect<(address: Address) => EpochMillis | undefined, StoreUnavailable>
  /** Records that an opening with unknown outcome provably opened nothing; its key is free again. */
  readonly absent: (id: SwapRecordId) => Effect.Effect<boolean, StoreUnavailable>
  /** Takes a look upon this replica; returns what the last one found, or nothing where it is not to be made. */
  readonly claim: (claim: SweepClaim) => Effect.Effect<ReadonlyArray<SweptProvider>, StoreUnavailable>
  /** Keeps a look that takes long upon this replica. */
  readonly renew: (platform: ProviderName, leaseUntil: EpochMillis) => Effect.Effect<void, StoreUnavailable>
  /** Ends a look with the channels that no record has. */
  readonly finish: (
    platform: ProviderName,
    lost: ReadonlyArray<LostChannel>,
    at: EpochMillis,
  ) => Effect.Effect<void, StoreUnavailable>
  /** What the last look at each provider found, if it was made since then. */
  readonly swept: (since: EpochMillis) => Effect.Effect<ReadonlyArray<SweptProvider>, StoreUnavailable>
}>()("swap-broker/store/LostOpeningsRepo") {
  static readonly layer = Layer.effect(
    LostOpeningsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const pending = (platform: ProviderName, since: EpochMillis) =>
        Effect.flatMap(
          sql`
            SELECT id, platform, request, created_at AS "requestedAt",
              CASE WHEN opening = 'requested' THEN opening_lease_until END AS "leaseUntil"
            FROM swaps
            WHERE platform = ${platform} AND opening IN ('requested', 'unknown')
              AND created_at >= ${toTimestamp(since)}
            ORDER BY created_at LIMIT ${mostPending}`,
          decodePending,
        ).pipe(storeOperation("LostOpenings.pending"))

      const recorded = Effect.fnUntraced(
        function* (platform: ProviderName, addresses: ReadonlyArray<Address>, besides?: SwapRecordId) {
          const marks = JSON.stringify([...new Set(addresses.map(markOf))])
          const rows = yield* sql`
            SELECT mark, max(created_at) AS "recordedAt"
            FROM swap_marks JOIN swaps ON swaps.id = swap_id
            WHERE mark IN (SELECT jsonb_array_elements_text(${marks}::jsonb)) AND platform = ${platform}
              AND swap_mark(deposit_address) = mark AND swaps.id <> ${besides ?? 0}
            GROUP BY mark`
          const times = new Map((yield* decodeRecorded(rows)).map((row) => [row.mark, row.recordedAt]))
          return (address: Address) => times.get(markOf(address))
        },
        storeOperation("LostOpenings.recorded"),
      )

      const absent = (id: SwapRecordId) =>
        Effect.map(
          sql`
            WITH opening AS (
              UPDATE swaps SET opening = 'refused', opening_failure = 'Looked up: nothing was opened'
              WHERE id = ${id} AND opening = 'unknown'
              RETURNING id
            ), key AS (
              DELETE FROM idempotency_keys USING opening WHERE swap_id = opening.id AND answer_status IS NULL
            )
            SELECT id FROM opening`,
          (rows) => rows.length > 0,
        ).pipe(storeOperation("LostOpenings.absent"))

      const claim = ({ dueSince, leaseUntil, now, platform }: SweepClaim) =>
        Effect.flatMap(
          sql`
            INSERT INTO opening_sweeps AS sweep (platform, swept_at, lease_until, lost)
            VALUES (${platform}, to_timestamp(0), ${toTimestamp(leaseUntil)}, '[]')
            ON CONFLICT (platform) DO UPDATE SET lease_until = excluded.lease_until
            WHERE sweep.lease_until <= ${toTimestamp(now)} AND sweep.swept_at < ${toTimestamp(dueSince)}
            RETURNING platform, lost`,
          decodeSweeps,
        ).pipe(storeOperation("LostOpenings.claim"))

      const renew = (platform: ProviderName, leaseUntil: EpochMillis) =>
        Effect.asVoid(sql`
          UPDATE opening_sweeps SET lease_until = ${toTimestamp(leaseUntil)} WHERE platform = ${platform}`)
          .pipe(storeOperation("LostOpenings.renew"))

      const finish = Effect.fnUntraced(
        function* (platform: ProviderName, lost: ReadonlyArray<LostChannel>, at: EpochMillis) {
          yield* sql`
            UPDATE opening_sweeps SET swept_at = ${toTimestamp(at)}, lease_until = ${toTimestamp(at)},
              lost = ${yield* encodeLost(lost)}::jsonb
            WHERE platform = ${platform}`
        },
        storeOperation("LostOpenings.finish"),
      )

      return LostOpeningsRepo.of({
        pending,
        recorded,
        absent,
        claim,
        renew,
        finish,
        swept: (since) =>
          Effect.flatMap(
            sql`SELECT platform, lost FROM opening_sweeps WHERE swept_at >= ${toTimestamp(since)}`,
            decodeSweeps,
          ).pipe(storeOperation("LostOpenings.swept")),
      })
    }),
  )
}
