import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { SwapEventId } from "#domain/swaps/SwapEvent.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { EpochMillis } from "#domain/Time.ts"
import {
  Attempt,
  Delivery,
  type DeliveryId,
  DeliveryStanding,
  type DeliveryState,
  DeliverySummary,
  type Replayed,
  SwapDelivery,
  type WebhookId,
} from "#domain/accounts/Webhook.ts"
import { idOf, Timestamp, toTimestamp } from "../database/columns.ts"
import { column, count, given, repository, rows, rowsAs } from "../database/repository.ts"
import { joinJournal, journalColumns } from "../swaps/OutboxRepo.ts"
import { members, millis, type OwnWebhook, record } from "./WebhooksRepo.ts"

/**
 * Gives an endpoint the events of these swaps in their order: makes the first pending event of each swap due, if it is
 * not, and lets the later ones wait. Must run in the transaction that added or ended deliveries, with the endpoint
 * locked: two transactions that each see half of the change would leave a swap without a due event for ever. It runs
 * swap by swap, so that a table without statistics is not scanned for each of them.
 */
export const orderDeliveries = (
  sql: SqlClient.SqlClient,
  id: WebhookId,
  of: ReadonlyArray<SwapRecordId>,
  now: EpochMillis,
) => {
  const swaps = [...new Set(of)]
  return swaps.length === 0 ? Effect.void : Effect.asVoid(sql`
    UPDATE webhook_deliveries d
    SET next_attempt_at = CASE WHEN d.event_id = first.event_id THEN ${toTimestamp(now)}::timestamptz END
    FROM jsonb_array_elements_text(${JSON.stringify(swaps)}::jsonb) lane (swap_id), LATERAL (
      SELECT event_id FROM webhook_deliveries
      WHERE webhook_id = ${id} AND swap_id = lane.swap_id::bigint AND state = 'pending'
      ORDER BY event_id LIMIT 1
    ) first
    WHERE d.webhook_id = ${id} AND d.swap_id = lane.swap_id::bigint AND d.state = 'pending' AND d.owner IS NULL
      AND (d.event_id = first.event_id) = (d.next_attempt_at IS NULL)`)
}

/** A page of an endpoint's deliveries. */
export interface DeliveryQuery {
  /** The latest delivery to list, included; absent: the latest of all. */
  readonly offset?: DeliveryId
  readonly state?: DeliveryState
  readonly limit: number
}

/** The events to resend, by ID and by time (both ends included): all, or those undelivered. */
export interface EventRange {
  readonly ids: { readonly from: SwapEventId; readonly to: SwapEventId }
  readonly times: { readonly from: EpochMillis; readonly to: EpochMillis }
  readonly which: Replayed
}

const deliveries = column(Delivery)
const swapDeliveries = column(SwapDelivery)
const attempts = column(Attempt)
const events = rows(Schema.Struct({ at: Timestamp, payload: Schema.String, ...journalColumns }))
const summaries = column(DeliverySummary)
const standings = column(DeliveryStanding)

/** The latest messages of an endpoint that a summary reads. */
const summarised = 20_000
const replayedSwaps = rowsAs(Schema.Struct({ swap_id: idOf(SwapRecordId) }), ({ swap_id }) => swap_id)

