import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { get, withBroker } from "./call.ts"
withBroker()("smoke", (it) => {
  it.effect("x", () =>
    Effect.gen(function* () {
      const quotes = yield* get("/quotes", {
        sourceAsset: "btc.btc",
        destinationAsset: "eth.eth",
        amount: "0.25",
      })
      console.log(JSON.stringify(quotes).slice(0, 300))
      console.log(yield* get("/sandbox"))
    }))
})
