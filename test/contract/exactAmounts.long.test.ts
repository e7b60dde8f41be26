import { assert } from "@effect/vitest"
import { withOwnBroker } from "./support/call.ts"
import { ofEach, ofFive, openedExactly } from "./support/exactAmounts.ts"

withOwnBroker(ofFive)(
  "quotes of 18 digits, read by JSON.parse and opened by their swapParameters (decision 30)",
  (it) => {
    it.effect("200 quotes of five providers open for their amount to the unit", function* () {
      assert.deepStrictEqual(yield* openedExactly(40), ofEach(40))
    }, 1_200_000)
  },
)
