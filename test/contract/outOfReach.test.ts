import { assert } from "@effect/vitest"
import { addresses } from "./support/addresses.ts"
import { call, get, withBroker } from "./support/call.ts"
import { find, isList, type Json, numberAt, pick, textAt } from "./support/Json.ts"
import { payloadParameters } from "./support/payloads.ts"
import { swapParameters } from "./support/swaps.ts"

const pair = { sourceAsset: "btc.btc", destinationAsset: "eth.eth", amount: "0.1" }
const above = "1000"

const texts = (json: Json | undefined): string => isList(json) ? json.join("\n") : ""

withBroker()("a minimumPrice above the best known price (decision 52)", (it) => {
  it.effect("is taken by who waits for it, with a warning that names the best price", function* () {
    const quote = pick(yield* get("/quotes", pair), (quote) => textAt(quote, "platform") === "chainflip")
    const quoteId = textAt(quote, "quoteId")
    const best = numberAt(quote, "estimatedPrice")
    const opened = yield* get(
      "/swap",
      swapParameters({ quoteId, minimumPrice: above, refundAddress: addresses.btc }),
    )
    const warnings = texts(find(opened, "payment", "warnings"))
    assert.include(warnings, `${above} ETH for 1 BTC, is above the best known price, ${best} ETH for 1 BTC`)
    assert.match(warnings, /Unless the price rises in time, nothing is swapped and the deposit is refunded/)
  })

  it.effect("is warned of with a payload, too, and not below the best price", function* () {
    const asked = { sourceAsset: "eth.eth", destinationAsset: "usdc.arb", amount: "1", start: "transaction" }
    const quote = pick(yield* get("/quotes", asked), (quote) => textAt(quote, "platform") === "chainflip")
    const quoteId = textAt(quote, "quoteId")
    const best = numberAt(quote, "estimatedPrice")
    const given = (minimumPrice: string) =>
      get("/tx-payload/evm", payloadParameters("evm", { quoteId, minimumPrice, amount: "1" }))
    const warned = yield* given("1000000")
    assert.include(texts(find(warned, "warnings")), `above the best known price, ${best} USDC for 1 ETH`)
    assert.isUndefined(find(yield* given(best), "warnings"))
  })

  it.effect("is no warning where the limit can be met", function* () {
    const query = swapParameters({ minimumPrice: "0.1", refundAddress: addresses.btc })
    const opened = yield* call("GET", "/swap", { query })
    assert.notInclude(texts(find(opened.body, "payment", "warnings")), "best known price")
  })
})
