import { assert, layer } from "#test/support/it.ts"
import { BigDecimal, Effect, Redacted } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { makeClient } from "#exports/client.ts"
import { broker, brokerUrl, testKey } from "#test/support/broker.ts"

const clientWith = (apiKey: string) =>
  Effect.flatMap(brokerUrl, (url) => makeClient({ url, apiKey: Redacted.make(apiKey) })).pipe(
    Effect.provide(FetchHttpClient.layer),
  )

const least = NativeAmount.make(1n)
const pair = { sourceAsset: "btc.btc", destinationAsset: "eth.eth" } as const

layer(broker({ PROVIDERS: "chainflip" }), { excludeTestServices: true })(
  "the typed client",
  (it) => {
    it.effect("quotes, opens a channel and follows it, with every answer decoded", function* () {
      const client = yield* clientWith(testKey)
      const quotes = yield* client.quotes.quotesNative({
        query: { ...pair, amount: NativeAmount.make(25_000_000n) },
      })
      assert.strictEqual<bigint | undefined>(quotes[0]?.ingressAmountNative, 25_000_000n)
      assert.deepStrictEqual(quotes[0]?.startPaths, ["/swap", "/tx-payload/bitcoin"])
      const channel = yield* client.swap.swap({
        query: { ...pair, destinationAddress: "0x2222222222222222222222222222222222222222" },
        headers: {},
      })
      const { status } = yield* client.status.byId({ query: { swapId: channel.id } })
      assert.strictEqual(status.state, "waiting")
      assert.strictEqual(status.depositChannel?.depositAddress, channel.address)
    })

    it.effect("sends amounts and prices in human units in plain digits", function* () {
      const client = yield* clientWith(testKey)
      const query = { ...pair, amount: BigDecimal.make(25n, 2) }
      const [quote] = yield* client.quotes.quotes({ query })
      assert.strictEqual<bigint | undefined>(quote?.ingressAmountNative, 25_000_000n)
      // 0.00001519, for which String would have an exponent.
      const limited = yield* client.swap.swap({
        query: {
          ...pair,
          destinationAddress: "0x2222222222222222222222222222222222222222",
          refundAddress: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
          minimumPrice: BigDecimal.make(1519n, 8),
        },
        headers: {},
      })
      const { status } = yield* client.status.byId({ query: { swapId: limited.id } })
      assert.deepStrictEqual(status.fillOrKillParams?.minimumPrice, "0.00001519")
    })

    it.effect("fails with the contract's problems, as typed errors", function* () {
      const client = yield* clientWith(testKey)
      const tooLittle = yield* Effect.flip(
        client.quotes.quotesNative({ query: { ...pair, amount: least } }),
      )
      assert.strictEqual(tooLittle._tag, "BadRequest")
      const stranger = yield* clientWith("x".repeat(40))
      const refused = yield* Effect.flip(
        stranger.quotes.quotesNative({ query: { ...pair, amount: least } }),
      )
      assert.strictEqual(refused._tag, "Unauthorized")
    })
  },
)
