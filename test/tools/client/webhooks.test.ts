import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { WebhookRejected } from "#tools/client/typescript/errors.ts"
import { type ReceivedMessage, verifyWebhook } from "#tools/client/typescript/webhooks.ts"
import { EpochMillis } from "#domain/Time.ts"
import { newWebhookSecret } from "#domain/accounts/Webhook.ts"
import { signedHeaders } from "#application/webhooks/message.ts"

const now = 1_785_337_464_000
const [old, current, strange] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()]
const body =
  '{"type":"swap.completed","timestamp":"2026-07-29T15:04:24+00:00","data":{"id":7,"platform":"ü"}}'
const headers = signedHeaders({ id: "evt_7", body }, [old], EpochMillis.make(now))

/** What a message is refused for; undefined where it is taken. */
const faultOf = (change: Partial<ReceivedMessage>): Promise<string | undefined> =>
  verifyWebhook({ headers, body, secrets: [Redacted.value(old)], now, ...change }).then(
    () => undefined,
    (error: unknown) => error instanceof WebhookRejected ? error.reason : `${error}`,
  )

describe("messages to webhooks", () => {
  it("are taken as the service signs them, as text or bytes, from a fetch or from Node", async () => {
    const secrets = [Redacted.value(old)]
    const verified = await verifyWebhook({ headers: new Headers(headers), body, secrets, now })
    assert.strictEqual(verified.id, "evt_7")
    assert.strictEqual(verified.message.type, "swap.completed")
    assert.isUndefined(await faultOf({ body: new TextEncoder().encode(body) }))
    assert.isUndefined(
      await faultOf({
        headers: {
          "Webhook-Id": "evt_7",
          "Webhook-Timestamp": `${now / 1_000}`,
          "WEBHOOK-SIGNATURE": [headers["webhook-signature"]],
        },
      }),
    )
  })

  it("are taken while one secret replaces another, whichever the receiver has", async () => {
    const both = signedHeaders({ id: "evt_7", body }, [current, old], EpochMillis.make(now))
    assert.isUndefined(await faultOf({ headers: both }))
    assert.isUndefined(await faultOf({ headers: both, secrets: [Redacted.value(current)] }))
    assert.isUndefined(await faultOf({ secrets: [current, old].map(Redacted.value) }))
  })

  it("are refused with the secret of somebody else, or none", async () => {
    assert.strictEqual(await faultOf({ secrets: [Redacted.value(strange)] }), "wrong_signature")
    assert.strictEqual(await faultOf({ secrets: [] }), "wrong_signature")
    assert.match(await faultOf({ secrets: ["not a secret"] }) ?? "", /begins with whsec_/)
  })

  it("are refused where any byte of body, id, time or signature was changed", async () => {
    assert.strictEqual(await faultOf({ body: body.replace("7", "8") }), "wrong_signature")
    assert.strictEqual(await faultOf({ body: ` ${body}` }), "wrong_signature")
    for (const name of ["webhook-id", "webhook-timestamp"]) {
      assert.strictEqual(
        await faultOf({ headers: { ...headers, [name]: "1785337465" } }),
        "wrong_signature",
        name,
      )
    }
    const signature = headers["webhook-signature"]
    for (const other of [signature.replace("v1,", "v2,"), signature.slice(0, -1), "v1,", "v1,AAAA", "x"]) {
      assert.strictEqual(
        await faultOf({ headers: { ...headers, "webhook-signature": other } }),
        "wrong_signature",
        other,
      )
    }
  })

  it("are refused more than the tolerance before or after now", async () => {
    for (
      const [seconds, fault] of [[300, undefined], [-300, undefined], [301, "wrong_time"], [
        -301,
        "wrong_time",
      ]] as const
    ) {
      assert.strictEqual(await faultOf({ now: now + seconds * 1_000 }), fault, `${seconds}`)
    }
    assert.strictEqual(await faultOf({ now: now + 61_000, toleranceSeconds: 60 }), "wrong_time")
  })

  it("are refused without one of the headers, and where what is signed is no message", async () => {
    for (const name of Object.keys(headers)) {
      assert.strictEqual(
        await faultOf({ headers: { ...headers, [name]: undefined } }),
        "missing_header",
        name,
      )
    }
    for (const text of ["[]", "{}", "no JSON", '"text"']) {
      const signed = signedHeaders({ id: "evt_7", body: text }, [old], EpochMillis.make(now))
      assert.strictEqual(await faultOf({ headers: signed, body: text }), "unreadable", text)
    }
  })
})
