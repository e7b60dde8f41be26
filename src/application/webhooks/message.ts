import { Effect, Option } from "effect"
import { createHmac } from "node:crypto"
import type { Language } from "#domain/Language.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { signingKey, type WebhookId, type WebhookSecret } from "#domain/accounts/Webhook.ts"
import { bodyOf, eventBody, type EventSource } from "../events/eventBody.ts"
import type { Guide } from "../guidance/Guide.ts"

/** A message to an endpoint, before it is signed. */
export interface Message {
  readonly id: string
  /** JSON text, signed and sent as it is. */
  readonly body: string
}

/** What the message of a delivery is made of. */
export interface MessageSource extends Omit<EventSource, "payload"> {
  /** The swap of an event, as JSON text; a test has none. */
  readonly payload: Option.Option<string>
  readonly language: Language
  readonly webhookId: WebhookId
}

export const messageBody = (
  guide: Guide["Service"],
  { language, payload, webhookId, ...event }: MessageSource,
): Effect.Effect<string> =>
  Option.match(payload, {
    onNone: () => Effect.succeed(bodyOf(event.type, event.at, JSON.stringify({ webhookId }))),
    onSome: (payload) => eventBody(guide, { ...event, payload }, language),
  })

const signatureOf = (text: string, secret: WebhookSecret): string =>
  `v1,${createHmac("sha256", signingKey(secret)).update(text).digest("base64")}`

/** The headers that prove a message (Standard Webhooks 1.0). Each secret signs: receivers need to check only one. */
export const signedHeaders = (
  { id, body }: Message,
  secrets: ReadonlyArray<WebhookSecret>,
  now: EpochMillis,
) => {
  const timestamp = Math.floor(now / 1_000)
  const text = `${id}.${timestamp}.${body}`
  return {
    "webhook-id": id,
    "webhook-timestamp": `${timestamp}`,
    "webhook-signature": secrets.map((secret) => signatureOf(text, secret)).join(" "),
  }
}
