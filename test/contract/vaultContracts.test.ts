import { assert } from "@effect/vitest"
import { announced } from "#sandbox/announced.ts"
import { call, withOwnBroker } from "./support/call.ts"
import { listAt, textAt } from "./support/Json.ts"
import { pathOf, payloadParameters } from "./support/payloads.ts"
import { network } from "./support/swaps.ts"

const stranger = `0x${"6".repeat(40)}`

/** What the simulated network has in truth. */
const known = announced(new URL("http://sandbox.test/"))["THORCHAIN_ROUTERS"] ?? ""

const from = (sourceAsset: string, platform: string) =>
  call("GET", pathOf("evm"), {
    query: payloadParameters("evm", {
      sourceAsset,
      destinationAsset: "btc.btc",
      amountNative: "2500000000",
      platform,
    }),
  })

const fromBitcoin = call("GET", pathOf("bitcoin"), {
  query: payloadParameters("bitcoin", { platform: "thorchain" }),
})

const both = { PROVIDERS: "thorchain,maya" }

withOwnBroker({ ...both, THORCHAIN_ROUTERS: `Ethereum:${stranger}` })(
  "a contract that the operator has not named",
  (it) => {
    it.effect("gets nothing, and the rest of its network and other networks go on", function* () {
      // More than it takes of failures until a provider is left alone.
      for (let turn = 0; turn < 6; turn++) yield* from("usdc.eth", "thorchain")
      const refused = yield* from("usdc.eth", "thorchain")
      assert.strictEqual(refused.status, 503, refused.text)
      assert.strictEqual(textAt(refused.body, "code"), "asset_disabled")
      assert.notInclude(refused.text, "0x")
      const query = { sourceAsset: "usdc.eth", destinationAsset: "btc.btc", amount: "2500" }
      const quotes = yield* call("GET", "/quotes", { query: { ...query, start: "any" } })
      assert.strictEqual(quotes.status, 200, quotes.text)
      assert.deepStrictEqual([...new Set(listAt(quotes.body).map((one) => textAt(one, "platform")))], [
        "maya",
      ])
      assert.include(quotes.headers.get("provider-status") ?? "", 'thorchain;code="asset_disabled"')
      for (const given of [yield* from("usdc.eth", "maya"), yield* fromBitcoin]) {
        assert.strictEqual(given.status, 200, given.text)
      }
      const { text } = yield* call("GET", "/metrics", { key: null })
      assert.match(text, /^swap_broker_answers_refused_total\{[^}]*member="\[\*\]\.router"[^}]*\} [1-9]/m)
    })
  },
)

withOwnBroker({ ...both, THORCHAIN_ROUTERS: `Ethereum:${stranger},${known}` })("vaults", (it) => {
  it.effect("are the ones after a churn, whichever contract was seen first", function* () {
    const before = yield* fromBitcoin
    const token = yield* from("usdc.eth", "thorchain")
    assert.strictEqual(token.status, 200, token.text)
    yield* network("churnVaults", { provider: "thorchain" })
    const after = yield* fromBitcoin
    assert.strictEqual(after.status, 200, after.text)
    assert.notStrictEqual(textAt(after.body, "depositAddress"), textAt(before.body, "depositAddress"))
    const again = yield* from("usdc.eth", "thorchain")
    assert.strictEqual(textAt(again.body, "spender"), textAt(token.body, "spender"))
    assert.notStrictEqual(textAt(again.body, "calldata"), textAt(token.body, "calldata"))
    assert.isTrue(known.includes(textAt(again.body, "spender").toLowerCase()))
  })
})
