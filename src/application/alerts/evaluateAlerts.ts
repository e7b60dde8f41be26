import { Array, Clock, Duration, Effect, Layer, Metric, Option, Random, Redacted, Struct } from "effect"
import { type Alert, type AlertEntry, alertTypes, providerOf } from "#domain/operations/Alert.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { EpochMillis } from "#domain/Time.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { AlertsRepo } from "#infrastructure/store/alerts/AlertsRepo.ts"
import { observing, type ObservingOptions, remindOfEndings } from "./observing.ts"
import { accountsAtProviders } from "./treasurySources.ts"
import type { Reading, Source } from "./decide.ts"
import { repeating, surviving } from "#infrastructure/platform/outages.ts"
import type { StoreEffect } from "#domain/StoreError.ts"
import { Overview, type ProviderStanding, Registry, wholeSwitch } from "#providers/Registry.ts"
import { type AlertMessage, AlertMessagesRepo } from "#infrastructure/store/alerts/AlertMessagesRepo.ts"
import { UnknownOutcomesRepo } from "#infrastructure/store/business/UnknownOutcomesRepo.ts"
import { LostOpeningsRepo } from "#infrastructure/store/swaps/LostOpeningsRepo.ts"
import { WebhooksRepo } from "#infrastructure/store/webhooks/WebhooksRepo.ts"
import { presentlyLost } from "../swapping/opening/lostOpenings.ts"
import { StallDetector } from "../swapping/following/StallDetector.ts"
import { WireWitness } from "#providers/witness/WireWitness.ts"
import { signedHeaders } from "../webhooks/message.ts"
import { type Posted, Poster } from "../webhooks/Poster.ts"
import { nextAttemptAt } from "../webhooks/schedule.ts"
import type { OperatorWebhook } from "./settings.ts"

/** The most messages that are under way in a process. */
const most = 4

/** The time that a lease outlasts an attempt: for the work before and after it. */
const leaseMargin = Duration.seconds(10)

/** The header `webhook-id`, the same in every attempt. */
const messageIdOf = ({ alertId, event }: AlertMessage): string => `${event.replace(".", "_")}_${alertId}`

/** The outcome of an attempt, and when the next one is: none where the message arrived or is given up. */
const judge = Effect.fnUntraced(function* (message: AlertMessage, attempt: Posted) {
  const { status = 0 } = attempt
  if (status >= 200 && status <= 299) return { outcome: "delivered", next: Option.none() }
  const next = nextAttemptAt(attempt, message.failedAttempts + 1, yield* Random.next)
  if (next === undefined) {
    const { alertId, event } = message
    yield* Effect.logError(`The operator's webhook accepted no message about ${event} ${alertId}`)
    return { outcome: "given_up", next: Option.none() }
  }
  return { outcome: "failed", next: Option.some(next) }
})

/** Sends the operator all due messages, signed and retried as those of accounts, each at least once. */
export const sendDue = Effect.fnUntraced(
  function* ({ secret, url }: OperatorWebhook, timeout: Duration.Duration) {
    const repo = yield* AlertMessagesRepo
    const poster = yield* Poster
    const lease = Duration.toMillis(timeout) + Duration.toMillis(leaseMargin)

    const send = Effect.fn("Alerts.send")(function* (message: AlertMessage) {
      const { body } = message
      const headers = signedHeaders({ id: messageIdOf(message), body }, [secret], yield* currentMillis)
      const attempt = yield* poster.post({ url: Redacted.value(url), headers, body })
      const { next, outcome } = yield* judge(message, attempt)
      yield* repo.attempted(message, next)
      yield* Metric.update(metrics.webhookAttempts({ outcome }), 1)
    })

    return Effect.gen(function* () {
      let messages: ReadonlyArray<AlertMessage>
      do {
        const now = yield* currentMillis
        messages = yield* repo.claim({ now, until: EpochMillis.make(now + lease) }, most)
        yield* Effect.forEach(messages, send, { concurrency: most, discard: true })
      } while (messages.length > 0)
    })
  },
)