/** The deliveries of an endpoint, as its account lists and requests them. */
export class DeliveryListRepo extends repository<DeliveryListRepo>()("DeliveryList", ({ op, sql }) => {
  /** A `Delivery` of a row `d` of `webhook_deliveries`, with the row `o` of `outbox` if it has one. */
  const fields = {
    id: "d.id",
    messageId: "coalesce('evt_' || d.event_id, 'test_' || d.id)",
    type: "coalesce(o.type, 'webhook.test')",
    eventId: "d.event_id",
    swapId: "d.swap_id",
    state: "d.state",
    createdAt: millis("d.created_at"),
    attempts: "d.attempts",
    nextAttemptAt: millis("d.next_attempt_at"),
    endedAt: millis("d.ended_at"),
  }
  const delivery = sql.literal(record(fields))
  const ofSwap = sql.literal(record({ ...fields, account: "accounts.name", webhookId: "d.webhook_id" }))
  const attemptMembers = members({
    at: millis("at"),
    durationMillis: "duration_millis",
    status: "status",
    failure: "failure",
    excerpt: "excerpt",
  })
  const attempt = sql.literal(`${attemptMembers} AS record`)
  const tables = sql.literal("webhook_deliveries d LEFT JOIN outbox o ON o.id = d.event_id")

  return {
    /** A page of deliveries, the latest first. */
    page: op("page", (id: WebhookId, { limit, offset, state }: DeliveryQuery) => {
      const from = given(offset, (offset) => sql`AND d.id <= ${offset}`)
      const only = given(state, (state) => sql`AND d.state = ${state}`)
      return deliveries.all(sql`
        SELECT ${delivery} FROM ${tables}
        WHERE d.webhook_id = ${id} ${from} ${only} ORDER BY d.id DESC LIMIT ${limit}`)
    }),

    /** The latest deliveries about a swap, to any endpoint. */
    ofSwap: op("ofSwap", (id: SwapRecordId, limit: number) =>
      swapDeliveries.all(sql`
        SELECT ${ofSwap} FROM ${tables} JOIN webhooks ON webhooks.id = d.webhook_id
          JOIN accounts ON accounts.id = webhooks.account_id
        WHERE d.swap_id = ${id} ORDER BY d.id DESC LIMIT ${limit}`)),

    find: op(
      "find",
      (webhook: WebhookId, id: DeliveryId) =>
        deliveries.first(
          sql`SELECT ${delivery} FROM ${tables} WHERE d.id = ${id} AND d.webhook_id = ${webhook}`,
        ),
    ),

    /** The event of a delivery, as it was written. */
    event: op("event", (id: DeliveryId) =>
      events.first(sql`
        SELECT o.created_at AS at, o.payload, journal.* FROM ${tables} ${sql.literal(joinJournal)}
        WHERE d.id = ${id} AND o.id IS NOT NULL`)),

    /** The attempts of a delivery, the first one first. */
    attempts: op("attempts", (id: DeliveryId) =>
      attempts.all(sql`
        SELECT ${attempt} FROM webhook_attempts WHERE delivery_id = ${id}
        ORDER BY id`)),

    /** An endpoint's health by hours, with its latest attempt among its latest and retried deliveries. */
    summary: op("summary", (id: WebhookId, since: EpochMillis) => {
      const summary = sql.literal(record({
        waiting: "(SELECT count(*) FROM pending)",
        oldestWaitingAt: `(SELECT ${millis("min(created_at)")} FROM pending)`,
        nextAttemptAt: `(SELECT ${millis("min(next_attempt_at)")} FROM pending)`,
        lastDeliveredAt: `(SELECT ${millis("max(ended_at)")} FROM recent WHERE state = 'delivered')`,
        latest: "(SELECT latest FROM latest)",
        hours: "(SELECT coalesce(jsonb_agg(hour ORDER BY hour -> 'at'), '[]') FROM hours)",
      }))
      const latest = sql.literal(
        members({ delivery: "d.id", messageId: "coalesce('evt_' || d.event_id, 'test_' || d.id)" }),
      )
      const hour = sql.literal(members({
        at: millis("date_trunc('hour', created_at)"),
        delivered: "count(*) FILTER (WHERE state = 'delivered')",
        pending: "count(*) FILTER (WHERE state = 'pending')",
        failed: "count(*) FILTER (WHERE state = 'failed')",
      }))
      return summaries.only(sql`
        WITH recent AS (
          SELECT id, created_at, state, ended_at, attempts FROM webhook_deliveries
          WHERE webhook_id = ${id} ORDER BY id DESC LIMIT ${summarised}
        ), pending AS (
          SELECT id, created_at, next_attempt_at FROM webhook_deliveries WHERE webhook_id = ${id} AND state = 'pending'
        ), tried AS (
          (SELECT id FROM recent WHERE attempts > 0 ORDER BY id DESC LIMIT 50)
          UNION (SELECT id FROM pending WHERE next_attempt_at IS NOT NULL ORDER BY next_attempt_at DESC LIMIT 50)
        ), latest AS (
          SELECT ${latest} || jsonb_build_object('attempt', ${sql.literal(attemptMembers)}) AS latest
          FROM tried JOIN webhook_deliveries d USING (id), LATERAL (
            SELECT * FROM webhook_attempts WHERE delivery_id = d.id ORDER BY webhook_attempts.id DESC LIMIT 1
          ) made
          ORDER BY made.at DESC, made.id DESC LIMIT 1
        ), hours AS (
          SELECT ${hour} AS hour FROM recent WHERE created_at >= ${toTimestamp(since)}
          GROUP BY date_trunc('hour', created_at)
        )
        SELECT ${summary}`)
    }),

    /** How endpoints fare: of each what waits, and the latest attempt at one of its latest messages. */
    standings: op("standings", (ids: ReadonlyArray<WebhookId>) => {
      const pending = "FROM webhook_deliveries WHERE webhook_id = w.id AND state = 'pending'"
      const standing = sql.literal(record({
        webhook: "w.id",
        waiting: `(SELECT count(*) ${pending})`,
        nextAttemptAt: `(SELECT ${millis("min(next_attempt_at)")} ${pending})`,
        latest: "latest.attempt",
      }))
      return standings.all(sql`
        SELECT ${standing} FROM webhooks w LEFT JOIN LATERAL (
          SELECT ${sql.literal(attemptMembers)} AS attempt FROM (
            SELECT id FROM webhook_deliveries WHERE webhook_id = w.id AND attempts > 0 ORDER BY id DESC LIMIT 20
          ) tried JOIN webhook_attempts made ON made.delivery_id = tried.id
          ORDER BY made.at DESC, made.id DESC LIMIT 1
        ) latest ON true
        WHERE w.id IN (SELECT jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`)
    }),

    /** Makes every waiting delivery due, as an attempt that does not count; returns how many. */
    hasten: op("hasten", (id: WebhookId, now: EpochMillis) =>
      count(sql`
        UPDATE webhook_deliveries SET next_attempt_at = ${
        toTimestamp(now)
      }, attempts = greatest(attempts - 1, 0)
        WHERE webhook_id = ${id} AND owner IS NULL AND next_attempt_at > ${toTimestamp(now)} RETURNING id`)),

    /** Adds a test, which is due at once; none if the endpoint is gone. */
    addTest: op("addTest", (id: WebhookId, now: EpochMillis) => {
      const at = toTimestamp(now)
      return deliveries.first(sql`
        WITH d AS (
          INSERT INTO webhook_deliveries (webhook_id, created_at, state, next_attempt_at)
          SELECT id, ${at}::timestamptz, 'pending', ${at}::timestamptz FROM webhooks WHERE id = ${id}
          FOR KEY SHARE
          RETURNING *
        )
        SELECT ${delivery} FROM d LEFT JOIN outbox o ON o.id = d.event_id`)
    }),

    /** Makes at most `limit` events pending again, in order, in a transaction; returns how many. */
    replay: op("replay", function* (
      { account, id }: OwnWebhook,
      { ids, times, which }: EventRange,
      limit: number,
      now: EpochMillis,
    ) {
      yield* sql`SELECT id FROM webhooks WHERE id = ${id} FOR NO KEY UPDATE`
      const unlessDelivered = which === "all" ? sql`` : sql`AND NOT EXISTS (
        SELECT 1 FROM webhook_deliveries WHERE webhook_id = w.id AND event_id = o.id AND state = 'delivered'
      )`
      const swaps = yield* replayedSwaps.all(sql`
        WITH wanted AS (
          SELECT o.id, o.swap_id FROM outbox o JOIN webhooks w ON w.id = ${id}
          WHERE o.account_id = ${account} AND o.id BETWEEN ${ids.from} AND least(${ids.to}, w.position)
            AND o.created_at BETWEEN ${toTimestamp(times.from)} AND ${toTimestamp(times.to)}
            AND (w.types IS NULL OR w.types ? o.type) ${unlessDelivered}
          ORDER BY o.id LIMIT ${limit}
        )
        INSERT INTO webhook_deliveries AS d (webhook_id, event_id, swap_id, created_at, state)
        SELECT ${id}, id, swap_id, ${toTimestamp(now)}, 'pending' FROM wanted ORDER BY id
        ON CONFLICT (webhook_id, event_id) DO UPDATE
        SET state = 'pending', attempts = 0, next_attempt_at = NULL, ended_at = NULL
        WHERE d.owner IS NULL
        RETURNING d.id, d.swap_id`)
      yield* orderDeliveries(sql, id, swaps, now)
      return swaps.length
    }),
  }
}) {}
