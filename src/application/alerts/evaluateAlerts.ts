import { Duration, Effect, Layer, Metric, Option, Struct } from "effect"
import { type AlertEntry, alertTypes, providerOf } from "#domain/operations/Alert.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { EpochMillis } from "#domain/Time.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { AlertsRepo } from "#infrastructure/store/alerts/AlertsRepo.ts"
import { observing, type ObservingOptions, remindOfEndings } from "./observing.ts"
import { accountsAtProviders } from "./treasurySources.ts"
import {
  disputedEnds,
  downProviders,
  endingEndpoints,
  failingWebhooks,
  slowDatabase,
  type Source,
  stalledSwaps,
  unknownOutcomes,
  unrecordedChannels,
  wireDrift,
} from "./sources.ts"
import type { Reading } from "./decide.ts"
import { repeating, surviving } from "#infrastructure/platform/outages.ts"

/** What is looked for, and how often. */
export interface WatchingOptions extends ObservingOptions {
  readonly interval: Duration.Duration
  readonly swapsStalled: number
  /** The fewest channels that an account should be able to pay for. */
  readonly channelsLeft: number
  readonly webhookFailing: Duration.Duration
  readonly databaseSlow: Duration.Duration
  /** How long alerts are listed once they ended. */
  readonly keep: Duration.Duration
  /** The providers that the metric has from the start. */
  readonly providers: ReadonlyArray<ProviderName>
}

/** The most rows that are removed at once, so that no statement takes long. */
const atOnce = 1_000

const reminderInterval = Duration.days(1)

const tidyInterval = Duration.minutes(10)

/** Every series of the metric: a type of alert, and a provider or none. */
const seriesOf = (providers: ReadonlyArray<ProviderName>) =>
  Struct.keys(alertTypes).flatMap((alert) =>
    (alertTypes[alert].ofProvider ? providers : [""]).map((provider) => ({ alert, provider }))
  )

const setGauges = (
  providers: ReadonlyArray<ProviderName>,
  active: ReadonlyArray<Pick<AlertEntry, "alert">>,
) =>
  Effect.forEach(seriesOf(providers), ({ alert, provider }) => {
    const isActive = active.some((one) =>
      one.alert.type === alert && (providerOf(one.alert) ?? "") === provider
    )
    return Metric.update(metrics.alert({ alert, provider }), isActive ? 1 : 0)
  }, { discard: true })

/** The readings of a source; none while it cannot look, which neither begins nor ends an alert. */
const orNothing = (source: Source, index: number) =>
  source.pipe(
    surviving(`Reading source ${index} of alerts failed`, { usesDatabase: false }),
    Effect.map(Option.getOrElse((): ReadonlyArray<Reading> => [])),
  )

/** Looks for faults until the scope closes, on every replica: each has circuits of its own. */
export const evaluateAlerts = (options: WatchingOptions) =>
  Layer.effectDiscard(Effect.gen(function* () {
    const observe = yield* observing(options)
    const repo = yield* AlertsRepo
    const sources = yield* Effect.all([
      stalledSwaps(options.swapsStalled),
      disputedEnds,
      unrecordedChannels,
      unknownOutcomes,
      downProviders,
      wireDrift,
      endingEndpoints,
      failingWebhooks(options.webhookFailing),
      slowDatabase(options.databaseSlow),
      accountsAtProviders(options.channelsLeft),
    ])

    const look = Effect.gen(function* () {
      const readings = yield* Effect.forEach(sources, orNothing, { concurrency: "unbounded" })
      yield* observe(readings.flat())
      yield* setGauges(options.providers, yield* repo.active)
    })

    const tidy = Effect.gen(function* () {
      const before = EpochMillis.make(Math.max(0, (yield* currentMillis) - Duration.toMillis(options.keep)))
      while ((yield* repo.expire(before, atOnce)) === atOnce) yield* Effect.yieldNow
    })

    yield* setGauges(options.providers, [])
    yield* look.pipe(repeating("Alerts could not be begun or ended", options.interval))
    yield* remindOfEndings.pipe(repeating("The log could not repeat which endpoints end", reminderInterval))
    yield* tidy.pipe(repeating("Old alerts could not be removed", tidyInterval))
  }))
