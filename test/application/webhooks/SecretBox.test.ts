import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Exit, Option, Redacted } from "effect"
import { newWebhookSecret, WebhookId } from "#domain/accounts/Webhook.ts"
import { EncryptionKey, SecretBox } from "#application/webhooks/SecretBox.ts"

const id = WebhookId.make("whk_aaaaaaaaaaaaaaaa")
const other = WebhookId.make("whk_bbbbbbbbbbbbbbbb")
const newKey = () =>
  Option.some(Redacted.make(EncryptionKey.make(crypto.getRandomValues(new Uint8Array(32)).toBase64())))
const boxOf = (key: ReturnType<typeof newKey>) => Effect.provide(SecretBox, SecretBox.layer(key))
const withoutKey = Effect.provide(SecretBox, SecretBox.layer(Option.none()))

describe("how secrets are kept", () => {
  const secret = newWebhookSecret()
  const key = newKey()

  it.effect("is encrypted where there is a key, each time otherwise", function* () {
    const box = yield* boxOf(key)
    const kept = box.keep(id, secret)
    assert.notInclude(kept, "whsec_")
    assert.notInclude(kept, Redacted.value(secret).slice(6))
    assert.notStrictEqual(kept, box.keep(id, secret))
    assert.strictEqual(Redacted.value(yield* box.read(id, kept)), Redacted.value(secret))
  })

  it.effect("can be read by nobody else: with another key, of another endpoint, altered, or without a key", function* () {
    const box = yield* boxOf(key)
    const kept = box.keep(id, secret)
    const altered = `${kept.slice(0, -6)}AAAAA=`
    const readings = [
      (yield* boxOf(newKey())).read(id, kept),
      box.read(other, kept),
      box.read(id, altered),
      box.read(id, "aes256gcm:"),
      (yield* withoutKey).read(id, kept),
    ]
    for (const reading of readings) assert.isTrue(Exit.isFailure(yield* Effect.exit(reading)))
  })

  it.effect("is as they are without a key, which a key that comes later can read", function* () {
    const kept = (yield* withoutKey).keep(id, secret)
    assert.strictEqual(kept, Redacted.value(secret))
    assert.strictEqual(Redacted.value(yield* (yield* boxOf(key)).read(id, kept)), kept)
  })
})
