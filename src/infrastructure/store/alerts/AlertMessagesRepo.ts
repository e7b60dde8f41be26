import { Effect, type Option, Schema } from "effect"
import { AlertEvent, AlertId } from "#domain/operations/Alert.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { idOf, Timestamp, toNullable, toTimestamp, WholeNumber } from "../database/columns.ts"
import { column, readable, repository } from "../database/repository.ts"

/** A claimed message, which no other process claims until the lease ends. */
const AlertMessage = Schema.Struct({
  id: WholeNumber,
  alertId: idOf(AlertId),
  event: AlertEvent,
  /** JSON text, the same in every attempt. */
  body: Schema.String,
  failedAttempts: Schema.Int,
  /** The number of the claim, which rises with each claim of the message. */
  claim: Schema.Int,
})
export type AlertMessage = typeof AlertMessage.Type

const messages = readable(AlertMessage, "The operator is not told of an alert")
const times = column(Schema.OptionFromNullOr(Timestamp))

/** Messages to the operator, claimed by lease: each arrives at least once, an end after its beginning. */
export class AlertMessagesRepo extends repository<AlertMessagesRepo>()("AlertMessages", ({ op, sql }) => ({
  /** Claims messages that are due, the oldest first, at most `most`. */
  claim: op("claim", (
    { now, until }: { readonly now: EpochMillis; readonly until: EpochMillis },
    most: number,
  ) =>
    messages.all(sql`
      WITH due AS MATERIALIZED (
        SELECT id FROM alert_messages m WHERE next_attempt_at <= ${toTimestamp(now)}
          AND NOT EXISTS (
            SELECT 1 FROM alert_messages earlier WHERE earlier.alert_id = m.alert_id AND earlier.id < m.id
              AND earlier.next_attempt_at IS NOT NULL
          )
        ORDER BY id LIMIT ${most}
        FOR UPDATE SKIP LOCKED
      )
      UPDATE alert_messages m SET next_attempt_at = ${toTimestamp(until)}, claims = claims + 1
      FROM due WHERE m.id = due.id
      RETURNING m.id, alert_id AS "alertId", event, body, attempts AS "failedAttempts", claims AS claim`)),

  /** Records an attempt: the message is tried again at `next`, or is done with. Nothing if it was claimed since. */
  attempted: op(
    "attempted",
    ({ claim, id }: AlertMessage, next: Option.Option<EpochMillis>) =>
      Effect.asVoid(sql`
        UPDATE alert_messages SET attempts = attempts + 1,
          next_attempt_at = ${toNullable(next)}::timestamptz
        WHERE id = ${id} AND claims = ${claim} AND next_attempt_at IS NOT NULL`),
  ),

  /** Since when the oldest message waits that was tried in vain; none if there is no such message. */
  failingSince: op(
    "failingSince",
    times.only(sql`
      SELECT min(created_at) AS since FROM alert_messages WHERE next_attempt_at IS NOT NULL AND attempts > 0`),
  ),
})) {}
