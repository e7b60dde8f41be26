import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { call } from "#test/contract/support/call.ts"
import { inlined } from "#test/contract/support/inlined.ts"
import { broker, brokerUrl, testKey } from "#test/support/broker.ts"
import { pageSamples } from "./support/pageSamples.ts"
import { isRefused, runSamples } from "./support/runSamples.ts"

/** Nobody listens there: what is shown is that a webhook is made and tried, not that it is taken. */
const webhookUrl = "http://127.0.0.1:1025/webhooks"

layer(broker(), { excludeTestServices: true })("the samples of the page", (it) => {
  it.effect("all succeed in a sandbox, with a key", function* () {
    const url = yield* brokerUrl
    const document = inlined((yield* call("GET", "/docs/try/document.json")).body)
    const ran = yield* Effect.promise(() => runSamples(document, { url, key: testKey, webhookUrl }))
    assert.strictEqual(ran.length, pageSamples(document).length)
    assert.isAbove(ran.length, 60)
    const refused = ran.filter(isRefused).map(({ sample: { operationId }, status, text }) =>
      `${operationId} ${status} ${text}`
    )
    assert.deepStrictEqual(refused, [])
  })
})
