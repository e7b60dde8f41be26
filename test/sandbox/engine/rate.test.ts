import { assert, describe, it } from "@effect/vitest"
import { Bps } from "#domain/money/Bps.ts"
import { rateOf } from "#sandbox/engine/pools.ts"
import type { RateQuery } from "#sandbox/engine/State.ts"
import { makeNetwork, native, present, quoteOf, refused, succeed, units } from "./support.ts"

describe("the node's rate", () => {
  const query = {
    sourceAsset: "btc.btc",
    destinationAsset: "eth.eth",
    amount: native(25_000_000n),
    commissionBps: Bps.make(25),
  } as const

  it("has the figures of the quote", () => {
    const network = makeNetwork()
    const rate = succeed(rateOf(network, query))
    const [offer] = succeed(quoteOf(network, query))
    const { egress, intermediate, fees } = present(offer)
    assert.strictEqual(rate.output, egress.amount)
    assert.strictEqual(rate.intermediary, intermediate?.amount)
    assert.deepStrictEqual(
      [rate.ingressFee, rate.networkFee, rate.brokerCommission, rate.egressFee],
      fees.map((fee) => fee.amount),
    )
  })

  it("leaves out the fees that it is asked to", () => {
    const network = makeNetwork()
    const excludedFees = ["IngressDepositChannel", "Network", "Egress"] as const
    const rate = succeed(rateOf(network, { ...query, excludedFees }))
    assert.deepStrictEqual([rate.ingressFee, rate.networkFee, rate.egressFee], [
      native(0n),
      native(0n),
      native(0n),
    ])
  })

  it("simulates a chunk and scales it", () => {
    const network = makeNetwork()
    const half = succeed(rateOf(network, { ...query, amount: native(12_500_155n) }))
    const whole = succeed(rateOf(network, { ...query, numberOfChunks: 2 }))
    assert.strictEqual(whole.output + whole.egressFee, 2n * (half.output + half.egressFee))
  })

  it("is refused for nothing, for an asset with itself, for less than the ingress fee, and without liquidity", () => {
    const network = makeNetwork()
    const tag = (changes: Partial<RateQuery>) => refused(rateOf(network, { ...query, ...changes }))._tag
    assert.strictEqual(tag({ amount: native(0n) }), "ZeroInput")
    assert.strictEqual(tag({ destinationAsset: "btc.btc" }), "AssetsCannotBeSwapped")
    assert.strictEqual(tag({ amount: native(309n) }), "IngressFeeNotCovered")
    assert.strictEqual(tag({ amount: units("btc.btc", "5000") }), "InsufficientLiquidity")
  })
})
