import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { testKey } from "#test/support/broker.ts"
import { call, withListeningBroker } from "./support/call.ts"
import { find, isList, isObject, type Json, numberAt, textAt } from "./support/Json.ts"
import { assertFailure, faultyParameters } from "./support/problem.ts"
import { listen } from "./support/stream.ts"

const pair = { sourceAsset: "btc.btc", destinationAsset: "eth.eth" }

const streamOf = (query: Readonly<Record<string, string>>) =>
  `/quotes/stream?${new URLSearchParams({ ...pair, ...query })}`

/** Quotes without what is each answer's own. */
const withoutIds = (quotes: Json) =>
  isList(quotes)
    ? quotes.map((quote) => isObject(quote) ? { ...quote, quoteId: null, expiresAt: null } : quote)
    : quotes

withListeningBroker({ EVENT_STREAMS_MOST: "2", PROVIDERS: "chainflip,near-intents" })(
  "GET /quotes/stream",
  (it) => {
    it.effect("tells every provider's answer, and ends with the list that /quotes has", function* () {
      const stream = yield* listen(streamOf({ amount: "0.25" }))
      const seen = yield* stream.until("done")
      const last = seen.findLast(({ event }) => event === "quote")
      assert.isDefined(last)
      const { body } = yield* call("GET", "/quotes", { query: { ...pair, amount: "0.25" } })
      assert.deepStrictEqual(withoutIds(last.data), withoutIds(body))
      assert.deepStrictEqual(seen.map(({ id }) => id), seen.map((_, index) => `${index + 1}`))
      const done = seen.at(-1)?.data ?? null
      assert.strictEqual(numberAt(done, "quoteCount"), isList(body) ? `${body.length}` : "")
      assert.isUndefined(find(done, "refreshAt"))
      assert.match(yield* stream.ended, /^retry: 2000\n\n/)
    })

    it.effect("says why providers have none, and what stands for all", function* () {
      const query = { amount: "0.00000001" }
      const seen = yield* (yield* listen(streamOf(query))).until("done")
      const refusals = seen.filter(({ event }) => event === "refusal").map(({ data }) => data)
      const refused = yield* call("GET", "/quotes", { query: { ...pair, ...query } })
      assert.strictEqual(refused.status, 400)
      const answers = find(refused.body, "providers")
      assert.sameDeepMembers(refusals, isList(answers) ? [...answers] : [])
      assert.isAbove(refusals.length, 0)
      const done = seen.at(-1)?.data ?? null
      assert.strictEqual(numberAt(done, "quoteCount"), "0")
      assert.strictEqual(textAt(done, "reason"), "deposit_below_minimum")
    })

    it.effect("names the code of /quotes where a known asset is not served", function* () {
      const query = { sourceAsset: "flip.eth", amount: "100", platform: "near-intents" }
      const seen = yield* (yield* listen(streamOf(query))).until("done")
      const refused = yield* call("GET", "/quotes", { query: { ...pair, ...query } })
      assert.strictEqual(textAt(refused.body, "code"), "asset_disabled")
      assert.strictEqual(textAt(seen.at(-1)?.data ?? null, "reason"), textAt(refused.body, "code"))
    })

    it.effect("refuses before the stream begins, as /quotes does", function* () {
      const faults = (query: Readonly<Record<string, string>>) =>
        Effect.map(call("GET", streamOf(query)), faultyParameters)
      assert.deepStrictEqual(yield* faults({ amount: "none" }), ["amount"])
      assert.deepStrictEqual(yield* faults({ amount: "1", refreshSeconds: "9" }), ["refreshSeconds"])
      assert.deepStrictEqual(
        yield* faults({ amount: "1", refreshSeconds: "301", destinationAsset: "btc.btc" }),
        ["destinationAsset", "refreshSeconds"],
      )
      assertFailure(yield* call("GET", streamOf({ amount: "1" }), { key: null }), 401)
    })

    it.effect("has nothing more for a browser that comes again by itself", function* () {
      const again = yield* call("GET", streamOf({ amount: "1" }), { headers: { "last-event-id": "3" } })
      assert.strictEqual(again.status, 204)
    })

    it.effect("says when it asks again, and takes one of the account's places for quotes until it ends", function* () {
      const path = streamOf({ amount: "0.5", refreshSeconds: "300" })
      const before = Date.now()
      yield* Effect.scoped(Effect.gen(function* () {
        const seen = yield* (yield* listen(path)).until("done")
        const refreshAt = Number(numberAt(seen.at(-1)?.data ?? null, "refreshAt"))
        assert.isAtLeast(refreshAt, before + 300_000)
        assert.isAtMost(refreshAt, Date.now() + 300_000)
        yield* listen(path)
        assertFailure(yield* call("GET", path), 429)
        // A page's key, which everyone can read, must not keep the account's servers from its events.
        yield* listen("/swaps/events")
      }))
      const isFree = Effect.map(
        call("GET", streamOf({ amount: "0.5" }), { headers: { "x-api-key": testKey } }),
        ({ status }) => status === 200,
      )
      yield* Effect.repeat(isFree, { until: (free) => free, times: 100 })
    })
  },
)
