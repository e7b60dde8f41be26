import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { eventually } from "#test/durability/eventually.ts"
import { brokerInProcess } from "#test/support/broker.ts"
import { addressFor } from "./support/addresses.ts"
import { call, get, withOwnBroker } from "./support/call.ts"
import { at, integerAt, listAt } from "./support/Json.ts"
import { assertFailure, faultyParameters } from "./support/problem.ts"
import { listen } from "./support/stream.ts"
import { deposit, during, openSwap, passUntil } from "./support/swaps.ts"

const path = "/providers/chainflip/history"
const today = () => new Date().toISOString().slice(0, 10)

withOwnBroker({ PROVIDERS: "chainflip,near-intents" })("GET /providers/{name}/history", (it) => {
  it.effect("sums up the calls, the offers and the swaps of a provider, by day", function* () {
    const before = today()
    const pair = { sourceAsset: "eth.eth", destinationAsset: "btc.btc" }
    const platforms: Array<string> = []
    for (const amount of ["1", "2", "3"]) {
      const quotes = yield* get("/quotes", { ...pair, amount })
      platforms.push(`${at(quotes, 0, "platform")}`)
    }
    const compared = yield* get("/quotes/compare", { ...pair, amount: "5" })
    platforms.push(`${at(compared, "quotes", 0, "platform")}`)
    const stream = yield* listen(`/quotes/stream?${new URLSearchParams({ ...pair, amount: "6" })}`)
    const lists = (yield* stream.until("done")).filter(({ event }) => event === "quote")
    platforms.push(`${at(lists.at(-1)?.data ?? null, 0, "platform")}`)
    yield* during(
      { provider: "chainflip", operation: "quote", kind: "http_500", count: 2 },
      get("/quotes", { ...pair, amount: "4" }),
    )
    const paid = yield* openSwap({ sourceAsset: "eth.arb", platform: "chainflip" })
    yield* deposit(paid, "1000000000000000000")
    yield* passUntil(paid, "completed")
    const refunded = yield* openSwap({
      sourceAsset: "eth.arb",
      platform: "chainflip",
      refundAddress: addressFor("eth.arb"),
      minimumPrice: "1000000",
      retryDurationInBlocks: "0",
    })
    yield* deposit(refunded, "1000000000000000000")
    yield* passUntil(refunded, "completed")
    yield* eventually(
      get("/operator/providers/chainflip/history", { partMinutes: "5" }),
      (parts) => JSON.stringify(parts).includes('"open"') && JSON.stringify(parts).includes("upstreamFailed"),
    )
    const card = yield* get(path)
    const total = at(card, "total")
    assert.strictEqual(listAt(card, "days").length, 30)
    assert.strictEqual(integerAt(total, "swaps", "completed"), 1)
    assert.strictEqual(integerAt(total, "swaps", "refunded"), 1)
    assert.strictEqual(integerAt(total, "swaps", "failed"), 0)
    assert.strictEqual(integerAt(total, "offered"), 5)
    const best = platforms.filter((platform) => platform === "chainflip").length
    assert.closeTo(Number(integerAt(total, "bestPercent")), best * 100 / 5, 0.01)
    assert.isBelow(integerAt(total, "uptimePercent"), 100)
    assert.isAbove(integerAt(total, "p90Millis"), 0)
    // A test that runs over midnight has two days with something.
    const days = listAt(card, "days").slice(before === today() ? -1 : -2)
    const ended = days.reduce((sum: number, day) => sum + integerAt(day, "swaps", "completed"), 0)
    assert.strictEqual(ended, 1)
  })

  it.effect("needs a key, a provider and days that it can tell of", function* () {
    assertFailure(yield* call("GET", path, { key: null }), 401)
    assertFailure(yield* call("GET", "/providers/nobody/history"), 404)
    const faults = (query: Readonly<Record<string, string>>) =>
      Effect.map(call("GET", path, { query }), faultyParameters)
    assert.deepStrictEqual(yield* faults({ from: "yesterday" }), ["from"])
    assert.deepStrictEqual(yield* faults({ from: "2001-01-01" }), ["from"])
    assert.deepStrictEqual(yield* faults({ from: today(), to: "2999-01-01" }), ["to"])
    assert.strictEqual(listAt(yield* get(path, { from: today(), to: today() }), "days").length, 1)
  })
})

layer(brokerInProcess({ PROVIDER_HISTORY_PUBLIC: "on" }), { excludeTestServices: true })(
  "GET /providers/{name}/history, opened to all",
  (it) => {
    it.effect("needs no key", function* () {
      const answer = yield* call("GET", path, { key: null })
      assert.strictEqual(answer.status, 200, answer.text)
      assertFailure(yield* call("GET", "/operator/providers/chainflip/history", { key: null }), 401)
    })
  },
)
