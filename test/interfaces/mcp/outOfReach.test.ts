import { assert, describe, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { addressFor } from "#test/contract/support/addresses.ts"
import { brokerOfTwo } from "#test/contract/support/accounts.ts"
import { call } from "#test/contract/support/call.ts"
import { at, listAt, textAt } from "#test/contract/support/Json.ts"
import { answerOf, callTool, refusalOf } from "./support/agent.ts"
import { opening } from "./support/opening.ts"

const pair = { sourceAsset: "btc.btc", destinationAsset: "usdc.eth", amount: "0.1" }
const ends = { destinationAddress: addressFor("usdc.eth"), refundAddress: addressFor("btc.btc") }
const wish = { ...pair, ...ends, minimumPrice: "1000000" }

const named = (found: unknown) => Object.keys(Object(found))

describe("a least price above the present one", () => {
  layer(brokerOfTwo({ PROVIDERS: "chainflip,near-intents,relay", QUOTE_GRACE: "1 minute" }), {
    excludeTestServices: true,
  })("of a broker", (it) => {
    it.effect("is refused by prepare_swap for who waits for no price, as its opening is", function* () {
      for (const platform of ["near-intents", "relay"]) {
        const opened = yield* call("GET", "/swap", { query: { ...wish, platform } })
        const prepared = yield* callTool("prepare_swap", { ...wish, platform })
        assert.deepStrictEqual(named(at(opened.body, "errors")), ["minimumPrice"])
        assert.deepStrictEqual(named(at(refusalOf(prepared), "errors")), ["minimumPrice"])
      }
    })

    it.effect("is prepared with who waits for it, with a warning, as it is opened", function* () {
      const prepared = yield* Effect.map(callTool("prepare_swap", wish), answerOf)
      assert.strictEqual(textAt(prepared, "platform"), "chainflip")
      assert.match(
        listAt(prepared, "warnings").join("\n"),
        /above the best current price of [0-9.]+\. Unless the price rises/,
      )
      const opened = yield* Effect.map(callTool("open_swap", opening(prepared)), answerOf)
      assert.strictEqual(textAt(opened, "refundsTo"), "address")
    })

    it.effect("a tag of the recipient is refused with the reason", function* () {
      const refused = yield* callTool("prepare_swap", { ...wish, destinationTag: "7" })
      const errors = at(refusalOf(refused), "errors")
      assert.deepStrictEqual(named(errors), ["destinationTag"])
      assert.match(JSON.stringify(errors), /no provider can pay with/)
    })
  })
})
