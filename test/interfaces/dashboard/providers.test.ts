import { assert, layer } from "#test/support/it.ts"
import { Effect, Schedule } from "effect"
import { call } from "#test/contract/support/call.ts"
import { during } from "#test/contract/support/swaps.ts"
import { brokerInProcess } from "#test/support/broker.ts"
import { pageAt } from "./support/pageAt.ts"

const quote = (platform: string, amount: string) =>
  call("GET", "/quotes", {
    query: { sourceAsset: "eth.eth", destinationAsset: "usdc.arb", amount, platform },
  })

const settings = {
  CIRCUIT_MINIMUM_CALLS: "3",
  QUOTE_CACHE_TTL: "1 millis",
  ALERT_INTERVAL: "1 second",
  ALERT_AFTER: "0 seconds",
}

layer(brokerInProcess(settings), { excludeTestServices: true })("the pages of providers", (it) => {
  it.effect("say of each how it is, by the name that people call it, with nothing to look at first", function* () {
    const { html, said } = yield* pageAt("/dashboard/providers")
    for (const name of ["Chainflip", "NEAR Intents", "Relay", "THORChain", "Maya Protocol"]) {
      assert.include(said, name)
    }
    assert.include(said, "5 enabled · 5 up")
    assert.notInclude(html, 'class="note bad"')
  })

  it.effect("begin with the one that is down, why, and the button that takes it out", function* () {
    yield* during(
      { provider: "relay", kind: "http_500" },
      Effect.gen(function* () {
        for (const amount of ["1", "1.1", "1.2", "1.3", "1.4"]) yield* quote("relay", amount)
        const told = Effect.filterOrFail(
          pageAt("/dashboard/providers"),
          ({ said }) => said.includes("errors since"),
        )
        const { html, said } = yield* Effect.retry(told, {
          schedule: Schedule.spaced("200 millis"),
          times: 25,
        })
        assert.include(said, "4 up, 1 down")
        assert.match(
          said,
          /Relay is down: quotes paused Paused after repeated errors since \d\d:\d\d:\d\d UTC; other calls continue\./,
        )
        for (const path of ["/dashboard", "/dashboard/providers/relay"]) {
          assert.include((yield* pageAt(path)).html, '<span class="pill bad">Down</span>')
        }
        assert.include(said, "Switch new swaps at Relay off")
        assert.isBelow(said.indexOf("Relay is down"), said.indexOf("Calls by hour"))
        assert.match(html, /<span class="pill bad">Quotes paused<\/span>/)
      }),
    )
  })
})
