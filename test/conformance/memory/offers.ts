import { unitsOf } from "#domain/quotes/ExactOutput.ts"
import { BigDecimal, Result } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, factsOf } from "#domain/chains/Asset.ts"
import { shareOf } from "#domain/money/Bps.ts"
import { Price } from "#domain/money/Price.ts"
import {
  AssetDisabled,
  DepositBelowMinimum,
  EgressFeeNotCovered,
  type ProviderErrorReason,
} from "#domain/ProviderError.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { Quote, QuoteRequest } from "#domain/quotes/Quote.ts"
import type { AssetSupport } from "#providers/Provider.ts"

export const name = ProviderName.make("memory")

/** What the network in memory knows of an asset. */
interface Listing {
  /** Native units of usdc.eth for one whole unit. */
  readonly value: bigint
  readonly minimumDeposit: bigint
  readonly egressFee: bigint
}

const listings: ReadonlyMap<AssetId, Listing> = new Map([
  ["btc.btc", { value: 60_000_000_000n, minimumDeposit: 10_000n, egressFee: 2_000n }],
  ["eth.eth", { value: 1_900_000_000n, minimumDeposit: 10n ** 15n, egressFee: 10n ** 14n }],
  ["usdc.eth", { value: 1_000_000n, minimumDeposit: 1_000_000n, egressFee: 200_000n }],
  ["bnb.bsc", { value: 600_000_000n, minimumDeposit: 10n ** 15n, egressFee: 10n ** 14n }],
  ["sol.sol", { value: 150_000_000n, minimumDeposit: 1_000_000n, egressFee: 100_000n }],
  ["trx.tron", { value: 300_000n, minimumDeposit: 1_000_000n, egressFee: 100_000n }],
])

/** A minute until a deposit counts, and half a minute for everything else. */
export const durations = { deposit: 60_000, swap: 30_000, egress: 60_000 } as const
export const totalDuration = durations.deposit + durations.swap + durations.egress

/** Everything that the network deals in. */
export const assets: ReadonlyArray<AssetSupport> = [...listings].map(([asset, { minimumDeposit }]) => ({
  asset,
  ingress: true,
  egress: true,
  minimumDeposit: NativeAmount.make(minimumDeposit),
}))

const listingOf = (asset: AssetId): Result.Result<Listing, ProviderErrorReason> =>
  Result.fromNullishOr(listings.get(asset), () => new AssetDisabled({ detail: `${asset} is not dealt in` }))

const oneOf = (asset: AssetId): bigint => 10n ** BigInt(factsOf(asset).decimals)

/** What an amount comes to: nothing of it depends on anything but the request. */
export interface Offer {
  readonly quote: Quote
  readonly minimumDeposit: NativeAmount
}

/** The only offer for a request, or why there is none. */
export const offerFor = (
  platform: ProviderName,
  { sourceAsset, destinationAsset, amount: asked, commissionBps }: QuoteRequest,
): Result.Result<Offer, ProviderErrorReason> =>
  Result.gen(function* () {
    const amount = unitsOf(asked)
    const source = yield* listingOf(sourceAsset)
    const destination = yield* listingOf(destinationAsset)
    const minimumDeposit = NativeAmount.make(source.minimumDeposit)
    if (amount < minimumDeposit) {
      return yield* Result.fail(new DepositBelowMinimum({ asset: sourceAsset, minimum: minimumDeposit }))
    }
    const commission = shareOf(amount, commissionBps)
    const gross = (amount - commission) * source.value * oneOf(destinationAsset) /
      (destination.value * oneOf(sourceAsset))
    if (gross <= destination.egressFee) {
      return yield* Result.fail(new EgressFeeNotCovered({ detail: "Swap more" }))
    }
    const egressFee = NativeAmount.make(destination.egressFee)
    const price = BigDecimal.divideUnsafe(
      BigDecimal.fromBigInt(source.value),
      BigDecimal.fromBigInt(destination.value),
    )
    return {
      minimumDeposit,
      quote: {
        platform,
        ingress: { asset: sourceAsset, amount },
        egress: { asset: destinationAsset, amount: NativeAmount.make(gross - egressFee) },
        fees: [
          ...commission > 0n
            ? [{ type: "broker" as const, asset: sourceAsset, amount: NativeAmount.make(commission) }]
            : [],
          { type: "egress", asset: destinationAsset, amount: egressFee },
        ],
        pools: [],
        lowLiquidityWarning: false,
        durations,
        totalDuration,
        estimatedPrice: Price.make(price),
        recommendedSlippageTolerancePercent: BigDecimal.fromStringUnsafe("0.5"),
      },
    }
  })
