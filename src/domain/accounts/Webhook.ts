import { Redacted, Schema } from "effect"
import { SwapEventId, SwapEventType } from "../swaps/SwapEvent.ts"
import { SwapRecordId } from "../swaps/SwapRecord.ts"
import { Language } from "../Language.ts"
import { EpochMillis } from "../Time.ts"
import { optional } from "../optional.ts"
import { AccountName } from "./Account.ts"

/** The id of an endpoint: `whk_` and 16 characters of base32. */
export const WebhookId = Schema.String.check(Schema.isPattern(/^whk_[a-z2-7]{16}$/)).pipe(
  Schema.brand("WebhookId"),
)
export type WebhookId = typeof WebhookId.Type

/** The types of events that an endpoint wants, each once. */
export const WantedTypes = Schema.NonEmptyArray(SwapEventType).check(Schema.isUnique())
export type WantedTypes = typeof WantedTypes.Type

/** Why an endpoint is disabled: on request, by a 410, failing for days, or unsigned after an import. */
export const DisabledReason = Schema.Literals(["asked", "gone", "failing", "secret_missing"])
export type DisabledReason = typeof DisabledReason.Type

/** An endpoint: a URL of an account that its events are sent to. */
export const Webhook = Schema.Struct({
  id: WebhookId,
  url: Schema.String,
  /** The language that messages explain swaps in. */
  language: Language,
  /** Absent: all types. */
  types: optional(WantedTypes),
  createdAt: EpochMillis,
  enabled: Schema.Boolean,
  disabledReason: optional(DisabledReason),
  disabledAt: optional(EpochMillis),
  /** The time since which every attempt has failed. */
  failingSince: optional(EpochMillis),
})
export type Webhook = typeof Webhook.Type

/** The number of a delivery; later deliveries have higher numbers. */
export const DeliveryId = Schema.Int.check(Schema.isGreaterThan(0)).pipe(Schema.brand("DeliveryId"))
export type DeliveryId = typeof DeliveryId.Type

export const DeliveryState = Schema.Literals(["pending", "delivered", "failed"])
export type DeliveryState = typeof DeliveryState.Type

/** The type of a test message, where events have their own. */
export const testType = "webhook.test"

/** Which events of a range are sent again: all of them, or those that have not arrived. */
export const Replayed = Schema.Literals(["all", "undelivered"])
export type Replayed = typeof Replayed.Type

/** The type of a message: its event's type, or that of a test. */
export const MessageType = Schema.Literals([...SwapEventType.literals, testType])
export type MessageType = typeof MessageType.Type

/** One message to one endpoint, about an event or as a test. */
export const Delivery = Schema.Struct({
  id: DeliveryId,
  /** The header `webhook-id`; an event's id is the same at every endpoint and in every attempt. */
  messageId: Schema.String,
  type: MessageType,
  eventId: optional(SwapEventId),
  swapId: optional(SwapRecordId),
  state: DeliveryState,
  createdAt: EpochMillis,
  /** Attempts since the delivery was made or replayed. */
  attempts: Schema.Int,
  /** Absent once the delivery has ended, and while it waits for an earlier one of its swap. */
  nextAttemptAt: optional(EpochMillis),
  /** The time at which the message was delivered or given up. */
  endedAt: optional(EpochMillis),
})
export type Delivery = typeof Delivery.Type

/** A delivery about a swap, with the endpoint that it goes to. */
export const SwapDelivery = Schema.Struct({ ...Delivery.fields, account: AccountName, webhookId: WebhookId })
export type SwapDelivery = typeof SwapDelivery.Type

/** Why no complete answer came. */
export const AttemptFailure = Schema.Literals([
  "name_unresolved",
  "address_forbidden",
  "unreachable",
  "certificate_invalid",
  "timeout",
  "answer_broken",
])
export type AttemptFailure = typeof AttemptFailure.Type

/** One attempt of a delivery: the endpoint's answer, or why there was none. */
export const Attempt = Schema.Struct({
  at: EpochMillis,
  durationMillis: Schema.Int,
  /** The HTTP status of the answer. */
  status: optional(Schema.Int),
  failure: optional(AttemptFailure),
  /** The beginning of the answer's body. */
  excerpt: optional(Schema.String),
})
export type Attempt = typeof Attempt.Type

/** Messages of an hour, by what became of them until now. */
export const DeliveriesOfHour = Schema.Struct({
  at: EpochMillis,
  delivered: Schema.Int,
  pending: Schema.Int,
  failed: Schema.Int,
})
export type DeliveriesOfHour = typeof DeliveriesOfHour.Type

/** How an endpoint fares. */
export const DeliverySummary = Schema.Struct({
  /** Messages that are pending, however old. */
  waiting: Schema.Int,
  oldestWaitingAt: optional(EpochMillis),
  nextAttemptAt: optional(EpochMillis),
  lastDeliveredAt: optional(EpochMillis),
  /** The latest attempt, and the message that it was of. */
  latest: optional(Schema.Struct({ delivery: DeliveryId, messageId: Schema.String, attempt: Attempt })),
  /** The hours of a time in which messages were made, the earliest first. */
  hours: Schema.Array(DeliveriesOfHour),
})
export type DeliverySummary = typeof DeliverySummary.Type

/** How an endpoint fares, for a list of many. */
export const DeliveryStanding = Schema.Struct({
  webhook: WebhookId,
  /** Messages that are pending, however old. */
  waiting: Schema.Int,
  nextAttemptAt: optional(EpochMillis),
  latest: optional(Attempt),
})
export type DeliveryStanding = typeof DeliveryStanding.Type

/** The message id of an event, by which receivers recognise repeated messages. */
export const messageIdOfEvent = (event: SwapEventId): string => `evt_${event}`

export const messageIdOfTest = (delivery: DeliveryId): string => `test_${delivery}`

const prefix = "whsec_"
const form = /^whsec_([A-Za-z0-9+/]+={0,2})$/

/** The number of random bytes in a new secret; Standard Webhooks asks for 24 to 64. */
const byteCount = 32
const fewestBytes = 24
const mostBytes = 64

/** The bytes of a secret in text; undefined where the text is no secret. */
const bytesOf = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  const [, encoded] = form.exec(text) ?? []
  if (encoded === undefined || encoded.length % 4 !== 0) return undefined
  const bytes = Uint8Array.fromBase64(encoded)
  return bytes.length >= fewestBytes && bytes.length <= mostBytes ? bytes : undefined
}

const WrittenSecret = Schema.String.check(
  Schema.makeFilter((text) => bytesOf(text) !== undefined),
).pipe(Schema.brand("WebhookSecret"))

/** An endpoint's signing secret (Standard Webhooks 1.0): `whsec_` and 24 to 64 bytes in base64. */
export const WebhookSecret = Schema.RedactedFromValue(WrittenSecret)
export type WebhookSecret = typeof WebhookSecret.Type

const redactWritten = Schema.decodeSync(WebhookSecret)

export const newWebhookSecret = (): WebhookSecret =>
  redactWritten(`${prefix}${crypto.getRandomValues(new Uint8Array(byteCount)).toBase64()}`)

/** The bytes of the secret, with which messages are signed. */
export const signingKey = (secret: WebhookSecret): Uint8Array<ArrayBuffer> =>
  bytesOf(Redacted.value(secret)) ?? new Uint8Array()
