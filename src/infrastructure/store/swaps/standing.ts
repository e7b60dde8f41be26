import { Schema, Struct } from "effect"
import { ProviderName } from "#domain/ProviderName.ts"
import { type StandingSwap, SwapRecordId, type SwapStanding } from "#domain/swaps/SwapRecord.ts"
import { EpochMillis } from "#domain/Time.ts"
import { absentWhenNull, idOf, StatusJson, Timestamp } from "../database/columns.ts"

/** The first journal entry with the present state, which is when a swap entered it. */
const entryOf = (value: string): string =>
  `SELECT ${value} FROM swap_journal WHERE swap_id = swaps.id AND status ->> 'state' = swaps.state ` +
  "AND kind NOT IN ('contradicted', 'stalled') ORDER BY swap_journal.id LIMIT 1"

const isUnderWay = "swaps.state IN ('receiving', 'swapping', 'sending', 'sent')"

/** When a swap entered its state, as the journal has it. */
export const enteredColumn = `coalesce((${
  entryOf("recorded_at")
}), changed_at, swaps.created_at) AS "enteredAt"`

/** A swap's standing but its look-ups; the journal is read only where the latest look-up failed. */
export const standingColumns = 'swaps.created_at AS "createdAt", ' +
  'coalesce(changed_at, swaps.created_at) AS "changedAt", coalesce(looked_up_at, swaps.created_at) AS "lookedUpAt", ' +
  `CASE WHEN ${isUnderWay} THEN (${entryOf("recorded_at")}) END AS "enteredAt", ` +
  `CASE WHEN ${isUnderWay} THEN (${
    entryOf("status -> 'lastStateChainUpdateAt'")
  }) END AS "enteredByRecord", ` +
  'lookup_failures AS "lookupFailures", stalled_since AS "stalledSince", ' +
  "CASE WHEN lookup_failures > 0 THEN (" +
  "SELECT CASE WHEN kind = 'contradicted' THEN recorded_at END FROM swap_journal " +
  "WHERE swap_id = swaps.id AND kind <> 'stalled' ORDER BY swap_journal.id DESC LIMIT 1" +
  ') END AS "contradictedAt"'

/** The same columns, for decoding rows. */
export const standingFields = {
  createdAt: Timestamp,
  changedAt: Timestamp,
  enteredAt: absentWhenNull(Timestamp),
  enteredByRecord: absentWhenNull(EpochMillis),
  lookedUpAt: Timestamp,
  lookupFailures: Schema.Int,
  stalledSince: absentWhenNull(Timestamp),
  contradictedAt: absentWhenNull(Timestamp),
}
const StandingRow = Schema.Struct(standingFields)

export const StandingSwapRow = Schema.Struct({
  ...standingFields,
  id: idOf(SwapRecordId),
  platform: ProviderName,
  status: StatusJson,
})

export const toStanding: (row: typeof StandingRow.Type) => SwapStanding = Struct.pick(
  Struct.keys(standingFields),
)

export const toStandingSwap = (row: typeof StandingSwapRow.Type): StandingSwap => ({
  ...Struct.pick(row, ["id", "platform", "status"]),
  standing: toStanding(row),
})
