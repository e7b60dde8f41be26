import { Array, Effect } from "effect"
import { CurrentAccount } from "../../api/Authorization.ts"
import { commissionsOf } from "../../domain/Commission.ts"
import type { NativeAmount } from "../../domain/Amount.ts"
import type { ProviderName } from "../../domain/ProviderName.ts"
import type { SwapRequest } from "../../domain/SwapRequest.ts"
import { accept } from "../../requests/parameterIssues.ts"
import { quoteOrderOf } from "../../http/Quotes.ts"
import { spread } from "../../platform/spread.ts"
import { Registry } from "../../providers/Registry.ts"
import { mostTellingFailure } from "../../quoting/Outcome.ts"
import { NoProviderAvailable, QuotesFailed, Quoting } from "../../quoting/Quoting.ts"
import { mostTelling, type Opener } from "../../swapping/candidates.ts"
import { type Offered, totalCommission } from "./summarise.ts"

/** Those of the providers whose openings are not switched off; fails with the reason where they all are. */
export const switchedOn = Effect.fnUntraced(function* (
  openers: Array.NonEmptyReadonlyArray<Opener>,
  { destinationAsset, sourceAsset }: SwapRequest,
) {
  const { mayCall } = yield* Registry
  const asked = yield* Effect.forEach(
    openers,
    (opener) =>
      Effect.result(Effect.as(mayCall(opener.name, "open", [sourceAsset, destinationAsset]), opener)),
  )
  const [on, off] = Array.partition(asked, (result) => result)
  return Array.isReadonlyArrayNonEmpty(off) && on.length === 0 ? yield* mostTelling(off) : on
})

const noQuote = new NoProviderAvailable({
  detail: "No provider that can open this swap has a quote for it at present",
  retryAfterSeconds: 5,
})

/** The best quote of a provider that can open this very swap. */
export const bestOffer = Effect.fnUntraced(
  function* (
    request: SwapRequest,
    amount: NativeAmount,
    platforms: ReadonlyArray<ProviderName>,
  ) {
    const order = yield* accept(
      [],
      yield* quoteOrderOf({
        sourceAsset: request.sourceAsset,
        destinationAsset: request.destinationAsset,
        amount,
        destinationAddress: request.destinationAddress,
        commissionBps: totalCommission(request),
        ...(platforms.length === 1 && platforms[0] !== undefined ? { platform: platforms[0] } : {}),
      }),
    )
    const { failures, ranking: { ranked } } = yield* (yield* Quoting).unshown(yield* CurrentAccount, order)
    const isFor = ({ dca }: (typeof ranked)[number]["quote"]): boolean =>
      dca?.numberOfChunks === request.dca?.numberOfChunks &&
      dca?.chunkIntervalBlocks === request.dca?.chunkIntervalBlocks
    const able = ranked.map(({ quote }) => quote).filter(({ platform }) => platforms.includes(platform))
    // For chunks that no quote has, the quote in one piece is the estimate.
    const best = able.find(isFor) ?? able.find(({ dca }) => dca === undefined)
    if (best === undefined) {
      const failed = failures.filter(({ provider }) => platforms.includes(provider))
      return yield* Array.isReadonlyArrayNonEmpty(failed)
        ? new QuotesFailed({ failure: Array.min(failed, mostTellingFailure), providers: failed })
        : noQuote
    }
    return {
      platform: best.platform,
      egress: best.egress.amount,
      estimatedPrice: best.estimatedPrice,
      commission: commissionsOf(best),
      ...spread(best.dca, (dca) => ({ dca })),
      ...spread(best.boostQuote, ({ egress, estimatedBoostFeeBps: feeBps }) => ({
        boost: { feeBps, egress: egress.amount },
      })),
    } satisfies Offered
  },
)
