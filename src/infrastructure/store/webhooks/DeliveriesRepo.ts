import { Array, Data, Effect, Option, Schema } from "effect"
import { Language } from "#domain/Language.ts"
import { SwapEventId } from "#domain/swaps/SwapEvent.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { EpochMillis } from "#domain/Time.ts"
import {
  type Attempt,
  DeliveryId,
  type DisabledReason,
  MessageType,
  WebhookId,
} from "#domain/accounts/Webhook.ts"
import { idOf, Timestamp, toTimestamp } from "../database/columns.ts"
import { any, column, deleteBefore, readable, repository, rows } from "../database/repository.ts"
import type { Lease } from "../swaps/LookupsRepo.ts"
import { joinJournal, journalColumns } from "../swaps/OutboxRepo.ts"
import { orderDeliveries } from "./DeliveryListRepo.ts"

/** Limits on the deliveries that a claim may take. */
export interface Shares {
  readonly most: number
  /** The most deliveries under way to a single endpoint, over all replicas. */
  readonly mostOfEndpoint: number
  /** The most deliveries of one account that this process has under way. */
  readonly mostOfAccount: number
}

/** A claimed delivery, which no other process claims until the lease ends. */
const Claim = Schema.Struct({
  id: idOf(DeliveryId),
  webhookId: WebhookId,
  url: Schema.String,
  language: Language,
  type: MessageType,
  swapId: Schema.OptionFromNullOr(idOf(SwapRecordId)),
  eventId: Schema.OptionFromNullOr(idOf(SwapEventId)),
  /** The JSON text of the event; none for a test. */
  payload: Schema.OptionFromNullOr(Schema.String),
  ...journalColumns,
  at: Timestamp,
  failedAttempts: Schema.Int,
  /** The secrets as they are stored, the latest first. */
  secrets: Schema.Array(Schema.String),
  owner: Schema.String,
  /** The number of the claim, which rises with each claim of the delivery. */
  number: Schema.Int,
})
export type Claim = typeof Claim.Type

/** The consequence of an attempt. */
export type Verdict = Data.TaggedEnum<{
  Delivered: object
  Again: { readonly at: EpochMillis }
  /** The delivery is given up; `disable` says why the endpoint is disabled with it, if it is. */
  GivenUp: { readonly disable: Option.Option<DisabledReason> }
}>
export const Verdict = Data.taggedEnum<Verdict>()

const claims = readable(Claim, "A delivery is not made")
const webhookIds = column(WebhookId)
const pages = rows(Schema.Struct({ swap_id: idOf(SwapRecordId), wanted: Schema.Boolean }))
const failures = column(Schema.NullOr(Timestamp))

/** The key of the advisory lock: any number that nothing else on the server locks. */
const claimLock = 7_281_640_133n

/** The number of events that one transaction makes deliveries of. */
const pageSize = 200

/**
 * The deliveries of events to endpoints.
 *
 * The library's persisted queue does not fit: it keeps no order within a swap (a failed message becomes visible later,
 * and the next one overtakes it), tells time only by the database's clock, never takes an id twice, as a replay has to,
 * and does not show when the next attempt is. A delivery is therefore claimed like a look-up (`LookupsRepo`): `FOR
 * UPDATE SKIP LOCKED`, with a lease.
 *
 * A transaction that makes deliveries of events, ends one or replays some first locks their endpoint, and restores the
 * order within the swaps before its end (`orderDeliveries`). Claims lock no endpoint; they wait for each other, because
 * each counts what others have under way.
 */
