import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { addresses } from "./support/addresses.ts"
import { get, withOwnBroker } from "./support/call.ts"
import { find, integerAt, type Json, listAt, numberAt, objectAt, textAt } from "./support/Json.ts"
import { deposit, openSwap, pass, passToBitcoinBlock, statusOf } from "./support/swaps.ts"

/** BOOSTS=all: as many amounts as convince; the suite takes some. */
const amounts = Deno.env.get("BOOSTS") === "all" ? 200 : 12

/** From 0.01 to 50 bitcoins, as many in each tenfold; not one of them round. */
const amountOf = (index: number): string =>
  `${BigInt(Math.round(1_000_000 * 5_000 ** (index / (amounts - 1)))) + BigInt(index % 7)}`

/** What the simulated pools can lend together now, in satoshis: what they earn stays with them. */
const lendable = Effect.map(
  get("/sandbox"),
  (sandbox) =>
    listAt(sandbox, "boostPools").reduce(
      (sum: bigint, pool) => sum + BigInt(textAt(pool, "available")),
      0n,
    ),
)

const pair = { sourceAsset: "btc.btc", destinationAsset: "eth.eth" }

const quotes = (amount: string) => Effect.map(get("/quotes-native", { ...pair, amount }), listAt)

/** Parameters as a client gives them back. */
const asQuery = (parameters: Json) =>
  Object.fromEntries(
    Object.entries(objectAt(parameters)).map(([name, value]) => [
      name,
      typeof value === "string" ? value : numberAt(parameters, name),
    ]),
  )

/** Lets time pass until half a block before the next one of Bitcoin, as a promise counts. */
const passToHalfABlock = Effect.andThen(passToBitcoinBlock, pass(12 + 300))

const now = Effect.map(get("/sandbox"), (sandbox) => integerAt(sandbox, "timeMillis"))

/** The simulated Ethereum pays so many seconds sooner than the formula says by which upstreams promise. */
const soonerSeconds = 12

withOwnBroker()("a boost quote", (it) => {
  it.effect("is kept to the unit and the second by the swap that it opens, and shown only where it can be", function* () {
    let boosted = 0
    for (let index = 0; index < amounts; index += 1) {
      const amount = amountOf(index)
      yield* passToHalfABlock
      const offers = yield* quotes(amount)
      const offer = offers[index % offers.length] ?? assert.fail(`no offer for ${amount}`)
      const boost = find(offer, "boostQuote")
      assert.strictEqual(boost !== undefined, BigInt(amount) <= (yield* lendable), amount)
      if (boost === undefined) continue
      const quoteId = index % 2 === 0 ? {} : { quoteId: textAt(offer, "quoteId") }
      const opened = yield* openSwap({
        ...asQuery(find(boost, "swapParameters") ?? null),
        ...quoteId,
        destinationAddress: addresses.eth,
        refundAddress: addresses.btc,
      })
      const sentAt = yield* now
      yield* deposit(opened, amount)
      yield* pass(24 * 3_600)
      const status = yield* statusOf(opened)
      assert.strictEqual(textAt(status, "state"), "completed")
      assert.strictEqual(
        numberAt(status, "boost", "effectiveBoostFeeBps"),
        numberAt(boost, "estimatedBoostFeeBps"),
        amount,
      )
      const seconds = (at: number) => `${(at - sentAt) / 1_000}`
      assert.deepStrictEqual(
        {
          paid: textAt(status, "swapEgress", "amountNative"),
          boosted: seconds(integerAt(status, "boost", "boostedAt")),
          ended: seconds(integerAt(status, "swapEgress", "witnessedAt") + soonerSeconds * 1_000),
        },
        {
          paid: textAt(boost, "egressAmountNative"),
          boosted: numberAt(boost, "estimatedDurationsSeconds", "deposit"),
          ended: numberAt(boost, "estimatedDurationSeconds"),
        },
        amount,
      )
      boosted += 1
    }
    console.log(
      `${boosted} of ${amounts} amounts boosted as quoted, ${amounts - boosted} without a boost quote`,
    )
    assert.isAbove(boosted, amounts / 2)
    assert.isAbove(amounts - boosted, 0)
  })
})
