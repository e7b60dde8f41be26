import { assert } from "@effect/vitest"
import { addressFor } from "./support/addresses.ts"
import { call, withOwnBroker } from "./support/call.ts"
import { find, listAt, textAt } from "./support/Json.ts"

const pairs = [
  { sourceAsset: "btc.btc", destinationAsset: "eth.eth", amount: "0.1" },
  { sourceAsset: "eth.eth", destinationAsset: "btc.btc", amount: "2" },
]

/** Where each provider refunds by how the swap begins and from where; the others refund the address of the request. */
const others = new Map([
  ["thorchain btc.btc", "sender"],
  ["maya btc.btc", "sender"],
  ["chainflip /tx-payload/bitcoin", "change"],
])

withOwnBroker({
  PROVIDERS: "chainflip,near-intents,relay,thorchain,maya",
  QUOTE_GRACE: "1 minute",
})("where a refund goes (decision 54)", (it) => {
  it.effect("is said by every answer that begins a swap, of each provider and way", function* () {
    const seen = new Set<string>()
    for (const { amount, ...pair } of pairs) {
      const refundAddress = addressFor(pair.sourceAsset)
      const addresses = { destinationAddress: addressFor(pair.destinationAsset), refundAddress }
      const quotes = yield* call("GET", "/quotes", { query: { ...pair, amount, start: "any" } })
      for (const quote of listAt(quotes.body)) {
        const platform = textAt(quote, "platform")
        for (const path of listAt(quote, "startPaths")) {
          const body = { ...pair, ...addresses, amount, platform }
          const opened = yield* call("POST", `${path}`, { body })
          assert.strictEqual(opened.status, 200, opened.text)
          const expected = others.get(`${platform} ${pair.sourceAsset}`) ??
            others.get(`${platform} ${path}`) ?? "address"
          assert.strictEqual(textAt(opened.body, "refundsTo"), expected, `${platform} ${path}`)
          assert.strictEqual(
            find(opened.body, "refundAddress"),
            expected === "address" ? refundAddress : undefined,
          )
          seen.add(`${platform} ${expected}`)
        }
      }
    }
    for (
      const [platform, ways] of Object.entries({
        chainflip: 2,
        "near-intents": 1,
        relay: 1,
        thorchain: 2,
        maya: 2,
      })
    ) {
      assert.lengthOf([...seen].filter((one) => one.startsWith(`${platform} `)), ways, [...seen].join())
    }
  })
})
