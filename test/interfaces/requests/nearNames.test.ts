import { assert, describe, it } from "@effect/vitest"
import { swapParameterNames } from "#api/Swap.ts"
import { payloadNamesOf } from "#api/TxPayload.ts"
import { nearMiss } from "#interfaces/requests/nearNames.ts"

const solana = payloadNamesOf("solana")

/** A name that others use, or that was mistyped, and the parameter that is meant. */
const nearMisses: ReadonlyArray<readonly [given: string, means: string]> = [
  ["source_asset", "sourceAsset"],
  ["sourceasset", "sourceAsset"],
  ["SourceAsset", "sourceAsset"],
  ["source-asset", "sourceAsset"],
  ["srcAsset", "sourceAsset"],
  ["fromAsset", "sourceAsset"],
  ["destinationAssets", "destinationAsset"],
  ["destAsset", "destinationAsset"],
  ["destinationAdress", "destinationAddress"],
  ["destinationAdres", "destinationAddress"],
  ["destination_address", "destinationAddress"],
  ["recipient", "destinationAddress"],
  ["boost_fee", "boostFee"],
  ["boostFees", "boostFee"],
  ["maxBoostFeeBps", "boostFee"],
  ["minPrice", "minimumPrice"],
  ["minimunPrice", "minimumPrice"],
  ["minimum_price", "minimumPrice"],
  ["slippage", "minimumPrice"],
  ["slippageTolerancePercent", "minimumPrice"],
  ["maxSlippageBps", "minimumPrice"],
  ["refundAdress", "refundAddress"],
  ["refundAddres", "refundAddress"],
  ["refund_address", "refundAddress"],
  ["refundAddress[]", "refundAddress"],
  ["returnAddress", "refundAddress"],
  ["retryDuration", "retryDurationInBlocks"],
  ["retryDurationInBlock", "retryDurationInBlocks"],
  ["retry_duration", "retryDurationInBlocks"],
  ["numberOfChunk", "numberOfChunks"],
  ["chunks", "numberOfChunks"],
  ["chunkInterval", "chunkIntervalBlocks"],
  ["commision", "commissionBps"],
  ["comissionBps", "commissionBps"],
  ["brokerCommissionBps", "commissionBps"],
  ["affiliate", "affiliate1"],
  ["affiliate2Bps", "affiliate2CommissionBps"],
  ["affiliate3Account", "affiliate3"],
  ["affiliateCommissionBps", "affiliate1CommissionBps"],
  ["affiliate5", "affiliate4"],
  ["affiliate12CommissionBps", "affiliate4"],
  ["ammount", "amount"],
  ["amount_native", "amountNative"],
  ["provider", "platform"],
  ["platfrom", "platform"],
  ["ccmpayload", "ccmPayload"],
  ["channel_metadata", "ccmPayload"],
  ["idempotencyKey", "Idempotency-Key"],
  ["Idempotency-Key", "Idempotency-Key"],
]

/** What clients send to services of this kind and what means nothing here: it changes nothing that is opened. */
const harmless = [
  "from",
  "to",
  "source",
  "destination",
  "address",
  "account",
  "asset",
  "network",
  "chain",
  "chainId",
  "sourceAddress",
  "senderAddress",
  "walletAddress",
  "userAddress",
  "userId",
  "externalId",
  "orderId",
  "referrer",
  "referral",
  "partner",
  "client",
  "version",
  "locale",
  "lang",
  "format",
  "fee",
  "interval",
  "timestamp",
  "nonce",
  "count",
  "offset",
  "unknown",
  "seed",
  "_",
  "x",
  "",
]

describe("nearMiss", () => {
  it.each(nearMisses)("takes %s for a slip, and names %s", (given, means) => {
    assert.include(nearMiss(given, swapParameterNames), means)
  })

  it.each(swapParameterNames)("names %s for every slip of one letter in it", (name) => {
    const slips = [...name].map((_, at) => `${name.slice(0, at)}${name.slice(at + 1)}`)
    for (const slip of slips.filter((slip) => !swapParameterNames.includes(slip))) {
      const sentence = nearMiss(slip, swapParameterNames) ?? ""
      // The numbers of affiliates are a letter apart, so that any of them may be meant.
      assert.include(sentence, name.replace(/[1-4].*/, ""), slip)
    }
  })

  it.each(harmless)("lets %j pass on /swap", (name) => {
    assert.isUndefined(nearMiss(name, swapParameterNames))
  })

  it("knows the sender of a transaction only where one is asked for", () => {
    assert.include(nearMiss("sender", solana), "sourceAddress")
    assert.include(nearMiss("source_address", solana), "sourceAddress")
    assert.isUndefined(nearMiss("sender", payloadNamesOf("evm")))
    assert.isUndefined(nearMiss("feed", solana))
  })
})
