import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ed25519 } from "@noble/curves/ed25519.js"
import { base58 } from "@scure/base"
import {
  canonical,
  publicKey,
  sign,
  type Signable,
  signedMessage,
} from "../../../src/sandbox/near-intents/signature.ts"

const bytesOf = (text: string): Uint8Array => base58.decode(text.replace("ed25519:", ""))
const verifies = (signable: Signable, signature: string, key: string): boolean =>
  ed25519.verify(bytesOf(signature), signedMessage(signable), bytesOf(key))

/** Recorded from the real service's staging environment. */
const recordedKey = "ed25519:5J5tkaxyPoR3Q9S8LXfo5bWnXK5Z2bctJ4mB9gENh7co"
const recorded: Signable = {
  timestamp: "2026-06-23T17:10:41.104Z",
  quoteRequest: {
    dry: false,
    depositMode: "SIMPLE",
    swapType: "EXACT_INPUT",
    slippageTolerance: 100,
    originAsset: "1cs_v1:btc:native:coin",
    depositType: "ORIGIN_CHAIN",
    destinationAsset: "nep141:eth-0xdac17f958d2ee523a2206206994597c13d831ec7.stft.near",
    amount: "10000",
    refundTo: "bc1q6mte80265ghwq4vsrpm9lnaz46uvdreu9z8wly",
    refundType: "ORIGIN_CHAIN",
    recipient: "0xcac3C41676deF4FE375E57118f3eB83A99105577",
    recipientType: "DESTINATION_CHAIN",
    deadline: "2026-06-23T19:00:00.000Z",
    confidentiality: "public",
    quoteWaitingTimeMs: 0,
    appFees: [{ recipient: "5880ad2b362620fadf759cbceb1cd5737ce8c6ed7fb8e9942881e6731f9247dd", fee: 10 }],
  },
  quote: {
    amountIn: "10000",
    amountInFormatted: "0.0001",
    amountInUsd: "6.237600000000",
    minAmountIn: "10000",
    amountOut: "5931560",
    amountOutFormatted: "5.93156",
    amountOutUsd: "5.925171709880",
    minAmountOut: "5872244",
    timeEstimate: 812,
    refundFee: "1900",
    withdrawFee: "300000",
    deadline: "2026-06-26T19:00:00.000Z",
    timeWhenInactive: "2026-06-26T19:00:00.000Z",
    depositAddress: "bc1q873cxltdc560dth6tpwqpehq9uvhxxcdgwnmnw",
  },
}
const recordedSignature =
  "ed25519:53wcpim7FDNLbBHVezUpakthWq2TR9Lag3PwW3e8Cxmz4bFEodcc4rui5BiVHRRaHocYE9URVapzJD8JxLNDs8K9"

const nulls = { referral: null, virtualChainRecipient: null, customRecipientMsg: null }

describe("the signature of a quote", () => {
  it("covers what the real service's covers", () => {
    assert.isTrue(verifies(recorded, recordedSignature, recordedKey))
    const repeated = Object.fromEntries(Object.entries({ ...recorded.quoteRequest, ...nulls }).reverse())
    assert.isTrue(verifies({ ...recorded, quoteRequest: repeated }, recordedSignature, recordedKey))
  })

  const changes: ReadonlyArray<readonly [string, Signable]> = [
    ["another deposit address", { ...recorded, quote: { ...recorded.quote, depositAddress: "bc1q" } }],
    ["another recipient", { ...recorded, quoteRequest: { ...recorded.quoteRequest, recipient: "0x" } }],
    ["another time", { ...recorded, timestamp: "2026-06-23T17:10:41.105Z" }],
    ["a referral", { ...recorded, quoteRequest: { ...recorded.quoteRequest, referral: "me" } }],
  ]
  it.effect.each(changes)(
    "does not cover %s",
    ([, changed]) => Effect.sync(() => assert.isFalse(verifies(changed, recordedSignature, recordedKey))),
  )

  it("is over one flat object with sorted members and no spaces", () => {
    const text = canonical({
      timestamp: "T",
      quoteRequest: { dry: true, deadline: "early", appFees: [1], quoteWaitingTimeMs: 5 },
      quote: { deadline: "late", amountIn: "1", nested: { b: [{ d: 1, c: 2 }], a: null } },
    })
    assert.strictEqual(
      text,
      '{"amountIn":"1","deadline":"late","dry":true,"nested":{"a":null,"b":[{"c":2,"d":1}]},' +
        '"quoteWaitingTimeMs":5,"timestamp":"T"}',
    )
  })

  it("verifies with the sandbox's own key unless it is meant to be bad", () => {
    assert.isTrue(verifies(recorded, sign(recorded, false), publicKey))
    assert.isFalse(verifies(recorded, sign(recorded, true), publicKey))
  })
})
