import { assert } from "@effect/vitest"
import { Array, Effect } from "effect"
import { askUntilOpen } from "./support/circuit.ts"
import { doorOf, type Fifth, five, Front, withFront } from "./support/Front.ts"
import { askQuotes, platformsIn, quoting, untilQuoting } from "./support/quotes.ts"
import type { Trouble } from "./support/troubles.ts"
import { stretched } from "#test/support/slowness.ts"

const all = untilQuoting(five.length)
const others = (provider: Fifth): ReadonlyArray<string> => five.filter((one) => one !== provider).toSorted()

/** One open time with its jitter of 20 %, calls that are still late, and a busy machine. */
const recoveryMillis = stretched(8_000)

const cases: ReadonlyArray<Trouble> = ["hang", "reset", "notJson", "overloaded"]

withFront({ CIRCUIT_OPEN_TIME: "600 millis", CIRCUIT_OPEN_TIME_MOST: "600 millis" })(
  "the circuit of one of five",
  (it) => {
    const opensAndCloses = Effect.fnUntraced(function* (provider: Fifth, trouble: Trouble) {
      const door = doorOf(yield* Front, provider)
      yield* all
      door.misbehave(trouble)
      const whileOpen = yield* Effect.gen(function* () {
        for (const answer of yield* askUntilOpen(door)) {
          assert.deepStrictEqual(platformsIn(answer), others(provider))
        }
        return yield* Effect.all(Array.replicate(quoting, 5))
      }).pipe(Effect.ensuring(Effect.sync(door.behave)))
      for (const platforms of whileOpen) assert.deepStrictEqual(platforms, others(provider))
      assert.isBelow(yield* all, recoveryMillis, "all quote again")
    })

    it.effect.each(cases)(
      "opens, and closes when Relay is well again: %s",
      (trouble) => opensAndCloses("relay", trouble),
    )

    it.effect.each(cases)(
      "opens, and closes when THORChain is well again: %s",
      (trouble) => opensAndCloses("thorchain", trouble),
    )

    it.effect.each(cases)(
      "opens, and closes when Maya is well again: %s",
      (trouble) => opensAndCloses("maya", trouble),
    )
  },
)

const deadlineMillis = 2_000
const graceMillis = 600

withFront({
  QUOTE_DEADLINE: `${deadlineMillis} millis`,
  QUOTE_GRACE: `${graceMillis} millis`,
  CIRCUIT_MINIMUM_CALLS: "10000",
  CIRCUIT_WINDOW: "10000",
})("quotes of five providers", (it) => {
  it.effect("one hanging: others in time", function* () {
    const front = yield* Front
    yield* all
    for (const provider of five) {
      const door = doorOf(front, provider)
      const before = door.attempts()
      door.misbehave("hang")
      const began = performance.now()
      const answer = yield* Effect.ensuring(askQuotes, Effect.sync(door.behave))
      const took = performance.now() - began
      assert.deepStrictEqual(platformsIn(answer), others(provider))
      assert.isAbove(door.attempts(), before, `${provider} was asked`)
      assert.isBelow(took, stretched(deadlineMillis + graceMillis), provider)
    }
  })
})
