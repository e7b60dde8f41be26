import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { addressFor } from "#test/contract/support/addresses.ts"
import { call } from "#test/contract/support/call.ts"
import { at, find, integerAt, textAt } from "#test/contract/support/Json.ts"
import { clearFaults, fault, recordOf } from "#test/contract/support/swaps.ts"
import { stretched } from "#test/support/slowness.ts"
import { Gates, withGates } from "./support/Chaos.ts"

const openings = { OPEN_FAILURES: "2", CIRCUIT_OPEN_TIME: "2 seconds", CIRCUIT_OPEN_TIME_MOST: "2 seconds" }

const open = (parameters: Readonly<Record<string, string>> = { amount: "0.3" }) =>
  call("GET", "/swap", {
    query: {
      sourceAsset: "btc.btc",
      destinationAsset: "eth.eth",
      destinationAddress: addressFor("eth.eth"),
      ...parameters,
    },
  })

/** Deposit channels that exist at the upstreams. */
const channels = Effect.map(call("GET", "/sandbox"), ({ body }) => {
  return integerAt(body, "openChannelCount") + integerAt(body, "nearIntents", "openOrderCount")
})

/** Opens a channel: the provider that did. */
const platformOf = Effect.gen(function* () {
  const { body, status, text } = yield* open()
  assert.strictEqual(status, 200, text)
  return textAt(yield* recordOf(body), "platform")
})

withGates(openings)("an opening", (it) => {
  it.effect("goes to the preferred provider while all is well", function* () {
    assert.strictEqual(yield* platformOf, "chainflip")
  })

  it.effect("whose connection is cut after it was sent is unknown, and happened exactly once", function* () {
    const { nearIntents } = yield* Gates
    const before = { channels: yield* channels, asked: nearIntents.calls(/v0\/quote/) }
    yield* fault({ provider: "chainflip", operation: "open", kind: "reset" })
    const { body, status } = yield* Effect.ensuring(open(), clearFaults)
    assert.strictEqual(status, 500)
    assert.isUndefined(find(body, "code"))
    assert.match(textAt(body, "detail"), /unknown/)
    assert.strictEqual(yield* channels, before.channels + 1)
    assert.strictEqual(nearIntents.calls(/v0\/quote/), before.asked, "nobody else was asked")
  })

  it.effect("that is refused goes to the next provider where the amount is given", function* () {
    yield* fault({ provider: "chainflip", operation: "open", code: "too_many_channels" })
    assert.strictEqual(yield* Effect.ensuring(platformOf, clearFaults), "near-intents")
  })

  it.effect("that is refused is refused to the caller where the next provider needs an amount", function* () {
    yield* fault({ provider: "chainflip", operation: "open", code: "too_many_channels" })
    const { body, status } = yield* Effect.ensuring(open({}), clearFaults)
    assert.strictEqual(status, 503)
    assert.strictEqual(at(body, "code"), "too_many_channels")
  })

  it.effect("goes to the next provider while connections are refused, and while the circuit is open", function* () {
    const { chainflip } = yield* Gates
    yield* chainflip.close
    for (let opening = 0; opening < 3; opening++) {
      assert.strictEqual(yield* platformOf, "near-intents")
    }
    yield* chainflip.reopen
    const before = chainflip.calls(/broker/)
    assert.strictEqual(yield* platformOf, "near-intents")
    assert.strictEqual(chainflip.calls(/broker/), before, "the circuit is open")
    yield* Effect.sleep(stretched(2_600))
    assert.strictEqual(yield* platformOf, "chainflip")
  })
})
