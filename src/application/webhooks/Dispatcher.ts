import { Clock, Duration, Effect, Metric, Option, Random } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import { EpochMillis } from "#domain/Time.ts"
import { type Attempt, messageIdOfEvent, messageIdOfTest } from "#domain/accounts/Webhook.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { placesOfAccount } from "#infrastructure/platform/Bulkhead.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { type Claim, DeliveriesRepo, Verdict } from "#infrastructure/store/webhooks/DeliveriesRepo.ts"
import { Guide } from "../guidance/Guide.ts"
import { messageBody, signedHeaders } from "./message.ts"
import { type Posted, Poster } from "./Poster.ts"
import { failingLong, nextAttemptAt } from "./schedule.ts"
import { SecretBox } from "./SecretBox.ts"
import { surviving } from "#infrastructure/platform/outages.ts"

export interface DispatcherOptions {
  /** The most deliveries under way in this process. */
  readonly concurrency: number
  /** The largest part of them that one account may have, above 0 and up to 1. */
  readonly accountShare: number
  /** The most deliveries under way to one endpoint, so that a slow one does not hold up the others. */
  readonly endpointConcurrency: number
  /** The longest time of an attempt. */
  readonly timeout: Duration.Duration
}

/** The time that a lease outlasts an attempt: for the work before and after it. */
const leaseMargin = Duration.seconds(10)

/** The pause before a delivery is tried again whose secret cannot be read, which only the operator can mend. */
const restWithoutSecret = Duration.minutes(1)

const gone = 410

const isSuccess = ({ status = 0 }: Attempt): boolean => status >= 200 && status <= 299

const judge = (claim: Claim, attempt: Posted, random: number) => (failingSince: EpochMillis): Verdict => {
  if (isSuccess(attempt)) return Verdict.Delivered()
  if (attempt.status === gone) return Verdict.GivenUp({ disable: Option.some("gone") })
  const at = nextAttemptAt(attempt, claim.failedAttempts + 1, random)
  if (at !== undefined) return Verdict.Again({ at })
  const isLong = attempt.at - failingSince >= Duration.toMillis(failingLong)
  return Verdict.GivenUp({ disable: isLong ? Option.some("failing") : Option.none() })
}

const messageIdOf = ({ eventId, id }: Claim): string =>
  Option.match(eventId, { onNone: () => messageIdOfTest(id), onSome: messageIdOfEvent })

/** The owner of leases: a new one for each process that starts. */
const newOwner = (): string => crypto.randomUUID()

/** Delivers the outbox's events. State is in the database: a kill sends a message twice at worst. */
export class Dispatcher extends service<Dispatcher>()(
  "swap-broker/webhooks/Dispatcher",
  (options: DispatcherOptions) =>
    Effect.gen(function* () {
      const repo = yield* DeliveriesRepo
      const poster = yield* Poster
      const box = yield* SecretBox
      const guide = yield* Guide
      const owner = newOwner()
      const mostOfAccount = placesOfAccount(options.concurrency, options.accountShare)
      const lease = Duration.toMillis(options.timeout) + Duration.toMillis(leaseMargin)

      /** Makes deliveries of some events for each endpoint; returns the number of endpoints that had any. */
      const fanOut = Effect.flatMap(currentMillis, repo.fanOut)

      /** Claims deliveries that are due, at most `most`; each has to be run. */
      const claim = (most: number) =>
        Effect.flatMap(currentMillis, (now) =>
          repo.claim(
            { owner, now, until: EpochMillis.make(now + lease) },
            { most, mostOfEndpoint: options.endpointConcurrency, mostOfAccount },
          ))

      const measure = Effect.fnUntraced(function* ({ at }: Claim, attempt: Attempt, verdict: Verdict) {
        const outcomes = { Delivered: "delivered", Again: "failed", GivenUp: "given_up" } as const
        yield* Metric.update(metrics.webhookAttempts({ outcome: outcomes[verdict._tag] }), 1)
        if (verdict._tag !== "Delivered") return
        const lag = (attempt.at + attempt.durationMillis - at) / 1_000
        yield* Metric.update(metrics.webhookLagSeconds, Math.max(0, lag))
      })

      const attempt = Effect.fn("Dispatcher.attempt")(function* (claim: Claim) {
        const secrets = yield* Effect.forEach(claim.secrets, (kept) => box.read(claim.webhookId, kept))
        if (secrets.length === 0) return yield* repo.withoutSecret(claim, yield* currentMillis)
        const message = { id: messageIdOf(claim), body: yield* messageBody(guide, claim) }
        const made = yield* poster.post({
          url: claim.url,
          headers: signedHeaders(message, secrets, yield* currentMillis),
          body: message.body,
        })
        const random = yield* Random.next
        const judged = judge(claim, made, random)
        if (yield* repo.attempted(claim, made, judged)) yield* measure(claim, made, judged(made.at))
      })

      const releaseAfter = (claim: Claim, rest: Duration.Duration) =>
        Effect.flatMap(
          Clock.currentTimeMillis,
          (now) => repo.release(claim, EpochMillis.make(now + Duration.toMillis(rest))),
        ).pipe(Effect.ignore)

      /** Attempts a delivery once. */
      const run = (claim: Claim) =>
        attempt(claim).pipe(
          Effect.catchTag(
            "SecretUnreadable",
            (error) => Effect.andThen(Effect.logError(error.message), releaseAfter(claim, restWithoutSecret)),
          ),
          // The lease runs out, and the delivery is attempted again.
          surviving("Recording delivery attempts failed"),
          Effect.onInterrupt(() => releaseAfter(claim, Duration.zero)),
        )

      return { fanOut, claim, run }
    }),
) {}
