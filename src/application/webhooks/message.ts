import { Option } from "effect"
import { createHmac } from "node:crypto"
import type { EpochMillis } from "#domain/Time.ts"
import { signingKey, type WebhookId, type WebhookSecret } from "#domain/accounts/Webhook.ts"
import { bodyOf } from "../events/eventBody.ts"

/** A message to an endpoint, before it is signed. */
export interface Message {
  readonly id: string
  /** JSON text, signed and sent as it is. */
  readonly body: string
}

/** What the message of a delivery is made of. */
export interface MessageSource {
  readonly type: string
  readonly at: EpochMillis
  /** The swap of an event, as JSON text; a test has none. */
  readonly payload: Option.Option<string>
  readonly webhookId: WebhookId
}

export const messageBody = ({ at, payload, type, webhookId }: MessageSource): string =>
  bodyOf(type, at, Option.getOrElse(payload, () => JSON.stringify({ webhookId })))

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
