import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { Webhook } from "standardwebhooks"
import { EpochMillis } from "#domain/Time.ts"
import { newWebhookSecret, signingKey } from "#domain/accounts/Webhook.ts"
import { bodyOf } from "#application/events/eventBody.ts"
import { signedHeaders } from "#application/webhooks/message.ts"

const now = EpochMillis.make(Date.now())
const secret = newWebhookSecret()
const body = bodyOf("swap.completed", EpochMillis.make(1_000), '{"price":8.439758519449979758}')
const headers = signedHeaders({ id: "evt_7", body }, [secret], now)

const verifierOf = (one: typeof secret) => new Webhook(Redacted.value(one))

describe("a signed message", () => {
  it("verifies with the package of Standard Webhooks", () => {
    assert.doesNotThrow(() => verifierOf(secret).verify(body, headers))
    assert.deepInclude(headers, { "webhook-id": "evt_7", "webhook-timestamp": `${Math.floor(now / 1_000)}` })
  })

  it("does not verify with another secret, body, id or time", () => {
    const wrong = [
      [newWebhookSecret(), body, headers],
      [secret, `${body} `, headers],
      [secret, body, { ...headers, "webhook-id": "evt_8" }],
      [secret, body, { ...headers, "webhook-timestamp": `${Math.floor(now / 1_000) - 1}` }],
    ] as const
    for (const [one, text, heads] of wrong) assert.throws(() => verifierOf(one).verify(text, heads))
  })

  it("verifies with each of its secrets while one replaces another", () => {
    const next = newWebhookSecret()
    const both = signedHeaders({ id: "evt_7", body }, [next, secret], now)
    assert.doesNotThrow(() => verifierOf(secret).verify(body, both))
    assert.doesNotThrow(() => verifierOf(next).verify(body, both))
    assert.throws(() => verifierOf(newWebhookSecret()).verify(body, both))
  })

  it("has its data digit for digit", () => {
    assert.strictEqual(
      body,
      '{"type":"swap.completed","timestamp":"1970-01-01T00:00:01+00:00","data":{"price":8.439758519449979758}}',
    )
  })

  it("has a secret of 32 random bytes, which nothing prints", () => {
    assert.match(Redacted.value(secret), /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.strictEqual(signingKey(secret).length, 32)
    assert.notInclude(`${secret} ${JSON.stringify({ secret })}`, "whsec_")
    assert.notStrictEqual(Redacted.value(secret), Redacted.value(newWebhookSecret()))
  })
})
