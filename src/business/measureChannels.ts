import { Duration, Effect, Layer, Metric, Schedule } from "effect"
import type { ProviderName } from "../domain/ProviderName.ts"
import { metrics } from "../ops/Metrics.ts"
import { orWentWrong } from "../platform/orWentWrong.ts"
import { UnderWayRepo } from "../store/business/UnderWayRepo.ts"

/** The interval between updates; collectors ask no more often. */
const interval = Duration.seconds(15)

/** Measures the open channels at each provider, all replicas the same ones, until the scope closes. */
export const measureChannels = (
  providers: ReadonlyArray<ProviderName>,
): Layer.Layer<never, never, UnderWayRepo> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const underWay = yield* UnderWayRepo
      const measure = Effect.flatMap(underWay.channelCounts, (counts) =>
        Effect.forEach(providers, (provider) => {
          const own = counts.filter(({ platform }) =>
            platform === provider
          )
          const channels = own.reduce((sum, { channels }) => sum + channels, 0)
          return Metric.update(metrics.openChannels({ provider }), channels)
        }, { discard: true }))
      yield* measure.pipe(
        orWentWrong,
        Effect.catch((error) => Effect.logError("Open channels could not be counted", error)),
        Effect.repeat(Schedule.spaced(interval)),
        Effect.forkScoped,
      )
    }),
  )
