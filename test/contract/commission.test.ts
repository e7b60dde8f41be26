import { assert } from "@effect/vitest"
import { brokerAccounts } from "./support/addresses.ts"
import { nativeAt } from "./support/assets.ts"
import { call, get, withOwnBroker } from "./support/call.ts"
import { at, find, type Json, listAt, numberAt, objectAt, textAt } from "./support/Json.ts"
import { faultyParameters } from "./support/problem.ts"
import { openSwap, statusOf, swapParameters } from "./support/swaps.ts"

const brokerFee = (quote: Json): bigint => {
  const fee = listAt(quote, "includedFees").find((one) => textAt(one, "type") === "broker")
  return fee === undefined ? 0n : nativeAt(fee, "amountNative")
}

/** The commission that a quote was made with, in bps, from its own figures. */
const commissionOf = (quote: Json): bigint => {
  const fee = brokerFee(quote)
  return fee * 10_000n / (nativeAt(quote, "intermediateAmountNative") + fee) + (fee === 0n ? 0n : 1n)
}

/** What is asked for, and what is charged of an account with a default of 50 bps (decision 7). */
const rows: ReadonlyArray<readonly [asked: string | undefined, charged: string]> = [
  [undefined, "50"],
  ["0", "50"],
  ["49", "50"],
  ["50", "50"],
  ["51", "51"],
  ["995", "995"],
]

/** Quotes without what each answer has of its own: their ids and their end. */
const offersIn = (quotes: Json) =>
  listAt(quotes).map((quote) => ({ ...objectAt(quote), quoteId: undefined, expiresAt: undefined }))

const override = (asked: string | undefined) => asked === undefined ? {} : { commissionBps: asked }

withOwnBroker({ BOOTSTRAP_COMMISSION_BPS: "50" })("commission protection (decision 7)", (it) => {
  for (const [asked, charged] of rows) {
    it.effect(`a quote that asks for ${asked ?? "nothing"} is made with ${charged} bps`, function* () {
      const pair = { sourceAsset: "btc.btc", destinationAsset: "eth.eth" }
      const inHuman = yield* get("/quotes", { ...pair, amount: "0.1", ...override(asked) })
      assert.strictEqual(`${commissionOf(at(inHuman, 0))}`, charged)
      const inNative = yield* get("/quotes-native", { ...pair, amount: "10000000", ...override(asked) })
      assert.deepStrictEqual(offersIn(inNative), offersIn(inHuman))
    })

    it.effect(`a channel that asks for ${asked ?? "nothing"} charges ${charged} bps`, function* () {
      const status = yield* statusOf(yield* openSwap(override(asked)))
      assert.strictEqual(numberAt(status, "depositChannel", "brokerCommissionBps"), charged)
      assert.strictEqual(numberAt(status, "brokers", 0, "commissionBps"), charged)
    })
  }

  it.effect("affiliates come on top, at most 1000 bps together with the default (decision 8)", function* () {
    const affiliate1 = brokerAccounts[0]
    const status = yield* statusOf(yield* openSwap({ affiliate1, affiliate1CommissionBps: "950" }))
    assert.strictEqual(numberAt(status, "depositChannel", "brokerCommissionBps"), "50")
    assert.strictEqual(find(status, "depositChannel", "affiliateBrokers", 0, "account"), affiliate1)
    const beyond = swapParameters({ affiliate1, affiliate1CommissionBps: "951" })
    assert.deepStrictEqual(faultyParameters(yield* call("GET", "/swap", { query: beyond })), [
      "commissionBps",
    ])
  })
})
