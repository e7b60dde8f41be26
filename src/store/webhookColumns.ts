import { Effect, Schema } from "effect"
import { Attempt, Delivery, Webhook } from "../domain/Webhook.ts"

/** Postgres makes our records of the rows itself: what is empty is absent, and times are in milliseconds. */
const millis = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::bigint`

const record = (members: Readonly<Record<string, string>>): string =>
  `jsonb_strip_nulls(jsonb_build_object(${
    Object.entries(members).map(([name, column]) => `'${name}', ${column}`).join(", ")
  })) AS record`

/** A `Webhook`, of a row of `webhooks`. */
export const webhookRecord = record({
  id: "id",
  url: "url",
  types: "types",
  createdAt: millis("created_at"),
  enabled: "disabled_at IS NULL",
  disabledReason: "disabled_reason",
  disabledAt: millis("disabled_at"),
  failingSince: millis("failing_since"),
})

/** A `Delivery`, of a row `d` of `webhook_deliveries` with the row `o` of `outbox` where it has one. */
export const deliveryRecord = record({
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
})

/** An `Attempt`, of a row of `webhook_attempts`. */
export const attemptRecord = record({
  at: millis("at"),
  durationMillis: "duration_millis",
  status: "status",
  failure: "failure",
  excerpt: "excerpt",
})

const decoder = <A>(schema: Schema.ConstraintDecoder<A>) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ record: schema })))
  return (rows: unknown) => Effect.map(decode(rows), (all) => all.map(({ record }) => record))
}

export const decodeWebhooks = decoder(Webhook)
export const decodeDeliveries = decoder(Delivery)
export const decodeAttempts = decoder(Attempt)
