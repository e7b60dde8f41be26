import { assert, describe, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { addressFor } from "#test/contract/support/addresses.ts"
import { brokerOfTwo } from "#test/contract/support/accounts.ts"
import { at, find, integerAt, type Json, listAt, textAt } from "#test/contract/support/Json.ts"
import { answerOf, callTool, refusalOf } from "./support/agent.ts"
import { opening } from "./support/opening.ts"

const pair = { sourceAsset: "btc.btc", destinationAsset: "usdc.eth" }
const ends = { destinationAddress: addressFor("usdc.eth"), refundAddress: addressFor("btc.btc") }
const asked = { amountOut: "5000.25" }
const settings = { PROVIDERS: "chainflip,near-intents,relay", QUOTE_GRACE: "1 minute" }

const does = (name: string, given: Readonly<Record<string, unknown>>) =>
  Effect.map(callTool(name, given), answerOf)

const named = (quotes: Json, platform: string): Json =>
  listAt(quotes, "quotes").find((quote) => textAt(quote, "platform") === platform) ?? assert.fail(platform)

describe("an output that an agent asks for", () => {
  layer(brokerOfTwo(settings), { excludeTestServices: true })("of a broker", (it) => {
    it.effect("is quoted, prepared with what is sent at the most, and arrives to the unit", function* () {
      const quotes = yield* does("get_quotes", { ...pair, ...asked })
      assert.sameMembers(listAt(quotes, "quotes").map((quote) => textAt(quote, "platform")), [
        "near-intents",
        "relay",
      ])
      for (const platform of ["near-intents", "relay"]) {
        const quote = named(quotes, platform)
        const most = textAt(quote, "exactOutput", "sendAtMostNative")
        const prepared = yield* does("prepare_swap", {
          ...pair,
          ...ends,
          quoteId: textAt(quote, "quoteId"),
          minimumPrice: "60000",
        })
        const summary = textAt(prepared, "summary")
        assert.match(
          summary,
          /^You send about 0\.07\d+ BTC on Bitcoin, and no more than 0\.08333\d+ BTC on Bitcoin\. /,
        )
        assert.include(
          summary,
          `Exactly 5000.25 USDC on Ethereum arrives, through ${platform}, or the deposit is refunded.`,
        )
        assert.include(summary, ". If more would have to be sent, nothing is opened.")
        assert.strictEqual(textAt(prepared, "minimumAmount"), "5000.25")
        const swapId = integerAt(yield* does("open_swap", opening(prepared)), "id")
        const payment = yield* does("get_payment", { swapId })
        const amount = textAt(payment, "payment", "amountNative")
        assert.isTrue(BigInt(amount) <= BigInt(most))
        const depositAmount = textAt(payment, "payment", "amount")
        yield* does("sandbox_advance", { swapId, depositAmount, advanceSeconds: 7_200 })
        const swap = yield* does("get_swap", { swapId })
        assert.strictEqual(textAt(swap, "swap", "state"), "completed", JSON.stringify(swap))
      }
    })

    it.effect("is prepared without a quote, and said once", function* () {
      const wish = { ...pair, ...ends, ...asked, minimumPrice: "60000" }
      const prepared = yield* does("prepare_swap", wish)
      assert.include(["near-intents", "relay"], textAt(prepared, "platform"))
      const within = yield* does("prepare_swap", {
        ...wish,
        minimumPrice: undefined,
        slippageTolerancePercent: "1",
      })
      assert.match(
        textAt(within, "summary"),
        /^You send about 0\.07\d+ BTC on Bitcoin, and no more than 0\.07\d+ BTC/,
      )
      const refused = (changes: Readonly<Record<string, unknown>>) =>
        Effect.map(
          callTool("prepare_swap", { ...wish, ...changes }),
          (result) => Object.keys(at(refusalOf(result), "errors") ?? {}),
        )
      assert.deepStrictEqual(yield* refused({ amount: "0.1" }), ["amount"])
      assert.deepStrictEqual(yield* refused({ amountOut: "much" }), ["amountOut"])
      assert.deepStrictEqual(yield* refused({ minimumPrice: undefined, minimumReceived: "5000" }), [
        "minimumReceived",
      ])
      const { errors } = {
        errors: at(refusalOf(yield* callTool("get_quotes", { ...pair, ...asked, amount: "1" })), "errors"),
      }
      assert.isDefined(find(errors, "amount"))
    })
  })
})
