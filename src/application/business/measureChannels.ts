import { Duration, Effect, Layer, Metric } from "effect"
import type { ProviderName } from "#domain/ProviderName.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { OpenFundsRepo } from "#infrastructure/store/business/OpenFundsRepo.ts"
import { UnknownOutcomesRepo } from "#infrastructure/store/business/UnknownOutcomesRepo.ts"
import { repeating } from "#infrastructure/platform/outages.ts"

/** The interval between updates; collectors ask no more often. */
const interval = Duration.seconds(15)

/** Measures open channels and unknown outcomes of each provider until the scope closes. */
export const measureChannels = (providers: ReadonlyArray<ProviderName>) =>
  Layer.effectDiscard(Effect.gen(function* () {
    const underWay = yield* OpenFundsRepo
    const outcomes = yield* UnknownOutcomesRepo
    const measure = Effect.gen(function* () {
      const counts = yield* underWay.channelCounts
      const unknown = yield* outcomes.counts(yield* currentMillis)
      for (const provider of providers) {
        const own = counts.filter(({ platform }) => platform === provider)
        const channels = own.reduce((sum, { channels }) => sum + channels, 0)
        yield* Metric.update(metrics.openChannels({ provider }), channels)
        const { openings = 0, withdrawals = 0 } = unknown.find(({ platform }) => platform === provider) ??
          {}
        yield* Metric.update(metrics.outcomesUnknown({ provider, of: "opening" }), openings)
        yield* Metric.update(metrics.outcomesUnknown({ provider, of: "withdrawal" }), withdrawals)
      }
    })
    yield* measure.pipe(repeating("Counting open channels failed", interval))
  }))
