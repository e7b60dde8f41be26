import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { addressFor } from "#test/contract/support/addresses.ts"
import { call } from "#test/contract/support/call.ts"
import { find, integerAt, textAt } from "#test/contract/support/Json.ts"
import { pathOf, payloadParameters } from "#test/contract/support/payloads.ts"
import { clearFaults, fault } from "#test/contract/support/swaps.ts"
import { Front, withFront } from "./support/Front.ts"
import type { Trouble } from "./support/troubles.ts"

const alwaysAsking = { CIRCUIT_MINIMUM_CALLS: "10000", CIRCUIT_WINDOW: "10000", OPEN_FAILURES: "1000" }

const askPayload = call("GET", pathOf("evm"), {
  query: payloadParameters("evm", { destinationAsset: "btc.btc", destinationAddress: addressFor("btc.btc") }),
})

/** What asks for a payload, by provider: all but a quote that names nobody. */
const encodings = {
  thorchain: /^\/thorchain\/thorchain\/quote\/swap.*destination=/,
  maya: /^\/maya\/mayachain\/quote\/swap.*destination=/,
  chainflip: /^\/chainflip\/broker/,
}

const troubles: ReadonlyArray<Trouble> = ["reset", "halfBody", "notHttp", "notJson", "error500", "overloaded"]

/** Asks while the calls of these paths meet a trouble: who made the payload, and how often each was asked. */
const askWhile = Effect.fnUntraced(function* (trouble: Trouble, path: RegExp) {
  const front = yield* Front
  const count = () => ({
    thorchain: front.calls(encodings.thorchain),
    maya: front.calls(encodings.maya),
    chainflip: front.calls(encodings.chainflip),
  })
  const before = count()
  front.misbehave(trouble, path)
  const { body, status, text } = yield* Effect.ensuring(askPayload, Effect.sync(front.behave))
  const after = count()
  assert.strictEqual(status, 200, text)
  return {
    platform: textAt(body, "platform"),
    asked: [after.thorchain - before.thorchain, after.maya - before.maya, after.chainflip - before.chainflip],
  }
})

withFront({ ...alwaysAsking, PROVIDERS: "thorchain,maya,chainflip" })("a payload", (it) => {
  it.effect("is made by the preferred provider while all is well", function* () {
    const { asked, platform } = yield* askWhile("hang", /^\/none/)
    assert.strictEqual(platform, "thorchain")
    assert.deepStrictEqual(asked, [1, 0, 0])
  })

  it.effect.each(troubles)(
    "is made by the next where the preferred is in trouble: %s",
    function* (trouble) {
      const { asked, platform } = yield* askWhile(trouble, encodings.thorchain)
      assert.strictEqual(platform, "maya")
      assert.deepStrictEqual(asked, [1, 1, 0], "each once")
    },
  )

  it.effect.each(troubles)(
    "is made by the last where both networks are in trouble: %s",
    function* (trouble) {
      const { asked, platform } = yield* askWhile(trouble, /^\/(?:thorchain|maya)\//)
      assert.strictEqual(platform, "chainflip")
      assert.isAtMost(Math.max(...asked), 1, "each at most once")
    },
  )
})

const open = call("GET", "/swap", {
  query: {
    sourceAsset: "btc.btc",
    destinationAsset: "eth.eth",
    destinationAddress: addressFor("eth.eth"),
    refundAddress: addressFor("btc.btc"),
    amount: "0.3",
  },
})

withFront({ ...alwaysAsking, PROVIDERS: "relay,chainflip,near-intents" })("an opening at Relay", (it) => {
  it.effect("whose connection is cut after it was sent is unknown, and nobody else is asked", function* () {
    const front = yield* Front
    const opened = Effect.map(call("GET", "/sandbox"), ({ body }) => ({
      relay: integerAt(body, "relay", "openRequestCount"),
      others: integerAt(body, "openChannelCount") + integerAt(body, "nearIntents", "openOrderCount"),
    }))
    const before = { opened: yield* opened, asked: front.calls(/^\/relay\/quote/) }
    yield* fault({ provider: "relay", operation: "open", kind: "reset" })
    const { body, status } = yield* Effect.ensuring(open, clearFaults)
    assert.strictEqual(status, 500)
    assert.isUndefined(find(body, "code"))
    assert.match(textAt(body, "detail"), /unknown/)
    const { others, relay } = before.opened
    assert.deepStrictEqual(yield* opened, { relay: relay + 1, others })
    assert.strictEqual(front.calls(/^\/relay\/quote/) - before.asked, 1, "asked once")
  })
})
