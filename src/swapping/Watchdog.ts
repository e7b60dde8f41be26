import { Context, Duration, Effect, Layer, Metric } from "effect"
import type { ProviderName } from "../domain/ProviderName.ts"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import type { Stalls } from "../domain/SwapRecord.ts"
import { metrics } from "../ops/Metrics.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import { orWentWrong } from "../platform/orWentWrong.ts"
import { StallsRepo } from "../store/swaps/StallsRepo.ts"

/** Stalls are told of minutes after they begin, so seconds do not matter. */
const interval = Duration.seconds(5)

/** So that no transaction takes long, however much stands still. */
const atOnce = 100

/**
 * Tells of swaps that stay in one state longer than that may last (`stallsAt`), whether their upstream answers or
 * not: the account by an event, the operator by a line in the log, a metric and `GET /providers`.
 */
export class Watchdog extends Context.Service<Watchdog, {
  /** Flags every swap that has stalled by now and was not flagged yet; how many that were. */
  readonly flagStalled: Effect.Effect<number, StoreUnavailable>
  /** The providers with stalled swaps. */
  readonly stalls: Effect.Effect<ReadonlyArray<Stalls>, StoreUnavailable>
}>()("swap-broker/swapping/Watchdog") {
  /** The watchdog at rest. */
  static readonly layer: Layer.Layer<Watchdog, never, StallsRepo> = Layer.effect(
    Watchdog,
    Effect.gen(function* () {
      const repo = yield* StallsRepo
      const flagSome = Effect.gen(function* () {
        const flagged = yield* repo.flag(yield* currentMillis, atOnce)
        yield* Effect.forEach(
          flagged,
          ({ id, platform, status }) =>
            Effect.logWarning("A swap stays in its state for too long: ask its provider").pipe(
              Effect.annotateLogs({ swap: id, platform, state: status.state }),
            ),
          { discard: true },
        )
        return flagged.length
      })
      const flagStalled = Effect.gen(function* () {
        let all = 0
        for (let some = atOnce; some === atOnce; all += some) some = yield* flagSome
        return all
      })
      return Watchdog.of({ flagStalled, stalls: repo.current })
    }),
  )

  /** The watchdog at work in the background until the scope closes; the metric is of `providers`. */
  static readonly layerRunning = (
    providers: ReadonlyArray<ProviderName>,
  ): Layer.Layer<Watchdog, never, StallsRepo> =>
    Layer.effectDiscard(
      Effect.gen(function* () {
        const watchdog = yield* Watchdog
        const measure = Effect.flatMap(watchdog.stalls, (stalls) =>
          Effect.forEach(providers, (provider) => {
            const { swaps = 0 } = stalls.find(({ platform }) => platform === provider) ?? {}
            return Metric.update(metrics.swapsStalled({ provider }), swaps)
          }, { discard: true }))
        yield* Effect.andThen(watchdog.flagStalled, measure).pipe(
          orWentWrong,
          Effect.catch((error) => Effect.logError("Nobody looks for stalled swaps", error)),
          Effect.andThen(Effect.sleep(interval)),
          Effect.forever,
          Effect.forkScoped,
        )
      }),
    ).pipe(Layer.provideMerge(Watchdog.layer))
}
