import { assert } from "@effect/vitest"
import { Array, Effect } from "effect"
import { find, isList, textAt } from "#test/contract/support/Json.ts"
import { stretched } from "#test/support/slowness.ts"
import { Gates, withGates } from "./support/Chaos.ts"
import { askUntilOpen } from "./support/circuit.ts"
import { askQuotes, platformsIn, quoting, untilBothQuote } from "./support/quotes.ts"
import type { Trouble } from "./support/troubles.ts"

/** One open time with its jitter of 20 %, one call that is still late, and a busy machine. */
const recoveryMillis = stretched(5_000)

/**
 * A timeout long enough that a busy machine does not make the provider that is well look slow. A circuit stays open for
 * longer than that: else each one closes while the other's probe hangs, and they are never open together.
 */
const times = {
  QUOTE_TIMEOUT: "1 second",
  CIRCUIT_OPEN_TIME: "1500 millis",
  CIRCUIT_OPEN_TIME_MOST: "1500 millis",
}

const cases: ReadonlyArray<Trouble> = ["hang", "reset", "notJson", "overloaded"]

withGates(times)("circuits", (it) => {
  const opensAndCloses = Effect.fnUntraced(
    function* (provider: "chainflip" | "nearIntents", other: string, trouble: Trouble) {
      const gate = (yield* Gates)[provider]
      yield* untilBothQuote
      gate.misbehave(trouble)
      const whileOpen = yield* Effect.gen(function* () {
        for (const answer of yield* askUntilOpen(gate)) assert.deepStrictEqual(platformsIn(answer), [other])
        return yield* Effect.all(Array.replicate(quoting, 7))
      }).pipe(Effect.ensuring(Effect.sync(gate.behave)))
      for (const platforms of whileOpen) assert.deepStrictEqual(platforms, [other])
      assert.isBelow(yield* untilBothQuote, recoveryMillis, "both quote again")
    },
  )

  it.effect.each(cases)(
    "that of Chainflip opens, and closes when it is well again: %s",
    (trouble) => opensAndCloses("chainflip", "near-intents", trouble),
  )

  it.effect.each(cases)(
    "that of NEAR Intents opens, and closes when it is well again: %s",
    (trouble) => opensAndCloses("nearIntents", "chainflip", trouble),
  )

  const bothOpen = Effect.fnUntraced(function* (trouble: Trouble) {
    const { chainflip, nearIntents } = yield* Gates
    yield* untilBothQuote
    chainflip.misbehave(trouble)
    nearIntents.misbehave(trouble)
    const failed = [...yield* askUntilOpen(chainflip), ...yield* askUntilOpen(nearIntents)]
    const unavailable = yield* Effect.all(Array.replicate(askQuotes, 5))
    chainflip.behave()
    nearIntents.behave()
    return { failed, unavailable }
  })

  it.effect.each(cases)(
    "while all are open, quotes are unavailable at once, and then come back: %s",
    function* (trouble) {
      const { failed, unavailable } = yield* bothOpen(trouble)
      for (const { body, headers, status, text } of failed) {
        assert.strictEqual(status, 503, text)
        assert.match(headers.get("retry-after") ?? "", /^[1-9][0-9]*$/)
        const providers = find(body, "providers")
        assert.deepStrictEqual(
          isList(providers) ? providers.map((one) => textAt(one, "platform")).toSorted() : providers,
          ["chainflip", "near-intents"],
        )
      }
      const answered = unavailable.filter(({ body }) => find(body, "code") === "provider_unavailable")
      assert.isAtLeast(answered.length, 3, "but for the probes, no provider is called")
      assert.isBelow(yield* untilBothQuote, recoveryMillis)
    },
  )
})
