import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { canonicalJson } from "../../../src/providers/near-intents/signature/canonicalJson.ts"
import { productionKey, SigningKey } from "../../../src/providers/near-intents/signature/SigningKey.ts"
import { verifyQuote } from "../../../src/providers/near-intents/signature/verifyQuote.ts"
import { recordedDryQuote, recordedOrder, stagingKey } from "./fixtures/signedQuotes.ts"

const key = SigningKey.make(stagingKey)

const verifies = (body: unknown, with_ = key): boolean => Result.isSuccess(verifyQuote(body, with_))

describe("The signature of a 1Click quote", () => {
  it("verifies on recorded answers, dry and not", () => {
    assert.isTrue(verifies(recordedOrder))
    assert.isTrue(verifies(recordedDryQuote))
  })

  it("verifies on the echo in a status, whose members have another order and are null where not set", () => {
    const { quoteRequest } = recordedOrder
    const members = Object.entries(quoteRequest).toReversed()
    assert.isTrue(verifies({
      ...recordedOrder,
      quoteRequest: {
        ...Object.fromEntries(members),
        referral: null,
        virtualChainRecipient: null,
        virtualChainRefundRecipient: null,
        customRecipientMsg: "",
      },
    }))
  })

  it("does not cover the commission and members of the quote that nobody reads", () => {
    assert.isTrue(
      verifies({ ...recordedOrder, quote: { ...recordedOrder.quote, chainDepositAddresses: [] } }),
    )
    assert.isTrue(
      verifies({ ...recordedOrder, quoteRequest: { ...recordedOrder.quoteRequest, appFees: [] } }),
    )
  })

  const { quote, quoteRequest } = recordedOrder
  const forged: ReadonlyArray<readonly [name: string, body: unknown]> = [
    ["another deposit address", {
      ...recordedOrder,
      quote: { ...quote, depositAddress: "bc1q6mte80265ghwq4vsrpm9lnaz46uvdreu9z8wly" },
    }],
    ["another least output", { ...recordedOrder, quote: { ...quote, minAmountOut: "5872245" } }],
    ["another deadline", { ...recordedOrder, quote: { ...quote, deadline: "2026-06-27T19:00:00.000Z" } }],
    ["a memo", { ...recordedOrder, quote: { ...quote, depositMemo: "7" } }],
    ["another recipient", {
      ...recordedOrder,
      quoteRequest: { ...quoteRequest, recipient: "0x000000000000000000000000000000000000dEaD" },
    }],
    ["a referral", { ...recordedOrder, quoteRequest: { ...quoteRequest, referral: "somebody" } }],
    ["another time", { ...recordedOrder, timestamp: "2026-06-23T17:10:41.105Z" }],
    ["another answer's signature", { ...recordedOrder, signature: recordedDryQuote.signature }],
    ["text for a signature", { ...recordedOrder, signature: "ed25519:not base58" }],
    ["a signature that is too short", { ...recordedOrder, signature: "ed25519:3yVRcYGXRVj2YqrUng4Ne" }],
    ["a signature of another kind", {
      ...recordedOrder,
      signature: recordedOrder.signature.replace("ed25519", "secp256k1"),
    }],
  ]

  it.each(forged)("does not verify with %s", (_, body) => {
    assert.isFalse(verifies(body))
  })

  it("does not verify with another key", () => {
    assert.isFalse(verifies(recordedOrder, productionKey))
  })

  it("is missed by its path", () => {
    const { signature: _, ...unsigned } = recordedOrder
    const fault = Result.getOrThrow(Result.flip(verifyQuote(unsigned, key)))
    assert.strictEqual(fault.detail, "signature: expected a value, got nothing")
  })
})

describe("A signing key", () => {
  const faulty = ["", "ed25519:", stagingKey.slice(8), `${stagingKey}1`, stagingKey.replace("5J5", "0OI")]

  it.each(faulty)("cannot be %s", (text) => {
    assert.throws(() => SigningKey.make(text))
  })
})

describe("Canonical JSON", () => {
  it("has its keys in the order of code units at every level, no spaces and no absent members", () => {
    assert.strictEqual(
      canonicalJson({ b: [{ z: 1, Z: null }, "ü\n"], a: undefined, B: { 10: true, 9: 0.5 } }),
      `{"B":{"10":true,"9":0.5},"b":[{"Z":null,"z":1},"ü\\n"]}`,
    )
  })
})
