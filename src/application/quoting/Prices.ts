import { BigDecimal, Duration, Effect, Fiber, Layer, Option } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import { NativeAmount, wholeUnit } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { believedFor, type UsdPrice } from "#domain/money/UsdValue.ts"
import { EpochMillis } from "#domain/Time.ts"
import { noBps } from "#domain/money/Bps.ts"
import { CallUrgency } from "#infrastructure/platform/Budget.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { Quoting } from "./Quoting.ts"
import { AssetCatalogue, type ListedAsset } from "#providers/AssetCatalogue.ts"
import { forkWhenReady } from "#infrastructure/platform/whenReady.ts"
import { ValuesRepo } from "#infrastructure/store/business/ValuesRepo.ts"
import { surviving } from "#infrastructure/platform/outages.ts"

/** The asset that stands for the US dollar. */
const dollar: AssetId = "usdc.eth"

/** The age of a price at which a new one is asked for, in milliseconds. */
const freshFor = Duration.toMillis(Duration.minutes(5))

/** The size of a sample, in least deposits: worth some dollars, so that it gets the price that most swaps get. */
const timesTheLeast = 10n

/** The amount of the asset to quote: ten times its minimum, or one whole unit where it has none (1). */
const sampleOf = ({ asset, minimumDeposit }: ListedAsset): Option.Option<NativeAmount> =>
  NativeAmount.makeOption(minimumDeposit > 1n ? minimumDeposit * timesTheLeast : wholeUnit(asset))

/** How long the first callers wait, and how many quotes are asked for at a time then. */
const firstPatience = Duration.seconds(5)
const mostAtFirst = 4

interface Derived {
  /** None where no provider had a quote. */
  readonly price: Option.Option<BigDecimal.BigDecimal>
  readonly at: EpochMillis
}

/** Prices in US dollars, for display, of assets that no provider states a price for. */
export class Prices extends service<Prices>()(
  "swap-broker/quoting/Prices",
  Effect.gen(function* () {
    const quoting = yield* Quoting
    const scope = yield* Effect.scope
    const derived = new Map<AssetId, Derived>()
    let asking: Fiber.Fiber<void> | undefined
    let hasAsked = false

    const priceOf = (listed: ListedAsset) =>
      Option.match(sampleOf(listed), {
        onNone: () => Effect.succeedNone,
        onSome: (amount) =>
          quoting.ofAll({
            sourceAsset: listed.asset,
            destinationAsset: dollar,
            amount,
            commissionBps: noBps,
          }).pipe(
            Effect.map(({ quotes: [best] }) =>
              Option.map(Option.fromUndefinedOr(best), ({ estimatedPrice }) => estimatedPrice)
            ),
            Effect.catch(() => Effect.succeedNone),
          ),
      })

    const derive = Effect.fnUntraced(function* (listed: ListedAsset) {
      const price = yield* priceOf(listed)
      const at = yield* currentMillis
      const before = derived.get(listed.asset)
      // The last price stays while no provider has a quote, until it is too old.
      if (Option.isSome(price) || before === undefined) derived.set(listed.asset, { price, at })
    })

    const isWanted = (now: number) => ({ asset, ingress, providers, usdPrice }: ListedAsset): boolean => {
      const before = derived.get(asset)
      return usdPrice === undefined && ingress && providers.length > 0 && asset !== dollar &&
        (before === undefined || now - before.at > freshFor)
    }

    const begin = (wanted: ReadonlyArray<ListedAsset>) =>
      Effect.suspend(() => {
        if (asking !== undefined || wanted.length === 0) return Effect.void
        return Effect.forEach(wanted, derive, { concurrency: hasAsked ? 1 : mostAtFirst, discard: true })
          .pipe(
            // For everybody's sake, and not before what anybody waits for.
            Effect.provideService(CallUrgency, "search"),
            Effect.ensuring(Effect.sync(() => {
              asking = undefined
              hasAsked = true
            })),
            Effect.forkIn(scope),
            Effect.map((fiber) => {
              asking = fiber
            }),
          )
      })

    /** Only the first callers after a start wait: later a price is known, though it may be old. */
    const ask = Effect.fnUntraced(function* (wanted: ReadonlyArray<ListedAsset>) {
      yield* begin(wanted)
      if (asking !== undefined && !hasAsked) yield* Effect.timeoutOption(Fiber.join(asking), firstPatience)
    })

    const priceNow = (
      { asset, providers, usdPrice, usdPriceAt }: ListedAsset,
      now: EpochMillis,
    ): UsdPrice | undefined => {
      if (usdPrice !== undefined) return { usd: usdPrice, at: usdPriceAt ?? now }
      if (providers.length === 0) return undefined
      // It is always 1: a time that seldom changes keeps lists with it the same for caches.
      if (asset === dollar) {
        return { usd: BigDecimal.fromBigInt(1n), at: EpochMillis.make(now - now % freshFor) }
      }
      const own = derived.get(asset)
      return own !== undefined && now - own.at <= believedFor && Option.isSome(own.price)
        ? { usd: own.price.value, at: own.at }
        : undefined
    }

    /**
     * The prices that are known of all assets, with when they were learnt; answers with quotes have values by them. Others
     * are asked for in the background; the first callers after a start wait some seconds.
     */
    const current = Effect.fnUntraced(function* (assets: ReadonlyArray<ListedAsset>) {
      yield* ask(assets.filter(isWanted(yield* currentMillis)))
      const now = yield* currentMillis
      const prices = new Map<AssetId, UsdPrice>()
      for (const listed of assets) {
        const price = priceNow(listed, now)
        if (price !== undefined && BigDecimal.isPositive(price.usd)) prices.set(listed.asset, price)
      }
      yield* quoting.keepPrices(prices)
      return prices
    })

    return {
      current,
      /** The same without their times. */
      known: (assets: ReadonlyArray<ListedAsset>) =>
        Effect.map(current(assets), (prices) => new Map([...prices].map(([asset, { usd }]) => [asset, usd]))),
    }
  }),
) {}

/** The time after a start that belongs to the first callers. */
const patience = Duration.seconds(10)

/** The time between looks, the first of each hour as it begins: an asset that has no price then gets one later. */
const interval = Duration.toMillis(Duration.minutes(15))

/** Keeps the prices of each hour, by which swaps that end get their value, until the scope closes. */
export const recordHourlyPrices: Layer.Layer<never, never, AssetCatalogue | Prices | ValuesRepo> = Layer
  .effectDiscard(Effect.gen(function* () {
    const { list } = yield* AssetCatalogue
    const { known } = yield* Prices
    const { keep } = yield* ValuesRepo
    yield* Effect.flatMap(list, known).pipe(
      Effect.flatMap((prices) => Effect.flatMap(currentMillis, (now) => keep(prices, now))),
      surviving("Recording the hourly prices failed"),
      Effect.andThen(Effect.flatMap(currentMillis, (now) => Effect.sleep(interval - now % interval))),
      Effect.forever,
      Effect.delay(patience),
      forkWhenReady,
    )
  }))
