import { Schema, Struct } from "effect"
import { ProviderName } from "../../domain/ProviderName.ts"
import { type StandingSwap, SwapRecordId, type SwapStanding } from "../../domain/SwapRecord.ts"
import { spread } from "../../platform/spread.ts"
import { idOf, StatusJson, Timestamp } from "../database/columns.ts"

/**
 * The columns of a swap's standing, without those of its look-ups. The journal is read only of swaps whose latest look-up
 * failed: a contradiction is one of the failures.
 */
export const standingColumns = 'swaps.created_at AS "createdAt", ' +
  'coalesce(changed_at, swaps.created_at) AS "changedAt", coalesce(looked_up_at, swaps.created_at) AS "lookedUpAt", ' +
  'lookup_failures AS "lookupFailures", stalled_since AS "stalledSince", ' +
  "CASE WHEN lookup_failures > 0 THEN (" +
  "SELECT CASE WHEN kind = 'contradicted' THEN recorded_at END FROM swap_journal " +
  "WHERE swap_id = swaps.id AND kind <> 'stalled' ORDER BY swap_journal.id DESC LIMIT 1" +
  ') END AS "contradictedAt"'

/** The same columns, for decoding rows. */
export const standingFields = {
  createdAt: Timestamp,
  changedAt: Timestamp,
  lookedUpAt: Timestamp,
  lookupFailures: Schema.Int,
  stalledSince: Schema.NullOr(Timestamp),
  contradictedAt: Schema.NullOr(Timestamp),
}
const StandingRow = Schema.Struct(standingFields)

/** A swap with its standing, in a row. */
export const StandingSwapRow = Schema.Struct({
  ...standingFields,
  id: idOf(SwapRecordId),
  platform: ProviderName,
  status: StatusJson,
})

/** The standing in a row. */
export const toStanding = (row: typeof StandingRow.Type): SwapStanding => {
  const { changedAt, contradictedAt, createdAt, lookedUpAt, lookupFailures, stalledSince } = row
  return {
    createdAt,
    changedAt,
    lookedUpAt,
    lookupFailures,
    ...spread(stalledSince ?? undefined, (stalledSince) => ({ stalledSince })),
    ...spread(contradictedAt ?? undefined, (contradictedAt) => ({ contradictedAt })),
  }
}

export const toStandingSwap = (row: typeof StandingSwapRow.Type): StandingSwap => ({
  ...Struct.pick(row, ["id", "platform", "status"]),
  standing: toStanding(row),
})
