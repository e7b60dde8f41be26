import { Redacted, Schema } from "effect"

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
