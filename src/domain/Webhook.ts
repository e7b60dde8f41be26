import { Redacted, Schema } from "effect"
import { SwapEventId, SwapEventType } from "./SwapEvent.ts"
import { SwapRecordId } from "./SwapRecord.ts"
import { EpochMillis } from "./Time.ts"

const optional = Schema.optionalKey

/** Names an endpoint: `whk_` and 16 characters of base32. */
export const WebhookId = Schema.String.check(Schema.isPattern(/^whk_[a-z2-7]{16}$/)).pipe(
  Schema.brand("WebhookId"),
)
export type WebhookId = typeof WebhookId.Type

/** Types of events that an endpoint wants, each once. */
export const WantedTypes = Schema.NonEmptyArray(SwapEventType).check(Schema.isUnique())
export type WantedTypes = typeof WantedTypes.Type

/**
 * Why an endpoint is told of nothing at present: somebody asked for that; it answered 410; everything failed for
 * days; or there is no secret to sign with, as after an import, which brings none.
 */
export const DisabledReason = Schema.Literals(["asked", "gone", "failing", "secret_missing"])
export type DisabledReason = typeof DisabledReason.Type

/** A URL of an account that is told of its events. */
export const Webhook = Schema.Struct({
  id: WebhookId,
  url: Schema.String,
  /** Absent: all types. */
  types: optional(WantedTypes),
  createdAt: EpochMillis,
  enabled: Schema.Boolean,
  disabledReason: optional(DisabledReason),
  disabledAt: optional(EpochMillis),
  /** Since when every attempt has failed. */
  failingSince: optional(EpochMillis),
})
export type Webhook = typeof Webhook.Type

/** The number of a delivery: later ones have higher ones. */
export const DeliveryId = Schema.Int.check(Schema.isGreaterThan(0)).pipe(Schema.brand("DeliveryId"))
export type DeliveryId = typeof DeliveryId.Type

/** Still to be delivered, delivered, or given up. */
export const DeliveryState = Schema.Literals(["pending", "delivered", "failed"])
export type DeliveryState = typeof DeliveryState.Type

/** What a test is called where events have their type. */
export const testType = "webhook.test"

/** The type of a message: that of its event, or that of a test. */
export const MessageType = Schema.Literals([...SwapEventType.literals, testType])
export type MessageType = typeof MessageType.Type

/** One message to one endpoint: of an event, or a test. */
export const Delivery = Schema.Struct({
  id: DeliveryId,
  /** The header `webhook-id`: of an event the same at every endpoint and every time. */
  messageId: Schema.String,
  type: MessageType,
  eventId: optional(SwapEventId),
  swapId: optional(SwapRecordId),
  state: DeliveryState,
  createdAt: EpochMillis,
  /** Attempts since it was made, or replayed. */
  attempts: Schema.Int,
  /** Absent also of a pending one that waits for an earlier one of its swap. */
  nextAttemptAt: optional(EpochMillis),
  /** When it was delivered or given up. */
  endedAt: optional(EpochMillis),
})
export type Delivery = typeof Delivery.Type

/** Why no whole answer came. */
export const AttemptFailure = Schema.Literals([
  "name_unresolved",
  "address_forbidden",
  "unreachable",
  "certificate_invalid",
  "timeout",
  "answer_broken",
])
export type AttemptFailure = typeof AttemptFailure.Type

/** One attempt of a delivery: what the endpoint answered, or why it did not. */
export const Attempt = Schema.Struct({
  at: EpochMillis,
  durationMillis: Schema.Int,
  /** The status of the answer. */
  status: optional(Schema.Int),
  failure: optional(AttemptFailure),
  /** The beginning of the answer's body. */
  excerpt: optional(Schema.String),
})
export type Attempt = typeof Attempt.Type

/** The id of the message of an event: receivers tell by it what they have seen already. */
export const messageIdOfEvent = (event: SwapEventId): string => `evt_${event}`

/** The id of the message of a test. */
export const messageIdOfTest = (delivery: DeliveryId): string => `test_${delivery}`

const prefix = "whsec_"
const form = /^whsec_([A-Za-z0-9+/]+={0,2})$/

/** How many random bytes a secret has: Standard Webhooks asks for 24 to 64. */
const byteCount = 32
const fewestBytes = 24
const mostBytes = 64

/** The bytes of a secret as it is written; nothing where it is none. */
const bytesOf = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  const [, encoded] = form.exec(text) ?? []
  if (encoded === undefined || encoded.length % 4 !== 0) return undefined
  const bytes = Uint8Array.fromBase64(encoded)
  return bytes.length >= fewestBytes && bytes.length <= mostBytes ? bytes : undefined
}

const WrittenSecret = Schema.String.check(
  Schema.makeFilter((text) => bytesOf(text) !== undefined),
).pipe(Schema.brand("WebhookSecret"))

/**
 * What the messages to one endpoint are signed with, after Standard Webhooks 1.0: `whsec_` and 24 to 64 random
 * bytes in base64. Never shown by accident.
 */
export const WebhookSecret = Schema.RedactedFromValue(WrittenSecret)
export type WebhookSecret = typeof WebhookSecret.Type

const redactWritten = Schema.decodeSync(WebhookSecret)

/** A secret that nobody has yet. */
export const newWebhookSecret = (): WebhookSecret =>
  redactWritten(`${prefix}${crypto.getRandomValues(new Uint8Array(byteCount)).toBase64()}`)

/** The bytes that sign. */
export const signingKey = (secret: WebhookSecret): Uint8Array<ArrayBuffer> =>
  bytesOf(Redacted.value(secret)) ?? new Uint8Array()
