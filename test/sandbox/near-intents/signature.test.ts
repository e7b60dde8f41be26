import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ed25519 } from "@noble/curves/ed25519.js"
import { base58 } from "@scure/base"
import { canonical, publicKey, sign, type Signable, signedMessage } from "#sandbox/near-intents/signature.ts"
import { recordedOrder, stagingKey } from "#test/providers/near-intents/fixtures/signedQuotes.ts"

const bytesOf = (text: string): Uint8Array => base58.decode(text.replace("ed25519:", ""))
const verifies = (signable: Signable, signature: string, key: string): boolean =>
  ed25519.verify(bytesOf(signature), signedMessage(signable), bytesOf(key))

const nulls = { referral: null, virtualChainRecipient: null, customRecipientMsg: null }

describe("the signature of a quote", () => {
  it("covers what the real service's covers", () => {
    assert.isTrue(verifies(recordedOrder, recordedOrder.signature, stagingKey))
    const repeated = Object.fromEntries(Object.entries({ ...recordedOrder.quoteRequest, ...nulls }).reverse())
    assert.isTrue(verifies({ ...recordedOrder, quoteRequest: repeated }, recordedOrder.signature, stagingKey))
  })

  const changes: ReadonlyArray<readonly [string, Signable]> = [
    ["another deposit address", {
      ...recordedOrder,
      quote: { ...recordedOrder.quote, depositAddress: "bc1q" },
    }],
    ["another recipient", {
      ...recordedOrder,
      quoteRequest: { ...recordedOrder.quoteRequest, recipient: "0x" },
    }],
    ["another time", { ...recordedOrder, timestamp: "2026-06-23T17:10:41.105Z" }],
    ["a referral", { ...recordedOrder, quoteRequest: { ...recordedOrder.quoteRequest, referral: "me" } }],
  ]
  it.effect.each(changes)(
    "does not cover %s",
    ([, changed]) =>
      Effect.sync(() => assert.isFalse(verifies(changed, recordedOrder.signature, stagingKey))),
  )

  it("is over one flat object with sorted members and no spaces", () => {
    const textOf = (dry: boolean) =>
      canonical({
        timestamp: "T",
        quoteRequest: { dry, deadline: "early", appFees: [1], quoteWaitingTimeMs: 5 },
        quote: {
          deadline: "late",
          amountIn: "1",
          customRecipientMsg: { b: [{ d: 1, c: 2 }], a: null },
          new: 1,
        },
      })
    assert.strictEqual(
      textOf(false),
      '{"amountIn":"1","customRecipientMsg":{"a":null,"b":[{"c":2,"d":1}]},"deadline":"late","dry":false,' +
        '"quoteWaitingTimeMs":5,"timestamp":"T"}',
      "what a later version adds is not signed",
    )
    assert.strictEqual(
      textOf(true),
      '{"amountIn":"1","deadline":"early","dry":true,"quoteWaitingTimeMs":5,"timestamp":"T"}',
      "of a dry quote only the amounts are signed",
    )
  })

  it("verifies with the sandbox's own key unless it is meant to be bad", () => {
    assert.isTrue(verifies(recordedOrder, sign(recordedOrder, false), publicKey))
    assert.isFalse(verifies(recordedOrder, sign(recordedOrder, true), publicKey))
  })
})