/** Sends what is due every `interval`, until the scope closes. */
export const alertMessages = (
  webhook: OperatorWebhook,
  { interval, timeout }: { readonly interval: Duration.Duration; readonly timeout: Duration.Duration },
): Layer.Layer<never, never, AlertMessagesRepo | Poster> =>
  Layer.effectDiscard(
    Effect.flatMap(sendDue(webhook, timeout), (send) =>
      send.pipe(repeating("Sending alerts to the operator failed", interval))),
  )

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

/** Swaps that stay in a state for too long, from `most` of a provider on. */
export const stalledSwaps = (most: number) =>
  Effect.map(StallDetector, ({ stalls }): Source =>
    Effect.map(stalls, (all) => [{
      type: "swaps_stalled",
      faults: all.filter(({ swaps }) => swaps >= most).map(({ platform, since, swaps }) => ({
        type: "swaps_stalled",
        provider: platform,
        swaps,
        stalledSince: since,
      })),
      unknown: [],
    }]))

/** Swaps that a provider calls completed as they cannot have ended. */
export const disputedEnds = Effect.map(
  StallDetector,
  ({ disputes }): Source =>
    Effect.map(disputes, (all) => [{
      type: "end_disputed",
      faults: all.map(({ platform, since, swaps }) => ({
        type: "end_disputed",
        provider: platform,
        swaps,
        disputedSince: since,
      })),
      unknown: [],
    }]),
)

/** The most addresses that an alert names; the log has all. */
const mostAddresses = 20

/** Channels at providers that no record has, one alert for each asset. */
export const unrecordedChannels = Effect.map(
  LostOpeningsRepo,
  (repo): Source =>
    Effect.map(presentlyLost(repo), (providers) => [{
      type: "channels_unrecorded",
      faults: providers.flatMap(({ lost, platform }) =>
        Array.dedupe(lost.map(({ asset }) => asset)).map((asset): Alert => {
          const addresses = lost.flatMap((one) => one.asset === asset ? [one.depositAddress] : [])
          return {
            type: "channels_unrecorded",
            provider: platform,
            asset,
            channels: addresses.length,
            addresses: addresses.slice(0, mostAddresses),
          }
        })
      ),
      unknown: [],
    }]),
)

/** Openings and withdrawals whose outcome is unknown, one alert for each provider. */
export const unknownOutcomes = Effect.map(
  UnknownOutcomesRepo,
  ({ counts }): Source =>
    Effect.map(Effect.flatMap(currentMillis, counts), (outcomes) => [{
      type: "outcome_unknown",
      faults: outcomes.map(({ openings, platform, since, withdrawals }) => ({
        type: "outcome_unknown",
        provider: platform,
        openings,
        withdrawals,
        unknownSince: since,
      })),
      unknown: [],
    }]),
)

/** The groups of operations without which a provider serves no swaps. */
const vital = ["quote", "open", "status"] as const

/** The circuits of a provider that count; none while the operator has switched it off, as then no call is made. */
const circuitsOf = (standing: ProviderStanding) => {
  const { registered } = standing
  return registered === undefined || wholeSwitch(standing) !== undefined ? [] : vital.map((group) => {
    const { circuit, lastError } = registered.operations[group]
    return { group, state: circuit._tag, because: lastError?.because }
  })
}

/** Providers with an open circuit. Of a half-open one nothing is known until its call has shown it. */
export const downProviders = Effect.map(Overview, ({ all }): Source =>
  Effect.map(all, (standings) => {
    const circuits = standings.map((standing) => ({
      provider: standing.name,
      circuits: circuitsOf(standing),
    }))
    return [{
      type: "provider_down",
      faults: circuits.flatMap(({ circuits, provider }): ReadonlyArray<Alert> => {
        const open = circuits.filter(({ state }) => state === "Open")
        const operations = open.map(({ group }) => group)
        const ofKey = open.some(({ because }) => because === "key") ? { because: "key" as const } : {}
        return Array.isArrayNonEmpty(operations)
          ? [{ type: "provider_down", provider, operations, ...ofKey }]
          : []
      }),
      unknown: circuits.filter(({ circuits }) => circuits.some(({ state }) => state === "HalfOpen"))
        .map(({ provider }) => provider),
    }]
  }))

