import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { assets, human, nativeAt, typicalAmount } from "./support/assets.ts"
import { call, get, type Query, withOwnBroker } from "./support/call.ts"
import { find, listAt, textAt } from "./support/Json.ts"

/** PAIRS=all: every pair of the sandbox; the suite asks for each asset once. */
const isWhole = Deno.env.get("PAIRS") === "all"

const ids = Object.keys(assets)

const pairs = ids.flatMap((sourceAsset, index) =>
  ids.filter((destinationAsset) => destinationAsset !== sourceAsset)
    .filter((_, other) => isWhole || other === index % (ids.length - 1))
    .map((destinationAsset) => ({ sourceAsset, destinationAsset }))
)

/** Asked again while it is still looked for. */
const comparison = Effect.fnUntraced(function* (query: Query) {
  for (;;) {
    const body = yield* get("/quotes/compare", query)
    if (find(body, "effectiveMinimum") !== undefined) return body
  }
})

withOwnBroker({ PROVIDERS: "chainflip,near-intents,relay,thorchain", RATE_LIMIT: "100000" })(
  "the least amount",
  (it) => {
    it.effect(
      "is quoted, and one unit less is refused by all",
      function* () {
        for (const pair of pairs) {
          const name = `${pair.sourceAsset} to ${pair.destinationAsset}`
          const body = yield* comparison({
            ...pair,
            amount: human(pair.sourceAsset, typicalAmount(pair.sourceAsset)),
          })
          const least = nativeAt(body, "effectiveMinimum", "amountNative")
          const quoting = yield* get("/quotes-native", { ...pair, amount: `${least}` })
          const platforms = listAt(quoting).map((quote) => textAt(quote, "platform"))
          assert.include(platforms, textAt(body, "effectiveMinimum", "platform"), name)
          if (least === 1n) continue
          const below = yield* call("GET", "/quotes-native", {
            query: { ...pair, amount: `${least - 1n}` },
          })
          const isRefused = below.status === 400 || below.status === 200 && listAt(below.body).length === 0
          assert.isTrue(
            isRefused,
            `${name}: ${least - 1n} is a ${below.status} ${below.text.slice(0, 200)}`,
          )
        }
      },
      600_000,
    )
  },
)
