import { assert, channelsOf, describe, it } from "../support.ts"
import { Effect } from "effect"
import { Reindexed } from "#providers/Provider.ts"
import { btc, depositAddress, providerOver, reasonOf, type Reply, swapRequest } from "./fakeRelay.ts"

const reindexed = (reindex: Reply) =>
  Effect.gen(function* () {
    const [provider, asked] = yield* providerOver({ reindex })
    const channels = channelsOf(provider)
    const { channel, status } = yield* channels.open(swapRequest)
    const found = yield* channels.reindex?.(channel.id, status) ?? Effect.die("there is no such operation")
    return { found, body: asked.at(-1)?.body }
  })

describe("A deposit that Relay has overlooked", () => {
  it.effect("is looked for on the chain of its address, in every currency", function* () {
    const { body, found } = yield* reindexed({
      body: {
        message: "Reindex triggered",
        triggeredCurrencies: [
          { currency: btc.address, symbol: "BTC", balance: "10000000" },
          { currency: "rune", symbol: "R", balance: "7" },
        ],
      },
    })
    assert.deepStrictEqual<unknown>(body, { chainId: btc.chainId, depositAddress })
    assert.deepStrictEqual<unknown>({ ...found }, {
      _tag: "Looked",
      found: [{ asset: "btc.btc", symbol: "BTC", amount: swapRequest.amount }, { symbol: "R", amount: 7n }],
    })
  })

  it.effect.each<readonly [name: string, reply: Reply, found: Reindexed]>([
    [
      "is not looked for again at once",
      { status: 429, body: { message: "The deposit address was reindexed too recently" } },
      Reindexed.TooSoon(),
    ],
    [
      "cannot be looked for where the address is not known",
      { status: 404, body: { message: "Deposit address not found" } },
      Reindexed.NotKnown(),
    ],
    ["may not be there", { body: { message: "No balances found" } }, Reindexed.Looked({ found: [] })],
  ])("%s", function* ([, reply, found]) {
    assert.deepStrictEqual<unknown>((yield* reindexed(reply)).found, found)
  })

  it.effect("waits where the rate of all calls is limited", function* () {
    const [provider] = yield* providerOver({
      reindex: { status: 429, body: { message: "Too many requests" } },
    })
    const channels = channelsOf(provider)
    const { channel, status } = yield* channels.open(swapRequest)
    const reason = yield* reasonOf(
      channels.reindex?.(channel.id, status) ?? Effect.die("there is no such operation"),
    )
    assert.strictEqual(reason._tag, "RateLimited")
  })
})
