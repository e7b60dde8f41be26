import { assert, layer } from "#test/support/it.ts"
import { Effect, Layer } from "effect"
import { call } from "#test/contract/support/call.ts"
import { Chromium, withBrowser } from "#test/interfaces/dashboard/support/Chromium.ts"
import { inspect, Tabs, visitMillis } from "#test/interfaces/dashboard/support/inspect.ts"
import { seed, seededDatabases } from "#test/interfaces/dashboard/support/seed.ts"
import { broker, brokerUrl, testKey } from "#test/support/broker.ts"

/** A case file stands whole in its page, up to 256 KB of it, and letters of it may be written as several. */
const mostBytes = 500_000

const path = (id: number) => `/operator/swaps/${id}/case`

layer(Layer.provideMerge(Tabs.layer, Layer.merge(broker({}, seededDatabases), Chromium.layer)), {
  excludeTestServices: true,
})("the page of a case file", (it) => {
  for (const [name, id] of Object.entries(seed.swaps)) {
    it.effect(
      `${name}: is accessible, the same without scripts, and runs nothing of others`,
      () =>
        withBrowser(Effect.fnUntraced(function* (browser) {
          const page = yield* (yield* Tabs).of("operator", browser, Effect.undefined)
          yield* Effect.promise(() => page.setExtraHTTPHeaders({ "x-api-key": testKey }))
          assert.strictEqual(yield* inspect(page, yield* brokerUrl, path(id), `case-${name}`, mostBytes), 200)
          assert.strictEqual(
            yield* Effect.promise(() => page.innerText("h1")),
            `Case file of swap ${id}`,
          )
        })),
      visitMillis,
    )
  }

  it.effect("holds hostile texts as text only, the longest not at all", function* () {
    for (const id of [seed.swaps.hostile, seed.swaps.long]) {
      const { text } = yield* call("GET", path(id), { headers: { accept: "text/html" } })
      assert.notMatch(text, /<(?:script>|img|svg(?! viewBox)|iframe)|onerror="|\u202e|href="javascript/i)
      assert.include(text, "&lt;script&gt;canary()&lt;/script&gt;")
    }
  })
})
