import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { AlertEvent, AlertId } from "../../domain/Alert.ts"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { readableRows, Timestamp, toTimestamp, WholeNumber } from "../database/columns.ts"
import { storeOperation } from "../database/storeOperation.ts"

/** A claimed message, which no other process claims until the lease ends. */
export interface AlertMessage {
  readonly id: number
  readonly alertId: AlertId
  readonly event: AlertEvent
  /** JSON text, the same in every attempt. */
  readonly body: string
  readonly failedAttempts: number
  /** The number of the claim, which rises with each claim of the message. */
  readonly claim: number
}

const decodeMessages = readableRows(
  Schema.Struct({
    id: WholeNumber,
    alertId: WholeNumber.pipe(Schema.decodeTo(AlertId)),
    event: AlertEvent,
    body: Schema.String,
    failedAttempts: Schema.Int,
    claim: Schema.Int,
  }),
  "The operator is not told of an alert",
)
const decodeFailing = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ since: Schema.OptionFromNullOr(Timestamp) })),
)

/**
 * The messages to the operator that are still to be delivered. A claim is a lease: if the process ends, the message is
 * claimed again when the lease is over, so it arrives at least once. The message about an alert's end waits for the one
 * about its beginning.
 */
export class AlertMessagesRepo extends Context.Service<AlertMessagesRepo, {
  /** Claims messages that are due, the oldest first, at most `most`. */
  readonly claim: (
    lease: { readonly now: EpochMillis; readonly until: EpochMillis },
    most: number,
  ) => Effect.Effect<ReadonlyArray<AlertMessage>, StoreUnavailable>
  /** Records an attempt: the message is tried again at `next`, or is done with. Nothing if it was claimed since. */
  readonly attempted: (
    message: AlertMessage,
    next: Option.Option<EpochMillis>,
  ) => Effect.Effect<void, StoreUnavailable>
  /** Since when the oldest message waits that was tried in vain; none if there is no such message. */
  readonly failingSince: Effect.Effect<Option.Option<EpochMillis>, StoreUnavailable>
}>()("swap-broker/store/AlertMessagesRepo") {
  static readonly layer = Layer.effect(
    AlertMessagesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const claim: AlertMessagesRepo["Service"]["claim"] = ({ now, until }, most) =>
        sql`
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
          RETURNING m.id, alert_id AS "alertId", event, body, attempts AS "failedAttempts", claims AS claim`
          .pipe(
            Effect.flatMap(decodeMessages),
            storeOperation("AlertMessages.claim"),
          )

      const attempted = ({ claim, id }: AlertMessage, next: Option.Option<EpochMillis>) =>
        sql`
          UPDATE alert_messages SET attempts = attempts + 1,
            next_attempt_at = ${Option.getOrNull(Option.map(next, toTimestamp))}::timestamptz
          WHERE id = ${id} AND claims = ${claim} AND next_attempt_at IS NOT NULL`.pipe(
          Effect.asVoid,
          storeOperation("AlertMessages.attempted"),
        )

      const failingSince = sql`
        SELECT min(created_at) AS since FROM alert_messages WHERE next_attempt_at IS NOT NULL AND attempts > 0`
        .pipe(
          Effect.flatMap(decodeFailing),
          Effect.map(([row]) => Option.flatMap(Option.fromUndefinedOr(row), ({ since }) => since)),
          storeOperation("AlertMessages.failingSince"),
        )

      return AlertMessagesRepo.of({ claim, attempted, failingSince })
    }),
  )
}
