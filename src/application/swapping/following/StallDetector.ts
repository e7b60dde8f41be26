import { Duration, Effect, Layer, Metric } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import { durationText } from "#domain/durationText.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { StallsRepo } from "#infrastructure/store/swaps/StallsRepo.ts"
import { repeating } from "#infrastructure/platform/outages.ts"

/** The time between checks. Stalls are reported minutes after they begin, so seconds do not matter. */
const interval = Duration.seconds(5)

/** The most swaps flagged at once, so that no transaction takes long. */
const atOnce = 100

/** Reports swaps that stay longer in a state than `stallsAt`, by event, log, metric and `GET /providers`. */
export class StallDetector extends service<StallDetector>()(
  "swap-broker/swapping/StallDetector",
  Effect.gen(function* () {
    const repo = yield* StallsRepo
    const flagSome = Effect.gen(function* () {
      const now = yield* currentMillis
      const flagged = yield* repo.flag(now, atOnce)
      yield* Effect.forEach(
        flagged,
        ({ accountId, enteredAt, id, platform, status: { destinationAsset, sourceAsset, state } }) =>
          Effect.logWarning("A swap stalled. Ask its provider").pipe(
            Effect.annotateLogs({
              swap: id,
              account: accountId,
              platform,
              pair: `${sourceAsset} to ${destinationAsset}`,
              state,
              age: durationText(now - enteredAt),
            }),
          ),
        { discard: true },
      )
      return flagged.length
    })
    /** Flags every swap that has stalled and was not flagged yet; returns how many. */
    const flagStalled = Effect.gen(function* () {
      let all = 0
      for (let some = atOnce; some === atOnce; all += some) some = yield* flagSome
      return all
    })
    return {
      flagStalled,
      stalls: repo.current,
      disputes: repo.disputes,
      /** The latest swap of a provider that stalled and has ended, besides one. */
      lastEnded: repo.lastEnded,
    }
  }),
) {
  /** The watchdog with its background work, until the scope closes; the metric covers `providers`. */
  static readonly layerRunning = (providers: ReadonlyArray<ProviderName>) =>
    Layer.effectDiscard(Effect.gen(function* () {
      const watchdog = yield* StallDetector
      const measure = Effect.flatMap(watchdog.stalls, (stalls) =>
        Effect.forEach(providers, (provider) => {
          const { swaps = 0 } = stalls.find(({ platform }) => platform === provider) ?? {}
          return Metric.update(metrics.swapsStalled({ provider }), swaps)
        }, { discard: true }))
      yield* Effect.andThen(watchdog.flagStalled, measure).pipe(
        repeating("Checking for stalled swaps failed", interval),
      )
    })).pipe(Layer.provideMerge(StallDetector.layer))
}
