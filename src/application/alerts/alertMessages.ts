import { Duration, Effect, Layer, Metric, Option, Random, Redacted } from "effect"
import { EpochMillis } from "#domain/Time.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { type AlertMessage, AlertMessagesRepo } from "#infrastructure/store/alerts/AlertMessagesRepo.ts"
import { signedHeaders } from "../webhooks/message.ts"
import { type Posted, Poster } from "../webhooks/Poster.ts"
import { nextAttemptAt } from "../webhooks/schedule.ts"
import type { OperatorWebhook } from "./settings.ts"
import { repeating } from "#infrastructure/platform/outages.ts"

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
