import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { SwapRecordId } from "../domain/SwapRecord.ts"
import type { EpochMillis } from "../domain/Time.ts"
import type { WebhookId } from "../domain/Webhook.ts"
import { toTimestamp, WholeNumber } from "./columns.ts"

const decodeRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ swap_id: WholeNumber.pipe(Schema.decodeTo(SwapRecordId)) })),
)

/** The order within each swap, in which an endpoint is told of its events. */
export const makeLanes = (sql: SqlClient.SqlClient) => ({
  /** The swaps of rows, each once. */
  decodeSwaps: (rows: unknown) =>
    Effect.map(decodeRows(rows), (all) => [...new Set(all.map(({ swap_id }) => swap_id))]),

  /**
   * Makes the first pending event of each of these swaps due where it is not, and the later ones wait. To be
   * called in the transaction that added or ended deliveries, with the endpoint locked: two that each see only
   * half of it would leave a swap without anything due, for ever. Swap by swap, so that a table whose figures
   * the database does not know yet is not gone through for each of them.
   */
  order: (id: WebhookId, swaps: ReadonlyArray<SwapRecordId>, now: EpochMillis) =>
    swaps.length === 0 ? Effect.void : sql`
      UPDATE webhook_deliveries d
      SET next_attempt_at = CASE WHEN d.event_id = first.event_id THEN ${toTimestamp(now)}::timestamptz END
      FROM jsonb_array_elements_text(${JSON.stringify(swaps)}::jsonb) lane (swap_id), LATERAL (
        SELECT event_id FROM webhook_deliveries
        WHERE webhook_id = ${id} AND swap_id = lane.swap_id::bigint AND state = 'pending'
        ORDER BY event_id LIMIT 1
      ) first
      WHERE d.webhook_id = ${id} AND d.swap_id = lane.swap_id::bigint AND d.state = 'pending' AND d.owner IS NULL
        AND (d.event_id = first.event_id) = (d.next_attempt_at IS NULL)`.pipe(Effect.asVoid),
})
