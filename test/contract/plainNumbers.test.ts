import { assert } from "@effect/vitest"
import { addresses } from "./support/addresses.ts"
import { call, type Query, withBroker } from "./support/call.ts"
import { faultText, faultyParameters } from "./support/problem.ts"
import { swapParameters } from "./support/swaps.ts"

const swap = swapParameters({ refundAddress: addresses.btc })
const pair = { sourceAsset: "btc.btc", destinationAsset: "eth.eth" }

/** Numbers as Python, Java and JavaScript print them, and their plain digits. */
const printed: ReadonlyArray<
  readonly [path: string, query: Query, name: string, given: string, plain: string]
> = [
  ["/swap", swap, "minimumPrice", "1.519e-05", "0.00001519"],
  ["/swap", swap, "amount", "4E-4", "0.0004"],
  ["/swap", swap, "amountNative", "4e+4", "40000"],
  ["/swap", swap, "amountOut", "1.5e1", "15"],
  ["/swap", swap, "boostFee", "1e1", "10"],
  ["/swap", swap, "slippageTolerancePercent", "5e-1", "0.5"],
  ["/quotes", pair, "amount", "2.5e-1", "0.25"],
  ["/quotes-native", pair, "amount", "2.5e7", "25000000"],
]

withBroker()("a number with an exponent in a query (decision 2)", (it) => {
  it.effect("is refused, with its plain digits in the sentence", function* () {
    for (const [path, query, name, given, plain] of printed) {
      const answer = yield* call("GET", path, {
        query: { ...Object.fromEntries(Object.entries(query)), [name]: given },
      })
      assert.strictEqual(answer.status, 400, answer.text)
      assert.include(faultyParameters(answer), name)
      assert.isTrue(faultText(answer, name).endsWith(`${given} is ${plain}`), faultText(answer, name))
    }
  })

  it.effect("has no plain digits where the parameter does not take them either", function* () {
    for (const given of ["-1e3", "1e999999999", "0e5", "1e-400", "e5", "1e", `1e${"0".repeat(100)}`]) {
      const answer = yield* call("GET", "/swap", { query: { ...swap, amount: given } })
      assert.deepStrictEqual(faultyParameters(answer), ["amount"])
      assert.notInclude(faultText(answer, "amount"), " is 0")
      assert.notInclude(faultText(answer, "amount"), "plain digits")
    }
  })
})
