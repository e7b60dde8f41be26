import { BigDecimal, Duration } from "effect"
import { type NativeAmount, toHuman } from "../../domain/Amount.ts"
import { type AssetId, chainOf, factsOf } from "../../domain/Asset.ts"
import { stateChainBlockMillis } from "../../domain/Chain.ts"
import { formatDecimal } from "../../domain/Decimal.ts"
import type { Price } from "../../domain/Price.ts"
import type { ProviderName } from "../../domain/ProviderName.ts"
import type { SwapRequest } from "../../domain/SwapRequest.ts"
import { shownAddress } from "../addresses.ts"

/** A swap that was checked, and what is offered for it. */
interface Prepared {
  readonly request: SwapRequest
  readonly amount: NativeAmount
  readonly platform: ProviderName
  readonly egress: NativeAmount
  readonly estimatedPrice: Price
}

const named = (asset: AssetId, amount: BigDecimal.BigDecimal): string => {
  const { chain, ticker } = factsOf(asset)
  return `${formatDecimal(amount)} ${ticker} on ${chain}`
}

/** How far below the offer a least price is given without a warning, in bps. */
const farBelowBps = 500n
const wholeBps = 10_000n

const warningsOf = ({ estimatedPrice, request: { minimumPrice } }: Prepared): ReadonlyArray<string> => {
  if (BigDecimal.isGreaterThan(minimumPrice, estimatedPrice)) {
    return [
      "The least price is above the present one: unless the price rises in time, the deposit goes back, less fees.",
    ]
  }
  const floor = BigDecimal.multiply(estimatedPrice, BigDecimal.make(wholeBps - farBelowBps, 4))
  return BigDecimal.isLessThan(minimumPrice, floor)
    ? [
      "The least price is more than 5 % below the present one: the swap may bring that much less than quoted.",
    ]
    : []
}

/** The commission of all brokers together, in bps. */
export const totalCommission = ({ affiliates, commissionBps }: SwapRequest): number =>
  affiliates.reduce<number>((sum, affiliate) => sum + affiliate.commissionBps, commissionBps)

const share = (bps: number): string => `${bps} bps (${formatDecimal(BigDecimal.make(BigInt(bps), 2))} %)`

/** Who takes which share of the swap, affiliates by their accounts; nothing where nobody does. */
const commissionLines = (request: SwapRequest): ReadonlyArray<string> => {
  const total = totalCommission(request)
  return total === 0 && request.affiliates.length === 0 ? [] : [
    `Commission in all: ${share(total)}, which the amount above already allows for.`,
    ...request.affiliates.map(({ account, commissionBps }) =>
      `Of it, ${share(commissionBps)} goes to the affiliate ${account}.`
    ),
  ]
}

const boostLines = ({ maximumBoostFeeBps }: SwapRequest): ReadonlyArray<string> =>
  maximumBoostFeeBps === 0
    ? []
    : [`For a faster start, a boost fee of up to ${share(maximumBoostFeeBps)} may come off the deposit.`]

/** How long the least price is waited for before the deposit goes back. */
const retryLine = ({ retryDurationBlocks }: SwapRequest): string =>
  retryDurationBlocks === 0
    ? "The least price is tried once, without waiting."
    : `The least price is tried for up to ${retryDurationBlocks} blocks (${
      Duration.format(Duration.millis(retryDurationBlocks * stateChainBlockMillis))
    }).`

/** What a swap comes to in plain words, for the human who confirms it. */
export const summarise = (prepared: Prepared) => {
  const { amount, egress, platform, request } = prepared
  const { dca, destinationAddress, destinationAsset, minimumPrice, refundAddress, sourceAsset } = request
  const source = toHuman(sourceAsset, amount)
  const least = BigDecimal.multiply(source, minimumPrice)
  const minimumAmount = BigDecimal.scale(least, Math.min(least.scale, factsOf(destinationAsset).decimals))
  const warnings = warningsOf(prepared)
  const { ticker } = factsOf(sourceAsset)
  return {
    minimumAmount,
    warnings,
    summary: [
      `You send ${named(sourceAsset, source)}.`,
      `You get about ${named(destinationAsset, toHuman(destinationAsset, egress))}, through ${platform}` +
      `${dca === undefined ? "" : `, in ${dca.numberOfChunks} parts`}.`,
      `At the least ${named(destinationAsset, minimumAmount)} (${
        formatDecimal(minimumPrice)
      } for 1 ${ticker}, before ` +
      "the fee of the payment); for less, nothing is swapped and the deposit goes back.",
      retryLine(request),
      ...commissionLines(request),
      ...boostLines(request),
      `It is paid to ${shownAddress(chainOf(destinationAsset), destinationAddress)} on ${
        chainOf(destinationAsset)
      }.`,
      `A refund goes to ${shownAddress(chainOf(sourceAsset), refundAddress)} on ${chainOf(sourceAsset)}.`,
      ...warnings.map((warning) => `Mind: ${warning}`),
      "A payment cannot be called back. Compare both addresses with your own wallets.",
    ].join("\n"),
  }
}
