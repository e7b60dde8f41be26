import { assert } from "@effect/vitest"
import { Array, Effect } from "effect"
import { Gates, withGates } from "./support/Chaos.ts"
import { eventually } from "./support/client.ts"
import { askQuotes, platformsIn, untilBothQuote } from "./support/quotes.ts"
import { type Trouble, troubles } from "./support/troubles.ts"

const names = Object.keys(troubles).filter((name): name is Trouble => Object.hasOwn(troubles, name))

/** Circuits stay closed, so that every request meets the trouble. */
const alwaysAsking = { CIRCUIT_MINIMUM_CALLS: "10000", CIRCUIT_WINDOW: "10000", QUOTE_TIMEOUT: "3 seconds" }

withGates(alwaysAsking)("while one provider is in trouble, all quotes come from the other", (it) => {
  const askMany = Effect.all(Array.replicate(askQuotes, 6), { concurrency: 3 })

  const meets = Effect.fnUntraced(function* (provider: "chainflip" | "nearIntents", trouble: Trouble) {
    const gate = (yield* Gates)[provider]
    yield* untilBothQuote
    const before = gate.attempts()
    gate.misbehave(trouble)
    const answers = yield* Effect.ensuring(askMany, Effect.sync(gate.behave))
    yield* eventually("the provider in trouble was asked", () => gate.attempts() > before)
    return answers.map(platformsIn)
  })

  it.effect.each(names)("Chainflip: %s", function* (trouble) {
    for (const platforms of yield* meets("chainflip", trouble)) {
      assert.deepStrictEqual(platforms, ["near-intents"])
    }
  })

  it.effect.each(names)("NEAR Intents: %s", function* (trouble) {
    for (const platforms of yield* meets("nearIntents", trouble)) {
      assert.deepStrictEqual(platforms, ["chainflip"])
    }
  })
})
