import { assert } from "@effect/vitest"
import { Array, Effect } from "effect"
import { Gates, withGates } from "./support/Chaos.ts"
import { eventually, statusOf } from "./support/client.ts"
import { anotherQuery, untilBothQuote } from "./support/quotes.ts"

/** A thousand requests in one process take a while; nothing may be late for that. */
const patient = {
  QUOTE_TIMEOUT: "10 seconds",
  QUOTE_SLOW_CALL: "10 seconds",
  QUOTE_DEADLINE: "15 seconds",
  QUOTE_CACHE_TTL: "10 seconds",
}

withGates(patient)("upstream calls that clients share", (it) => {
  it.effect("a thousand identical quote requests at once are one call of each provider", function* () {
    const { chainflip, nearIntents } = yield* Gates
    yield* untilBothQuote
    const query = anotherQuery()
    const amount = new RegExp(`v2/quote.*amount=${query.amount}`)
    const dry = nearIntents.calls(/v0\/quote/)
    const answered = yield* Effect.all(Array.replicate(statusOf(query), 1_000), { concurrency: "unbounded" })
    assert.deepStrictEqual(answered.filter((status) => status !== 200), [])
    assert.strictEqual(chainflip.calls(amount), 1)
    assert.strictEqual(nearIntents.calls(/v0\/quote/) - dry, 1)
  })

  it.effect("a client that goes away ends the calls that nobody else waits for", function* () {
    const { chainflip, nearIntents } = yield* Gates
    yield* untilBothQuote
    chainflip.misbehave("hang")
    nearIntents.misbehave("hang")
    yield* Effect.timeoutOption(statusOf(anotherQuery()), "80 millis")
    chainflip.behave()
    nearIntents.behave()
    yield* eventually(
      "the upstream calls are cut",
      () => chainflip.unanswered() === 0 && nearIntents.unanswered() === 0,
    )
  })
})
