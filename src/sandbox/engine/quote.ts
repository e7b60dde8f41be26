import { Result } from "effect"
import { NativeAmount } from "../../domain/Amount.ts"
import type { DcaParameters } from "../../domain/Dca.ts"
import { boostFeeOf, planBoost } from "./boost.ts"
import { maximumRequestDurationBlocks, offeredChunkInterval, offeredChunkValue } from "./constants.ts"
import { boostOffer, plainOffer } from "./offer.ts"
import { valueOf } from "./pools.ts"
import { simulate, type Simulation } from "./rate.ts"
import type { QuoteRefusal } from "./Refusal.ts"
import type { Network } from "./State.ts"
import type { BoostOffer, Offer, QuoteQuery } from "./View.ts"

/** The fee that every boost pool would be accepted at. */
const highestBps = 10_000

const switchesRefusal = (network: Network, query: QuoteQuery): QuoteRefusal | undefined => {
  const { sourceAsset, destinationAsset } = query
  if (network.quotingMaintenance) return { _tag: "QuotingMaintenance" }
  if (sourceAsset === destinationAsset) return { _tag: "AssetsCannotBeSwapped" }
  const source = network.assets[sourceAsset]
  const needsChannel = query.isVaultSwap !== true
  if (!source.depositEnabled || needsChannel && !source.creationEnabled) {
    return { _tag: "AssetDisabled", asset: sourceAsset }
  }
  if (!network.assets[destinationAsset].egressEnabled) {
    return { _tag: "AssetDisabled", asset: destinationAsset }
  }
  return undefined
}

const limitsRefusal = (network: Network, query: QuoteQuery): QuoteRefusal | undefined => {
  const { minimumDeposit, maximumSwap, ingressFee } = network.assets[query.sourceAsset]
  if (query.amount < minimumDeposit) return { _tag: "BelowMinimum", minimum: minimumDeposit }
  if (maximumSwap !== undefined && query.amount > maximumSwap) {
    return { _tag: "AboveMaximum", maximum: maximumSwap }
  }
  if (ingressFee > query.amount) return { _tag: "IngressFeeNotCovered", ingressFee }
  return undefined
}

/** Chunks are offered from 10 000 USD up, one for each 10 000, while they end within a day (3.3). */
const offeredDca = (network: Network, query: QuoteQuery): DcaParameters | undefined => {
  const value = valueOf(network, query.sourceAsset, query.amount)
  if (!query.dcaEnabled || value <= offeredChunkValue) return undefined
  const chunks = (value + offeredChunkValue - 1n) / offeredChunkValue
  if (chunks > BigInt(maximumRequestDurationBlocks / offeredChunkInterval)) return undefined
  return { numberOfChunks: Number(chunks), chunkIntervalBlocks: offeredChunkInterval }
}

/** What an output is worth paying out: its fee is covered, and what is left is not dust (3.5). */
const paying = (
  network: Network,
  query: QuoteQuery,
  simulation: Simulation,
): Result.Result<Simulation, QuoteRefusal> => {
  const minimum = network.assets[query.destinationAsset].egressDustLimit
  if (simulation.grossOutput <= simulation.egressFee) {
    return Result.fail({
      _tag: "EgressFeeNotCovered",
      egressFee: NativeAmount.make(simulation.egressFee),
    })
  }
  return simulation.output < minimum
    ? Result.fail({ _tag: "EgressBelowMinimum", amount: NativeAmount.make(simulation.output), minimum })
    : Result.succeed(simulation)
}

const attempt = (
  network: Network,
  query: QuoteQuery,
  dca: DcaParameters | undefined,
): Result.Result<Simulation, QuoteRefusal> =>
  simulate(network, {
    ...query,
    ...(dca === undefined ? {} : { numberOfChunks: dca.numberOfChunks }),
  }).pipe(Result.flatMap((simulation) => paying(network, query, simulation)))

/** The same deposit boosted, where the pools hold enough and it still pays out. */
const attemptBoosted = (
  network: Network,
  query: QuoteQuery,
  dca: DcaParameters | undefined,
): BoostOffer | undefined => {
  const plan = network.assets[query.sourceAsset].boostEnabled
    ? planBoost(network.boostPools, query.amount, highestBps)
    : undefined
  if (plan === undefined) return undefined
  const fee = boostFeeOf(plan)
  const simulation = attempt(network, { ...query, amount: NativeAmount.make(query.amount - fee) }, dca)
  return Result.isSuccess(simulation)
    ? boostOffer(network, { query, dca, simulation: simulation.success }, plan)
    : undefined
}

/**
 * The offers for an amount, as `GET /v2/quote` gives them (chainflip/wire.md 3.2, 3.3): REGULAR if the pools hold
 * enough for all at once, then DCA if the amount is worth it and they hold enough for a chunk. What the swap
 * of an offer delivers is what it says to the last unit while no one else moves the pools.
 */
export const quote = (
  network: Network,
  query: QuoteQuery,
): Result.Result<ReadonlyArray<Offer>, QuoteRefusal> =>
  Result.gen(function* () {
    const refusal = switchesRefusal(network, query) ?? limitsRefusal(network, query)
    if (refusal !== undefined) return yield* Result.fail(refusal)
    const dca = offeredDca(network, query)
    const variants = dca === undefined ? [undefined] : [undefined, dca]
    const offers: Array<Offer> = []
    for (const variant of variants) {
      const simulation = attempt(network, query, variant)
      if (Result.isFailure(simulation) && simulation.failure._tag === "InsufficientLiquidity") continue
      const boostQuote = attemptBoosted(network, query, variant)
      offers.push({
        ...plainOffer(network, { query, dca: variant, simulation: yield* simulation }),
        ...(boostQuote === undefined ? {} : { boostQuote }),
      })
    }
    return offers.length === 0 ? yield* Result.fail({ _tag: "InsufficientLiquidity" } as const) : offers
  })
