import { assert } from "@effect/vitest"
import { withOwnBroker } from "./support/call.ts"
import { ofEach, ofFive, openedExactly } from "./support/exactAmounts.ts"

withOwnBroker(ofFive)(
  "quotes of 18 digits, read by JSON.parse and opened by their swapParameters (decision 30)",
  (it) => {
    it.effect("15 quotes of five providers open for their amount to the unit", function* () {
      assert.deepStrictEqual(yield* openedExactly(3), ofEach(3))
    })
  },
)
