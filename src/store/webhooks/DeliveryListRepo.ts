import { Array, Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import type { SwapEventId } from "../../domain/SwapEvent.ts"
import { SwapRecordId } from "../../domain/SwapRecord.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import type { Attempt, Delivery, DeliveryId, DeliveryState, WebhookId } from "../../domain/Webhook.ts"
import { toTimestamp, WholeNumber } from "../database/columns.ts"
import { storeOperation } from "../database/storeOperation.ts"
import {
  attemptRecord,
  decodeAttempts,
  decodeDeliveries,
  deliveryRecord,
  type OwnWebhook,
} from "./WebhooksRepo.ts"

const decodeRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ swap_id: WholeNumber.pipe(Schema.decodeTo(SwapRecordId)) })),
)

/** The order in which an endpoint gets the events of each swap. */
export const makeLanes = (sql: SqlClient.SqlClient) => ({
  /** The distinct swaps of rows. */
  decodeSwaps: (rows: unknown) =>
    Effect.map(decodeRows(rows), (all) => [...new Set(all.map(({ swap_id }) => swap_id))]),

  /**
   * Makes the first pending event of each of these swaps due, if it is not, and lets the later ones wait. Must run in
   * the transaction that added or ended deliveries, with the endpoint locked: two transactions that each see half of
   * the change would leave a swap without a due event for ever. It runs swap by swap, so that a table without
   * statistics is not scanned for each of them.
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

/** A page of an endpoint's deliveries. */
export interface DeliveryQuery {
  /** The latest delivery to list, included; absent: the latest of all. */
  readonly offset?: DeliveryId
  readonly state?: DeliveryState
  readonly limit: number
}

/** The events to send again: those with these ids and of these times. Both ends are included. */
export interface EventRange {
  readonly ids: { readonly from: SwapEventId; readonly to: SwapEventId }
  readonly times: { readonly from: EpochMillis; readonly to: EpochMillis }
}

const decodeIds = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Schema.BigInt })))

/** The deliveries of an endpoint, as its account lists and requests them. */
export class DeliveryListRepo extends Context.Service<DeliveryListRepo, {
  /** A page of deliveries, the latest first. */
  readonly page: (
    id: WebhookId,
    query: DeliveryQuery,
  ) => Effect.Effect<ReadonlyArray<Delivery>, StoreUnavailable>
  readonly find: (
    webhook: WebhookId,
    id: DeliveryId,
  ) => Effect.Effect<Option.Option<Delivery>, StoreUnavailable>
  /** The attempts of a delivery, the first one first. */
  readonly attempts: (id: DeliveryId) => Effect.Effect<ReadonlyArray<Attempt>, StoreUnavailable>
  /** Adds a test, which is due at once; none if the endpoint is gone. */
  readonly addTest: (
    id: WebhookId,
    now: EpochMillis,
  ) => Effect.Effect<Option.Option<Delivery>, StoreUnavailable>
  /**
   * Makes events pending again, or for the first time, at most `limit`, in order; returns how many. Must run in a
   * transaction. A delivery under way stays as it is. Events beyond the endpoint's position are left out, as it gets
   * them anyway.
   */
  readonly replay: (
    own: OwnWebhook,
    range: EventRange,
    limit: number,
    now: EpochMillis,
  ) => Effect.Effect<number, StoreUnavailable>
}>()("swap-broker/store/DeliveryListRepo") {
  static readonly layer = Layer.effect(
    DeliveryListRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const lanes = makeLanes(sql)
      const record = sql.literal(deliveryRecord)
      const deliveries = sql.literal("webhook_deliveries d LEFT JOIN outbox o ON o.id = d.event_id")

      const page = Effect.fnUntraced(function* (id: WebhookId, { limit, offset, state }: DeliveryQuery) {
        const from = offset === undefined ? sql.literal("") : sql`AND d.id <= ${offset}`
        const only = state === undefined ? sql.literal("") : sql`AND d.state = ${state}`
        const rows = yield* sql`
          SELECT ${record} FROM ${deliveries}
          WHERE d.webhook_id = ${id} ${from} ${only} ORDER BY d.id DESC LIMIT ${limit}`
        return yield* decodeDeliveries(rows)
      }, storeOperation("DeliveryList.page"))

      const find = (webhook: WebhookId, id: DeliveryId) =>
        sql`SELECT ${record} FROM ${deliveries} WHERE d.id = ${id} AND d.webhook_id = ${webhook}`.pipe(
          Effect.flatMap(decodeDeliveries),
          Effect.map(Array.head),
          storeOperation("DeliveryList.find"),
        )

      const attempts = (id: DeliveryId) =>
        sql`
          SELECT ${sql.literal(attemptRecord)} FROM webhook_attempts WHERE delivery_id = ${id}
          ORDER BY id`.pipe(Effect.flatMap(decodeAttempts), storeOperation("DeliveryList.attempts"))

      const addTest = Effect.fnUntraced(function* (id: WebhookId, now: EpochMillis) {
        const at = toTimestamp(now)
        const rows = yield* sql`
          WITH d AS (
            INSERT INTO webhook_deliveries (webhook_id, created_at, state, next_attempt_at)
            SELECT id, ${at}::timestamptz, 'pending', ${at}::timestamptz FROM webhooks WHERE id = ${id}
            FOR KEY SHARE
            RETURNING *
          )
          SELECT ${record} FROM d LEFT JOIN outbox o ON o.id = d.event_id`
        return Array.head(yield* decodeDeliveries(rows))
      }, storeOperation("DeliveryList.addTest"))

      const replay = Effect.fnUntraced(
        function* ({ account, id }: OwnWebhook, { ids, times }: EventRange, limit: number, now: EpochMillis) {
          yield* sql`SELECT id FROM webhooks WHERE id = ${id} FOR NO KEY UPDATE`
          const rows = yield* sql`
            WITH wanted AS (
              SELECT o.id, o.swap_id FROM outbox o JOIN webhooks w ON w.id = ${id}
              WHERE o.account_id = ${account} AND o.id BETWEEN ${ids.from} AND least(${ids.to}, w.position)
                AND o.created_at BETWEEN ${toTimestamp(times.from)} AND ${toTimestamp(times.to)}
                AND (w.types IS NULL OR w.types ? o.type)
              ORDER BY o.id LIMIT ${limit}
            )
            INSERT INTO webhook_deliveries AS d (webhook_id, event_id, swap_id, created_at, state)
            SELECT ${id}, id, swap_id, ${toTimestamp(now)}, 'pending' FROM wanted ORDER BY id
            ON CONFLICT (webhook_id, event_id) DO UPDATE
            SET state = 'pending', attempts = 0, next_attempt_at = NULL, ended_at = NULL
            WHERE d.owner IS NULL
            RETURNING d.id, d.swap_id`
          yield* lanes.order(id, yield* lanes.decodeSwaps(rows), now)
          return (yield* decodeIds(rows)).length
        },
        storeOperation("DeliveryList.replay"),
      )

      return DeliveryListRepo.of({ page, find, attempts, addTest, replay })
    }),
  )
}
