import { assert } from "@effect/vitest"
import { eventually } from "#test/durability/eventually.ts"
import { call, withOwnBroker } from "./support/call.ts"
import { integerAt, textAt } from "./support/Json.ts"
import { pathOf, payloadKinds, payloadParameters } from "./support/payloads.ts"
import { assertFailure } from "./support/problem.ts"

withOwnBroker({ CHAINFLIP_PAYLOAD_LIFETIME: "1 second" })("a payload that has gone stale", (it) => {
  for (const kind of payloadKinds) {
    it.effect(`${kind}: is not given again under its Idempotency-Key, but answered with 410`, function* () {
      const under = (key: string) =>
        call("GET", pathOf(kind), { query: payloadParameters(kind), headers: { "idempotency-key": key } })
      const key = crypto.randomUUID()
      const first = yield* under(key)
      assert.strictEqual(first.status, 200, first.text)
      const stale = yield* eventually(under(key), ({ status }) => status !== 200)
      assertFailure(stale, 410)
      assert.isAtLeast(Date.now(), integerAt(first.body, "expiresAt"))
      assert.strictEqual(
        textAt(stale.body, "type"),
        "https://tools.ietf.org/html/rfc9110#section-15.5.11",
      )
      assertFailure(yield* under(key), 410)
      const anew = yield* under(crypto.randomUUID())
      assert.strictEqual(anew.status, 200)
      assert.isAbove(integerAt(anew.body, "expiresAt"), integerAt(first.body, "expiresAt"))
    })
  }
})
