import { createHmac } from "node:crypto"
import type { EpochMillis } from "#domain/Time.ts"
import { signingKey, type WebhookSecret } from "#domain/accounts/Webhook.ts"

/** A message to an endpoint, before it is signed. */
export interface Message {
  readonly id: string
  /** JSON text, signed and sent as it is. */
  readonly body: string
}

const signatureOf = (text: string, secret: WebhookSecret): string =>
  `v1,${createHmac("sha256", signingKey(secret)).update(text).digest("base64")}`

/**
 * The headers by which a receiver knows that a message is ours and recent (Standard Webhooks 1.0). Each secret signs.
 * While one secret replaces another there are two signatures, and a receiver needs only the one that it can check.
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
