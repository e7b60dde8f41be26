import { BigDecimal, Result } from "effect"
import { type NativeAmount, noAmount, toHuman } from "../../../domain/Amount.ts"
import type { AssetId } from "../../../domain/Asset.ts"
import type { Fee } from "../../../domain/Fee.ts"
import { Price } from "../../../domain/Price.ts"
import { MalformedBody } from "../../../domain/ProviderError.ts"
import type { ProviderName } from "../../../domain/ProviderName.ts"
import type { Durations, Quote, QuoteRequest } from "../../../domain/Quote.ts"
import type { AssetSupport } from "../../Provider.ts"
import { readAsset, type WireAssets, type WireDurations, type WireQuote, writeAsset } from "../wire.ts"

/** The exchange names no tolerance; one percent is what its own page recommends. */
const recommendedSlippageTolerancePercent = BigDecimal.fromBigInt(1n)

/** What is said of every asset that we know; the exchange may have others. */
export const toAssets = (wire: WireAssets): ReadonlyArray<AssetSupport> =>
  wire.flatMap(({ asset: text, deposits, payouts, minimum }) => {
    const asset = readAsset(text)
    return asset === undefined ? [] : [{ asset, ingress: deposits, egress: payouts, minimumDeposit: minimum }]
  })

/** The query of `GET /v1/quote`. */
export const toQuoteQuery = (request: QuoteRequest): Readonly<Record<string, string>> => ({
  from: writeAsset(request.sourceAsset),
  to: writeAsset(request.destinationAsset),
  amount: `${request.amount}`,
  commissionBps: `${request.commissionBps}`,
})

/** The parts of a swap, in milliseconds. */
export const toDurations = ({ deposit, swap, payout }: WireDurations): Durations => ({
  deposit,
  swap,
  egress: payout,
})

/** All parts together. */
export const totalOf = ({ deposit, swap, egress }: Durations): number => deposit + swap + egress

const feeOf = (type: Fee["type"], asset: AssetId, amount: NativeAmount): ReadonlyArray<Fee> =>
  amount === noAmount ? [] : [{ type, asset, amount }]

/** The output before the payout's fee for each unit of input. */
const priceOf = (wire: WireQuote, { sourceAsset, destinationAsset }: QuoteRequest): Price =>
  Price.make(BigDecimal.divideUnsafe(
    BigDecimal.sum(
      toHuman(destinationAsset, wire.amountOut),
      toHuman(destinationAsset, wire.payoutFee),
    ),
    toHuman(sourceAsset, wire.amountIn),
  ))

/** Reads the answer of `GET /v1/quote` to `request`: one offer, for the very amount that was asked. */
export const readQuote = (
  wire: WireQuote,
  request: QuoteRequest,
  platform: ProviderName,
): Result.Result<Quote, MalformedBody> => {
  if (wire.amountIn !== request.amount || wire.amountIn === noAmount) {
    return Result.fail(
      new MalformedBody({
        detail: `amountIn: expected ${request.amount}, got ${wire.amountIn}`,
        reached: true,
      }),
    )
  }
  const durations = toDurations(wire.seconds)
  return Result.succeed({
    platform,
    ingress: { asset: request.sourceAsset, amount: wire.amountIn },
    egress: { asset: request.destinationAsset, amount: wire.amountOut },
    fees: [
      ...feeOf("broker", request.sourceAsset, wire.commission),
      ...feeOf("egress", request.destinationAsset, wire.payoutFee),
    ],
    pools: [],
    lowLiquidityWarning: false,
    durations,
    totalDuration: totalOf(durations),
    estimatedPrice: priceOf(wire, request),
    recommendedSlippageTolerancePercent,
  })
}
