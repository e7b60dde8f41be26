import { Buffer } from "node:buffer"
import { createHash, createPublicKey, verify } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { base58 } from "@scure/base"
import { Result } from "effect"
import { order } from "./fixtures/quote.ts"
import { recordedDryQuote, recordedOrder, stagingKey } from "./fixtures/signedQuotes.ts"
import {
  canonicalJson,
  productionKey,
  signedText,
  SigningKey,
  verifyQuote,
} from "#providers/near-intents/signature.ts"

const key = SigningKey.make(stagingKey)

const verifies = (body: unknown, with_ = key): boolean => Result.isSuccess(verifyQuote(body, with_))

describe("The signature of a 1Click quote", () => {
  it("verifies on recorded answers, dry and not", () => {
    assert.isTrue(verifies(recordedOrder))
    assert.isTrue(verifies(recordedDryQuote))
  })

  it("is taken of no text that nobody could want to keep", () => {
    const quote = { ...recordedOrder.quote, amountOutFormatted: "1".repeat(20_000) }
    const told = verifyQuote({ ...recordedOrder, quote }, key)
    assert.isTrue(Result.isFailure(told))
    assert.match(Result.isFailure(told) ? told.failure.detail : "", /of 16384 characters at most/)
  })

  it("is given with the text that it is of, so that anybody can verify it by the rule of the contract", () => {
    const { publicKey, signature, text } = Result.getOrThrow(verifyQuote(recordedOrder, key))
    assert.include(text, `"depositAddress":"${recordedOrder.quote.depositAddress}"`)
    const bytes = (written: string) => base58.decode(written.replace("ed25519:", ""))
    const message = (of: string) => Buffer.from(base58.encode(createHash("sha256").update(of).digest()))
    const raw = createPublicKey({
      format: "jwk",
      key: { kty: "OKP", crv: "Ed25519", x: Buffer.from(bytes(publicKey)).toString("base64url") },
    })
    assert.isTrue(verify(null, message(text), raw, bytes(signature)))
    assert.isFalse(verify(null, message(text.replace("bc1q", "bc1p")), raw, bytes(signature)))
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
  it.each<readonly [name: string, body: unknown]>([
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
  ])("does not verify with %s", (_, body) => {
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

describe("What is signed of a 1Click quote", () => {
  const request = {
    dry: false,
    swapType: "FLEX_INPUT",
    slippageTolerance: 100,
    originAsset: "nep141:btc.omft.near",
    depositType: "ORIGIN_CHAIN",
    destinationAsset: "nep141:eth.omft.near",
    amount: "10000000",
    refundTo: "bc1q6mte80265ghwq4vsrpm9lnaz46uvdreu9z8wly",
    refundType: "ORIGIN_CHAIN",
    recipient: "0xcac3C41676deF4FE375E57118f3eB83A99105577",
    recipientType: "DESTINATION_CHAIN",
    deadline: "2026-11-22T08:00:00.000Z",
    virtualChainRecipient: "0x1",
    customRecipientMsg: "hello",
    referral: "somebody",
  }
  const { deadline: _, ...unended } = order
  /** Hashes that the upstream's SDK (0.1.25, `quoteHash`) gives of the same answers. */
  it.each<readonly [name: string, request: object, quote: object, hash: string]>([
    ["without a deadline of its own", request, unended, "hvuMTAZiRtmPREFBJxjdeaE48MzAz7Zwsazi6ynrgwL"],
    [
      "with members that the request has too",
      request,
      { ...unended, deadline: "2026-11-22T08:30:00.000Z", customRecipientMsg: "bye" },
      "4xwZF3fAk3hk7tNrKb8NRNjxe9URmeQqfLqSBpC3HzF3",
    ],
    ["that is dry", { ...request, dry: true }, unended, "GJbR1eSCdPyUskVLEpSX8eqJGpEueK6bVBXHVxACHXYa"],
  ])("is what the upstream's own SDK takes of one %s", (_, quoteRequest, quote, hash) => {
    const text = signedText({
      signature: "",
      timestamp: "2026-11-21T05:00:00.000Z",
      quoteRequest: { ...quoteRequest },
      quote: { ...quote },
    })
    assert.strictEqual(base58.encode(sha256(utf8ToBytes(text))), hash)
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
