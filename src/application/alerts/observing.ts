import { Effect, Schema } from "effect"
import { type Alert, subjectOf, ToldAlert } from "#domain/operations/Alert.ts"
import { toIsoDate } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { type AlertNews, AlertsRepo, type WriteMessage } from "#infrastructure/store/alerts/AlertsRepo.ts"
import { type AlertDelays, decide, type Reading } from "./decide.ts"
import { alertText } from "./alertText.ts"

/** How long faults last before the operator is told, and whether there is a webhook to tell it. */
export interface ObservingOptions extends AlertDelays {
  readonly hasWebhook: boolean
}

const encodeMessage = Schema.encodeSync(Schema.fromJsonString(Schema.Struct({
  type: Schema.String,
  timestamp: Schema.String,
  data: ToldAlert,
})))

/** The body of a message: as of an account's event, with the alert in the place of the swap. */
const bodyOf: WriteMessage = ({ entry, event }, at) =>
  encodeMessage({ type: event, timestamp: toIsoDate(at), data: alertText(entry) })

/** Whom an alert is about, after its type. */
const ofSubject = (alert: Alert): string => {
  const subject = subjectOf(alert)
  return subject === "" ? "" : ` of ${subject}`
}

const logNews = ({ entry, event }: AlertNews) => {
  const { id, alert, problem, action } = alertText(entry)
  const line = event === "alert.began"
    ? Effect.logWarning(`Alert ${alert.type}: ${problem}. ${action}`)
    : Effect.logInfo(`The alert ${alert.type}${ofSubject(alert)} is resolved`)
  return Effect.annotateLogs(line, { alert: alert.type, alertId: id })
}

/** Begins and ends alerts by their sources, each with a log line and a message; replicas share them. */
export const observing = ({ hasWebhook, ...patience }: ObservingOptions) =>
  Effect.map(AlertsRepo, (repo) => {
    const write: WriteMessage = hasWebhook ? bodyOf : () => undefined
    return Effect.fn("Alerts.observe")(function* (readings: ReadonlyArray<Reading>) {
      const now = yield* currentMillis
      const news = yield* repo.revise(decide(readings, patience, now), write, now)
      yield* Effect.forEach(news, logNews, { discard: true })
    })
  })

/** Repeats the lines of the log about endpoints that end: an announcement lasts for months. */
export const remindOfEndings = Effect.gen(function* () {
  const active = yield* (yield* AlertsRepo).active
  const ending = active.filter(({ alert }) => alert.type === "endpoint_ending")
  yield* Effect.forEach(ending, (entry) => logNews({ entry, event: "alert.began" }), { discard: true })
})
