import { Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { Buffer } from "node:buffer"
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto"
import { type WebhookId, WebhookSecret } from "#domain/accounts/Webhook.ts"

/** The setting `WEBHOOK_ENCRYPTION_KEY`: 32 bytes in base64. */
export const EncryptionKey = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9+/]{43}=$/),
).pipe(Schema.brand("EncryptionKey"))
export type EncryptionKey = typeof EncryptionKey.Type

/** A secret is kept encrypted, and its key is missing or a different one. */
export class SecretUnreadable extends Schema.TaggedError<SecretUnreadable>()("SecretUnreadable", {}) {
  override get message(): string {
    return "A webhook's secret cannot be decrypted: set WEBHOOK_ENCRYPTION_KEY to the key that it was kept under"
  }
}

/** What tells an encryption key apart from others and reveals nothing of it: its bytes are random. */
export const fingerprintOf = (key: Redacted.Redacted<EncryptionKey>): string =>
  createHash("sha256").update(Buffer.from(Redacted.value(key), "base64")).digest("hex").slice(0, 16)

const cipherName = "aes-256-gcm"
const prefix = "aes256gcm:"
const nonceByteCount = 12
const tagByteCount = 16

const decodeSecret = Schema.decodeEffect(WebhookSecret)

const encrypt = (key: Buffer, id: WebhookId, text: string): string => {
  const nonce = randomBytes(nonceByteCount)
  const cipher = createCipheriv(cipherName, key, nonce).setAAD(Buffer.from(id))
  const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
  return `${prefix}${Buffer.concat([nonce, encrypted, cipher.getAuthTag()]).toString("base64")}`
}

const decrypt = (key: Buffer, id: WebhookId, kept: string): string => {
  const bytes = Buffer.from(kept.slice(prefix.length), "base64")
  const decipher = createDecipheriv(cipherName, key, bytes.subarray(0, nonceByteCount))
    .setAAD(Buffer.from(id))
    .setAuthTag(bytes.subarray(-tagByteCount))
  const encrypted = bytes.subarray(nonceByteCount, -tagByteCount)
  return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString("utf8")
}

/** Stores webhook secrets, encrypted with a key (AES-256-GCM, bound to their endpoint), else plain. */
export class SecretBox extends Context.Service<SecretBox, {
  /** The form of a secret in the database. */
  readonly keep: (id: WebhookId, secret: WebhookSecret) => string
  readonly read: (id: WebhookId, kept: string) => Effect.Effect<WebhookSecret, SecretUnreadable>
}>()("swap-broker/webhooks/SecretBox") {
  static readonly layer = (key: Option.Option<Redacted.Redacted<EncryptionKey>>): Layer.Layer<SecretBox> => {
    const bytes = Option.map(key, (text) => Buffer.from(Redacted.value(text), "base64"))

    const open = (id: WebhookId, kept: string): Effect.Effect<string, SecretUnreadable> => {
      if (!kept.startsWith(prefix)) return Effect.succeed(kept)
      return Option.match(bytes, {
        onNone: () => Effect.fail(new SecretUnreadable()),
        onSome: (key) =>
          Effect.try({ try: () => decrypt(key, id, kept), catch: () => new SecretUnreadable() }),
      })
    }

    return Layer.succeed(SecretBox, {
      keep: (id, secret) =>
        Option.match(bytes, {
          onNone: () => Redacted.value(secret),
          onSome: (key) => encrypt(key, id, Redacted.value(secret)),
        }),
      read: (id, kept) =>
        Effect.flatMap(
          open(id, kept),
          (text) => Effect.mapError(decodeSecret(text), () => new SecretUnreadable()),
        ),
    })
  }
}
