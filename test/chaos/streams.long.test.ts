import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { isList, textAt } from "#test/contract/support/Json.ts"
import { listen } from "#test/contract/support/stream.ts"
import { Gates, withGates } from "./support/Chaos.ts"
import { eventually } from "./support/client.ts"
import { anotherQuery, untilBothQuote } from "./support/quotes.ts"

const path = () => {
  const { amount, ...pair } = anotherQuery()
  return `/quotes/stream?${new URLSearchParams({ ...pair, amount: `${Number(amount) / 1e8}` })}`
}

withGates({ QUOTE_TIMEOUT: "10 seconds", QUOTE_DEADLINE: "10 seconds" })("streams of quotes", (it) => {
  it.effect("tell the quotes of one provider while the other hangs, whose call ends with the listener", function* () {
    const { chainflip } = yield* Gates
    yield* untilBothQuote
    chainflip.misbehave("hang")
    yield* Effect.ensuring(
      Effect.gen(function* () {
        yield* Effect.scoped(Effect.gen(function* () {
          const [first] = yield* (yield* listen(path())).events(1)
          assert.isDefined(first)
          assert.strictEqual(first.event, "quote")
          const platforms = isList(first.data) ? first.data.map((quote) => textAt(quote, "platform")) : []
          assert.deepStrictEqual([...new Set(platforms)], ["near-intents"])
          assert.isAbove(chainflip.unanswered(), 0)
        }))
        yield* eventually("the call is cut off", () => chainflip.unanswered() === 0)
      }),
      Effect.sync(chainflip.behave),
    )
  })
})
