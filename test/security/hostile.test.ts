import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { call, openApi, withBroker } from "../contract/support/call.ts"
import { operate } from "../contract/support/operator.ts"
import { brokerUrl } from "../support/broker.ts"
import { unhandledDuring } from "../support/unhandledDuring.ts"
import { attack } from "./hostile/attack.ts"
import { target } from "./hostile/operations.ts"
import { hostileRequests } from "./hostile/requests.ts"

/** `deno task hostile` sends all requests, the suite one in so many. */
const isWhole = Deno.env.get("HOSTILE") === "all"
const everyNth = 23

/** The client, with its megabytes, is in the same process; the collector lets some hundred of them lie. */
const mostGrowthBytes = 400 * 1024 * 1024

const settings = {
  RATE_LIMIT: "0",
  RATE_LIMIT_SWAP: "0",
  RATE_LIMIT_CREDENTIALS: "0",
  OPEN_CHANNELS_MOST: "1000000",
}

withBroker(settings)("hostile input", (it) => {
  it.effect(
    "is answered as the document says, and never with a failure of our own",
    () =>
      Effect.gen(function* () {
        const document = yield* openApi
        const url = yield* brokerUrl
        yield* operate("POST", "/accounts", { name: target })
        const all = hostileRequests(document)
        assert.isAtLeast(all.length, 20_000)
        const some = all.filter((_, index) => index % everyNth === 0)
        const unhandled = yield* unhandledDuring(Effect.gen(function* () {
          // Caches and compiled code have their size after the first round.
          yield* Effect.promise(() => attack(url, document, some.slice(0, 300)))
          const before = Deno.memoryUsage().rss
          const { statuses, wrong } = yield* Effect.promise(() => attack(url, document, isWhole ? all : some))
          assert.deepStrictEqual(wrong.slice(0, 20), [], `${wrong.length} wrong answers`)
          assert.isBelow(Deno.memoryUsage().rss - before, mostGrowthBytes)
          assert.isAbove(statuses.get(200) ?? 0, 0)
        }))
        assert.deepStrictEqual(unhandled, [])
        yield* call("DELETE", "/sandbox/faults")
        assert.strictEqual((yield* call("GET", "/livez", { key: null })).status, 200)
        assert.strictEqual((yield* call("GET", "/swaps")).status, 200)
      }),
    isWhole ? 3_600_000 : 180_000,
  )
})
