import { Duration, Effect, Layer, Schedule } from "effect"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { forkWhenReady } from "#infrastructure/platform/whenReady.ts"
import { AssetCatalogue } from "#providers/AssetCatalogue.ts"
import { Prices } from "./Prices.ts"
import { ValuesRepo } from "#infrastructure/store/business/ValuesRepo.ts"
import { surviving } from "#infrastructure/platform/outages.ts"

/** The time after a start that belongs to the first callers. */
const patience = Duration.seconds(10)

/** The time between looks: an asset that has no price when an hour begins gets one later. */
const interval = Duration.minutes(15)

/** Keeps the prices of each hour, by which swaps that end get their value, until the scope closes. */
export const recordHourlyPrices: Layer.Layer<never, never, AssetCatalogue | Prices | ValuesRepo> = Layer
  .effectDiscard(
    Effect.gen(function* () {
      const { list } = yield* AssetCatalogue
      const { known } = yield* Prices
      const { keep } = yield* ValuesRepo
      yield* Effect.flatMap(list, known).pipe(
        Effect.flatMap((prices) => Effect.flatMap(currentMillis, (now) => keep(prices, now))),
        surviving("The prices of the hours are not recorded"),
        Effect.repeat(Schedule.spaced(interval)),
        Effect.delay(patience),
        forkWhenReady,
      )
    }),
  )