/** The endpoints of upstreams whose end was announced, or has come, one alert each. */
const endingEndpoints = Effect.map(Overview, ({ all }): Source =>
  Effect.map(all, (standings) => [{
    type: "endpoint_ending",
    faults: standings.flatMap(({ endings, name }) =>
      endings.map(({ firstSeenAt: _, lastSeenAt: __, references: ___, ...ending }): Alert => ({
        type: "endpoint_ending",
        provider: name,
        ...ending,
      }))
    ),
    unknown: [],
  }]))

/** The places of a provider that are alerts of their own; its page has all of them. */
const mostPlaces = 5

/** Answers that are otherwise than their providers read them, by the last round of each enabled provider. */
const wireDrift = Effect.gen(function* () {
  const { rounds } = yield* WireWitness
  const { preference } = yield* Registry
  return Effect.gen(function* () {
    const enabled = yield* preference
    const last = (yield* rounds).filter(({ provider }) => enabled.includes(provider))
    return [{
      type: "wire_drift" as const,
      faults: last.flatMap(({ drift, provider }) =>
        drift.slice(0, mostPlaces).map((place) => ({ type: "wire_drift" as const, provider, ...place }))
      ),
      unknown: [],
    }]
  }) satisfies Source
})

/** Accounts whose webhooks have failed for some time, one alert each; the operator's own is one of them. */
export const failingWebhooks = Effect.fnUntraced(function* (long: Duration.Duration) {
  const webhooks = yield* WebhooksRepo
  const messages = yield* AlertMessagesRepo
  return Effect.gen(function* () {
    const since = EpochMillis.make(Math.max(0, (yield* currentMillis) - Duration.toMillis(long)))
    const own = Option.filter(yield* messages.failingSince, (failing) => failing <= since)
    const ofAccounts = yield* webhooks.failing(since)
    const faults: ReadonlyArray<Alert> = [
      ...Option.toArray(own).map((failingSince) => ({
        type: "webhook_failing" as const,
        webhooks: 1,
        failingSince,
      })),
      ...ofAccounts.map(({ since, ...rest }) => ({
        type: "webhook_failing" as const,
        ...rest,
        failingSince: since,
      })),
    ]
    return [{ type: "webhook_failing" as const, faults, unknown: [] }]
  }) satisfies Source
})

/** The number of statements whose median counts, and the fewest. */
const windowSize = 12
const fewest = 3

/** What a statement that failed counts for. */
const unanswered = 30_000

/** The time that a statement took, in milliseconds. */
const timed = Effect.fnUntraced(function* (statement: StoreEffect<unknown>) {
  const began = yield* Clock.currentTimeMillis
  return yield* Effect.matchEffect(statement, {
    onFailure: () => Effect.succeed(unanswered),
    onSuccess: () => Effect.map(Clock.currentTimeMillis, (now) => Math.max(0, now - began)),
  })
})

const medianOf = (numbers: ReadonlyArray<number>): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0

/** A database whose trivial statement takes `slow` or longer, by the median of the latest. */
export const slowDatabase = (slow: Duration.Duration) =>
  Effect.map(AlertsRepo, ({ active }): Source => {
    let window: ReadonlyArray<number> = []
    return Effect.map(timed(active), (millis) => {
      window = [...window, millis].slice(-windowSize)
      if (window.length < fewest) return []
      const medianMillis = Math.round(medianOf(window))
      const isSlow = medianMillis >= Duration.toMillis(slow)
      return [{
        type: "database_slow",
        faults: isSlow ? [{ type: "database_slow", medianMillis }] : [],
        unknown: [],
      }]
    })
  })

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
