import { createHmac } from "node:crypto"
import type { EpochMillis } from "../domain/Time.ts"
import { signingKey, type WebhookSecret } from "../domain/Webhook.ts"

/** What an endpoint is told, before it is signed. */
export interface Message {
  readonly id: string
  /** JSON text, signed and sent as it is. */
  readonly body: string
}

const signatureOf = (text: string, secret: WebhookSecret): string =>
  `v1,${createHmac("sha256", signingKey(secret)).update(text).digest("base64")}`

/**
 * The headers by which a receiver knows that a message is ours and new (Standard Webhooks 1.0). Each secret
 * signs; while one replaces another there are two, and a receiver needs only the one that it knows.
 */
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
