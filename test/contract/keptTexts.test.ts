import { assert } from "@effect/vitest"
import { testKey } from "#test/support/broker.ts"
import { call, withBroker } from "./support/call.ts"
import { issue, newAccount } from "./support/operator.ts"
import { assertFailure, faultyParameters } from "./support/problem.ts"
import { swapParameters } from "./support/swaps.ts"

withBroker()("an API key in a text that is kept (decision 1)", (it) => {
  it.effect("is refused as a label, a reason, an Idempotency-Key or in the URL of a webhook, the caller's own and any of ours", function* () {
    const account = yield* newAccount()
    const { key } = yield* issue(account)
    for (const text of [testKey, `key of ${testKey}`, key, `${key} is its key`]) {
      const label = yield* call("POST", `/operator/accounts/${account}/keys`, { body: { label: text } })
      const reason = yield* call("POST", "/providers/chainflip/switch", {
        body: { enabled: true, reason: text },
      })
      const idempotencyKey = yield* call("GET", "/swap", {
        query: swapParameters(),
        headers: { "idempotency-key": text },
      })
      const url = yield* call("POST", "/webhooks", {
        body: { url: `https://example.com/${text.replaceAll(" ", "-")}?apiKey=${key}` },
      })
      const answers = [
        [label, "label"],
        [reason, "reason"],
        [idempotencyKey, "Idempotency-Key"],
        [url, "url"],
      ] as const
      for (const [answer, parameter] of answers) {
        assertFailure(answer, 400)
        assert.deepStrictEqual(faultyParameters(answer), [parameter])
        assert.notInclude(answer.text, key)
      }
    }
  })

  it.effect("is none where it is a public id, or cut off", function* () {
    const account = yield* newAccount()
    const { id, key } = yield* issue(account)
    for (const text of [id, key.slice(0, -1), "sbk_"]) yield* issue(account, { label: text })
  })
})

/** Characters that no row can hold, as JSON and as they stand in a query. */
const unstorable = [["\0", "%00"], ["\ud800", "%ED%A0%80"], ["\udc00", "%ED%B0%80"]] as const

withBroker()("A character that cannot be stored", (it) => {
  it.effect("is refused, or stands for nothing, in whatever a caller sends", function* () {
    const account = yield* newAccount()
    for (const [character, encoded] of unstorable) {
      const text = `a${character}b`
      const asked = swapParameters()
      const answers = [
        yield* call("POST", `/operator/accounts/${account}/keys`, { body: { label: text } }),
        yield* call("POST", "/operator/accounts", { body: { name: text } }),
        yield* call("POST", "/providers/chainflip/switch", { body: { enabled: true, reason: text } }),
        yield* call("POST", "/webhooks", { body: { url: `https://example.com/${text}` } }),
        yield* call("POST", "/swap", { body: { ...asked, destinationAddress: text } }),
        yield* call("POST", "/swap", { body: { ...asked, refundAddress: text } }),
        yield* call("POST", "/swap", { body: { ...asked, ccmPayload: { gasBudget: "1", message: text } } }),
        yield* call("GET", `/status-by-transaction-hash?transactionHash=${encoded}`),
        yield* call("GET", `/status-by-transaction-hash?transactionHash=${"a".repeat(43)}${encoded}`),
        yield* call("GET", `/swaps?platform=${encoded}`),
        yield* call("GET", `/operator/accounts/${encoded}/keys`),
      ]
      for (const { status, text: body } of answers) assert.isBelow(status, 500, body)
    }
  })
})
