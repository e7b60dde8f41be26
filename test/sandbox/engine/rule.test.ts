import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { AssetId } from "#domain/chains/Asset.ts"
import { Bps } from "#domain/money/Bps.ts"
import type { BoostOffer, Offer, SwapView } from "#sandbox/engine/State.ts"
import type * as Network from "#sandbox/engine/Network.ts"
import { amountWorth } from "#sandbox/engine/pools.ts"
import { deposit, makeNetwork, native, open, passUntil, present, quoteOf, succeed } from "./support.ts"

const Commission = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000 }))
/** In native units of usdc.eth: from 30 to 300 000 dollars. */
const Value = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 30_000_000n, maximum: 300_000_000_000n }))
const Crumbs = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 999n }))

type Figures = Pick<Offer, "egress" | "fees" | "intermediate">

/** What the swap came to, in the terms of an offer. */
const outcomeOf = ({ swap, swapEgress, fees, destinationAsset }: SwapView): Figures => {
  const intermediate = present(swap).swappedIntermediateAmount
  return {
    egress: { asset: destinationAsset, amount: present(swapEgress).amount },
    fees: fees.filter(({ amount }) => amount > 0n),
    ...(intermediate === 0n ? {} : { intermediate: { asset: "usdc.eth", amount: intermediate } }),
  }
}

const assertAgree = (
  network: Network.Network,
  offer: Offer | BoostOffer,
  bps: number,
): void => {
  const opened = open(network, {
    sourceAsset: offer.ingress.asset,
    destinationAsset: offer.egress.asset,
    brokerCommissionBps: bps,
    boostFeeBps: "maximumBoostFeeBps" in offer ? offer.maximumBoostFeeBps : 0,
    ...(offer.dca === undefined ? {} : { dca: offer.dca }),
  })
  deposit(network, opened, offer.ingress.amount)
  const { egress, fees, intermediate } = offer
  assert.deepStrictEqual(outcomeOf(passUntil(network, opened, "completed")), {
    egress,
    fees: fees.filter(({ amount }) => amount > 0n),
    ...(intermediate === undefined ? {} : { intermediate }),
  })
}

describe("a quote and the swap that follows", () => {
  it.effect.prop(
    "agree to the last native unit, for every pair, plain, boosted and in chunks",
    [AssetId, AssetId, Value, Crumbs, Commission],
    ([sourceAsset, destinationAsset, value, crumbs, bps]) =>
      Effect.sync(() => {
        if (sourceAsset === destinationAsset) return
        const network = makeNetwork()
        const amount = native(amountWorth(network, sourceAsset, value) + crumbs)
        const quoted = quoteOf(network, {
          sourceAsset,
          destinationAsset,
          amount,
          commissionBps: Bps.make(bps),
        })
        if (Result.isFailure(quoted)) {
          assert.strictEqual(quoted.failure._tag, "InsufficientLiquidity")
          return
        }
        for (const { boostQuote, ...offer } of quoted.success) {
          assertAgree(network, offer, bps)
          if (boostQuote !== undefined) assertAgree(network, boostQuote, bps)
        }
      }),
    { arbitrary: { runs: 150, seed: "rule" } },
  )

  it("offers a boost for Bitcoin that costs what the pools' tiers come to", () => {
    const network = makeNetwork()
    const offers = succeed(quoteOf(network, { amount: native(400_000_000n), commissionBps: Bps.make(25) }))
    assert.strictEqual(offers.length, 2)
    for (const offer of offers) {
      const boost = present(offer.boostQuote)
      assert.strictEqual(boost.estimatedBoostFeeBps, 7)
      assert.strictEqual(boost.maximumBoostFeeBps, 30)
      assertAgree(makeNetwork(), boost, 25)
    }
  })
})
