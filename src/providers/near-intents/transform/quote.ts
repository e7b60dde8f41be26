import { BigDecimal } from "effect"
import type { ProviderName } from "../../../domain/ProviderName.ts"
import type { Quote } from "../../../domain/Quote.ts"
import { confirmationMillis } from "../chains.ts"
import type { WireFigures } from "../wire/quote.ts"
import { toFees } from "./fees.ts"
import type { Inquiry } from "./inquiry.ts"
import { estimatedPrice } from "./price.ts"

/**
 * A dry quote as an offer (near-intents/wire.md 1). The upstream's estimate counts from the confirmed deposit to
 * the payout and does not say what of it is which, so all of it is the swap's.
 */
export const toQuote = (
  wire: WireFigures,
  { pair, commissionBps, slippageBps }: Inquiry,
  platform: ProviderName,
): Quote => {
  const assets = { sourceAsset: pair.source.asset, destinationAsset: pair.destination.asset }
  const deposit = confirmationMillis(pair.source.chain)
  return {
    platform,
    ingress: { asset: assets.sourceAsset, amount: wire.amountIn },
    egress: { asset: assets.destinationAsset, amount: wire.amountOut },
    fees: toFees({ ...assets, amountIn: wire.amountIn, commissionBps, withdrawFee: wire.withdrawFee }),
    pools: [],
    lowLiquidityWarning: false,
    durations: { deposit, swap: wire.timeEstimate, egress: 0 },
    totalDuration: deposit + wire.timeEstimate,
    estimatedPrice: estimatedPrice(assets, wire.amountIn, wire.amountOut),
    recommendedSlippageTolerancePercent: BigDecimal.normalize(BigDecimal.make(BigInt(slippageBps), 2)),
  }
}
