import { Effect, Schema } from "effect"
import { Address } from "#domain/chains/Address.ts"
import { AssetId } from "#domain/chains/Asset.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { idOf, RequestJson, Timestamp, toTimestamp } from "../database/columns.ts"
import { any, readable, repository, rows, rowsAs } from "../database/repository.ts"

/** A channel at an upstream that no record has. */
export const LostChannel = Schema.Struct({ asset: AssetId, depositAddress: Address })
export type LostChannel = typeof LostChannel.Type

const LostJson = Schema.Array(LostChannel)
const encodeLost = Schema.encodeEffect(Schema.fromJsonString(LostJson))

/** An opening that has no channel (yet), and the time by which its process has finished with it. */
const PendingRow = Schema.Struct({
  id: idOf(SwapRecordId),
  platform: ProviderName,
  request: RequestJson,
  requestedAt: Timestamp,
  /** Absent once the outcome is unknown. */
  leaseUntil: Schema.NullOr(Timestamp),
})
export type PendingOpening = typeof PendingRow.Type

const SweepRow = Schema.Struct({ platform: ProviderName, lost: LostJson })

const pendingOpenings = readable(PendingRow, "An opening is not looked for")
const recordedMarks = rowsAs(
  Schema.Struct({ mark: Schema.String, recordedAt: Timestamp }),
  ({ mark, recordedAt }) => [mark, recordedAt] as const,
)
const sweeps = rows(SweepRow)

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
export class LostOpeningsRepo extends repository<LostOpeningsRepo>()("LostOpenings", ({ op, sql }) => ({
  /** Openings at a provider that were asked for since then and have no channel (yet), the oldest first. */
  pending: op("pending", (platform: ProviderName, since: EpochMillis) =>
    pendingOpenings.all(sql`
      SELECT id, platform, request, created_at AS "requestedAt",
        CASE WHEN opening = 'requested' THEN opening_lease_until END AS "leaseUntil"
      FROM swaps
      WHERE platform = ${platform} AND opening IN ('requested', 'unknown')
        AND created_at >= ${toTimestamp(since)}
      ORDER BY created_at LIMIT ${mostPending}`)),

  /** When the latest swap with each of these deposit addresses was recorded, but for the one named. */
  recorded: op("recorded", function* (
    platform: ProviderName,
    addresses: ReadonlyArray<Address>,
    besides?: SwapRecordId,
  ) {
    const marks = JSON.stringify([...new Set(addresses.map(markOf))])
    const times = new Map(
      yield* recordedMarks.all(sql`
        SELECT mark, max(created_at) AS "recordedAt"
        FROM swap_marks JOIN swaps ON swaps.id = swap_id
        WHERE mark IN (SELECT jsonb_array_elements_text(${marks}::jsonb)) AND platform = ${platform}
          AND swap_mark(deposit_address) = mark AND swaps.id <> ${besides ?? 0}
        GROUP BY mark`),
    )
    return (address: Address) => times.get(markOf(address))
  }),

  /** Records that an opening with unknown outcome provably opened nothing; its key is free again. */
  absent: op("absent", (id: SwapRecordId) =>
    any(sql`
      WITH opening AS (
        UPDATE swaps SET opening = 'refused', opening_failure = 'Looked up: nothing was opened'
        WHERE id = ${id} AND opening = 'unknown'
        RETURNING id
      ), key AS (
        DELETE FROM idempotency_keys USING opening WHERE swap_id = opening.id AND answer_status IS NULL
      )
      SELECT id FROM opening`)),

  /** Takes a look upon this replica; returns what the last one found, or nothing where it is not to be made. */
  claim: op("claim", ({ dueSince, leaseUntil, now, platform }: SweepClaim) =>
    sweeps.all(sql`
      INSERT INTO opening_sweeps AS sweep (platform, swept_at, lease_until, lost)
      VALUES (${platform}, to_timestamp(0), ${toTimestamp(leaseUntil)}, '[]')
      ON CONFLICT (platform) DO UPDATE SET lease_until = excluded.lease_until
      WHERE sweep.lease_until <= ${toTimestamp(now)} AND sweep.swept_at < ${toTimestamp(dueSince)}
      RETURNING platform, lost`)),

  /** Keeps a look that takes long upon this replica. */
  renew: op("renew", (platform: ProviderName, leaseUntil: EpochMillis) =>
    Effect.asVoid(sql`
      UPDATE opening_sweeps SET lease_until = ${toTimestamp(leaseUntil)} WHERE platform = ${platform}`)),

  /** Ends a look with the channels that no record has. */
  finish: op("finish", function* (platform: ProviderName, lost: ReadonlyArray<LostChannel>, at: EpochMillis) {
    yield* sql`
      UPDATE opening_sweeps SET swept_at = ${toTimestamp(at)}, lease_until = ${toTimestamp(at)},
        lost = ${yield* encodeLost(lost)}::jsonb
      WHERE platform = ${platform}`
  }),

  /** What the last look at each provider found, if it was made since then. */
  swept: op(
    "swept",
    (since: EpochMillis) =>
      sweeps.all(sql`SELECT platform, lost FROM opening_sweeps WHERE swept_at >= ${toTimestamp(since)}`),
  ),
})) {}