export class DeliveriesRepo extends repository<DeliveriesRepo>()("Deliveries", ({ op, sql, transaction }) => {
  const behind = op(
    "fanOut",
    webhookIds.all(sql`
      SELECT id FROM webhooks w
      WHERE disabled_at IS NULL
        AND EXISTS (SELECT 1 FROM outbox WHERE account_id = w.account_id AND id > w.position)`),
  )

  const fanOutOne = transaction("fanOut", function* (id: WebhookId, now: EpochMillis) {
    const page = yield* pages.all(sql`
      WITH endpoint AS MATERIALIZED (
        SELECT id, account_id, position, types FROM webhooks
        WHERE id = ${id} AND disabled_at IS NULL
        FOR NO KEY UPDATE SKIP LOCKED
      ), page AS MATERIALIZED (
        SELECT o.id, o.swap_id, e.types IS NULL OR e.types ? o.type AS wanted
        FROM endpoint e JOIN LATERAL (
          SELECT id, swap_id, type FROM outbox
          WHERE account_id = e.account_id AND id > e.position ORDER BY id LIMIT ${pageSize}
        ) o ON true
      ), moved AS (
        UPDATE webhooks SET position = (SELECT max(id) FROM page)
        WHERE id = (SELECT id FROM endpoint) AND EXISTS (SELECT 1 FROM page)
      ), added AS (
        INSERT INTO webhook_deliveries (webhook_id, event_id, swap_id, created_at, state)
        SELECT ${id}, id, swap_id, ${toTimestamp(now)}, 'pending' FROM page WHERE wanted ORDER BY id
        ON CONFLICT DO NOTHING
      )
      SELECT swap_id, wanted FROM page`)
    yield* orderDeliveries(sql, id, page.filter(({ wanted }) => wanted).map(({ swap_id }) => swap_id), now)
    return page.length > 0
  })

  /** The row of a claim, until another process claims it. */
  const held = ({ id, number, owner }: Claim) => sql`id = ${id} AND claims = ${number} AND owner = ${owner}`

  const end = (claim: Claim, state: string, now: EpochMillis) =>
    sql`
      UPDATE webhook_deliveries
      SET owner = NULL, attempts = attempts + 1, next_attempt_at = NULL, state = ${state},
        ended_at = ${toTimestamp(now)}
      WHERE ${held(claim)} RETURNING id`

  const apply = (claim: Claim, verdict: Verdict, now: EpochMillis) =>
    Verdict.$match(verdict, {
      Again: ({ at }) =>
        sql`
          UPDATE webhook_deliveries
          SET owner = NULL, attempts = attempts + 1, next_attempt_at = ${toTimestamp(at)}
          WHERE ${held(claim)} RETURNING id`,
      Delivered: () => end(claim, "delivered", now),
      GivenUp: () => end(claim, "failed", now),
    })

  const record = ({ id }: Claim, { at, durationMillis, excerpt, failure, status }: Attempt) =>
    sql`
      INSERT INTO webhook_attempts (delivery_id, at, duration_millis, status, failure, excerpt)
      VALUES (${id}, ${toTimestamp(at)}, ${durationMillis}, ${status ?? null}::int,
        ${failure ?? null}::text, ${excerpt ?? null}::text)`

  const standing = (id: WebhookId, verdict: Verdict, failingSince: EpochMillis, now: EpochMillis) => {
    const since = verdict._tag === "Delivered" ? null : toTimestamp(failingSince)
    const disabled = verdict._tag === "GivenUp" ? Option.getOrNull(verdict.disable) : null
    return sql`
      UPDATE webhooks SET failing_since = ${since}::timestamptz,
        disabled_at = CASE WHEN disabled_at IS NULL AND ${disabled}::text IS NOT NULL
          THEN ${toTimestamp(now)} ELSE disabled_at END,
        disabled_reason = coalesce(disabled_reason, ${disabled}::text)
      WHERE id = ${id}`
  }

  const giveBack = (claim: Claim, until: EpochMillis) =>
    Effect.asVoid(sql`
      UPDATE webhook_deliveries SET owner = NULL, next_attempt_at = ${toTimestamp(until)}
      WHERE ${held(claim)} AND state = 'pending'`)

  return {
    /** Makes deliveries of new events, moving positions in the same transaction; the number of endpoints. */
    fanOut: Effect.fnUntraced(function* (now: EpochMillis) {
      const told = yield* Effect.forEach(yield* behind, (id) => fanOutOne(id, now))
      return told.filter((isTold) => isTold).length
    }),

    /** Claims deliveries that are due, of the accounts in turn: the fewest under way in this process first. */
    claim: transaction("claim", function* ({ now, owner, until }: Lease, shares: Shares) {
      const at = toTimestamp(now)
      // The lock is a statement of its own, so that the next statement sees all earlier claims.
      yield* sql`SELECT pg_advisory_xact_lock(${claimLock})`
      return yield* claims.all(sql`
        WITH ready AS MATERIALIZED (
          SELECT ready.id, ready.next_attempt_at, w.account_id FROM webhooks w CROSS JOIN LATERAL (
            SELECT d.id, d.next_attempt_at FROM webhook_deliveries d
            WHERE d.webhook_id = w.id AND d.next_attempt_at <= ${at}
            ORDER BY d.next_attempt_at, d.id
            LIMIT greatest(0, ${shares.mostOfEndpoint}::bigint - (
              SELECT count(*) FROM webhook_deliveries u
              WHERE u.webhook_id = w.id AND u.owner IS NOT NULL AND u.next_attempt_at > ${at}
            ))
            FOR UPDATE SKIP LOCKED
          ) ready
          WHERE w.disabled_at IS NULL
        ), own AS MATERIALIZED (
          SELECT w.account_id, count(*) AS places
          FROM webhook_deliveries u JOIN webhooks w ON w.id = u.webhook_id
          WHERE u.owner = ${owner} AND u.next_attempt_at > ${at} GROUP BY w.account_id
        ), placed AS (
          SELECT r.id, r.next_attempt_at, coalesce(own.places, 0) + row_number() OVER (
            PARTITION BY r.account_id ORDER BY r.next_attempt_at, r.id
          ) AS place
          FROM ready r LEFT JOIN own USING (account_id)
        ), due AS MATERIALIZED (
          SELECT id FROM placed WHERE place <= ${shares.mostOfAccount}
          ORDER BY place, next_attempt_at, id LIMIT ${shares.most}
        ), taken AS (
          UPDATE webhook_deliveries d
          SET owner = ${owner}, claims = claims + 1, next_attempt_at = ${toTimestamp(until)}
          FROM due WHERE d.id = due.id
          RETURNING d.*
        )
        SELECT t.id, t.webhook_id AS "webhookId", w.url, w.language, coalesce(o.type, 'webhook.test') AS type,
          t.swap_id AS "swapId", t.event_id AS "eventId", o.payload, journal.*,
          coalesce(o.created_at, t.created_at) AS at, t.attempts AS "failedAttempts", t.owner,
          t.claims AS number,
          ARRAY(
            SELECT s.secret FROM webhook_secrets s
            WHERE s.webhook_id = w.id AND (s.expires_at IS NULL OR s.expires_at > ${at})
            ORDER BY s.id DESC
          ) AS secrets
        FROM taken t JOIN webhooks w ON w.id = t.webhook_id LEFT JOIN outbox o ON o.id = t.event_id
          ${sql.literal(joinJournal)}
        ORDER BY t.id`)
    }),

    /** Records an attempt and its consequence; false if another process has claimed the delivery since. */
    attempted: transaction("attempted", function* (
      claim: Claim,
      attempt: Attempt,
      judge: (failingSince: EpochMillis) => Verdict,
    ) {
      const { swapId, webhookId } = claim
      const known = yield* failures.first(
        sql`SELECT failing_since FROM webhooks WHERE id = ${webhookId} FOR NO KEY UPDATE`,
      )
      if (Option.isNone(known)) return false
      const failingSince = known.value ?? attempt.at
      const verdict = judge(failingSince)
      if (!(yield* any(apply(claim, verdict, attempt.at)))) return false
      yield* record(claim, attempt)
      yield* standing(webhookId, verdict, failingSince, attempt.at)
      // A delivery to be tried again also waits if a replay made an earlier event pending meanwhile.
      yield* orderDeliveries(sql, webhookId, Array.fromOption(swapId), attempt.at)
      return true
    }),

    /** Takes back a claim that there is no secret to sign for, and disables the endpoint. */
    withoutSecret: op("withoutSecret", function* (claim: Claim, now: EpochMillis) {
      yield* sql`
        UPDATE webhooks SET disabled_at = ${toTimestamp(now)}, disabled_reason = 'secret_missing'
        WHERE id = ${claim.webhookId} AND disabled_at IS NULL`
      yield* giveBack(claim, now)
    }),

    /** Takes back a claim without an attempt. */
    release: op("release", giveBack),

    /** Deletes deliveries that ended before a time, at most `limit`; returns their number. */
    expire: op("expire", deleteBefore(sql, "webhook_deliveries", "ended_at")),
  }
}) {}
