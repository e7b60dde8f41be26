import { Array, Data, Effect, Schema } from "effect"
import {
  Alert,
  AlertEntry,
  type AlertEvent,
  AlertId,
  type AlertPlace,
  placeOf,
  subjectOf,
} from "#domain/operations/Alert.ts"
import { pageOf, type PageQuery } from "#domain/Page.ts"
import { EpochMillis } from "#domain/Time.ts"
import { absentWhenNull, idOf, Timestamp, toTimestamp } from "../database/columns.ts"
import { deleteBefore, given, readable, repository, rows } from "../database/repository.ts"

const Id = idOf(AlertId)

/** A fault that is seen at present, or was a short time ago. */
const Fault = Schema.Struct({
  alert: Alert,
  since: Timestamp,
  seenAt: Timestamp,
  /** The alert that the fault began; absent while it has not lasted long enough. */
  alertId: absentWhenNull(Id),
  /** How often the same alert had begun in the day before this one. */
  recurrences: Schema.Int,
})
export type Fault = typeof Fault.Type

export type FaultChange = Data.TaggedEnum<{
  /** It is seen for the first time, or still. */
  Lasts: { readonly fault: Fault }
  Begins: { readonly fault: Fault }
  /** It was gone before an alert began. */
  Forgotten: { readonly fault: Fault }
  Ends: { readonly fault: Fault; readonly id: AlertId }
}>
export const FaultChange = Data.taggedEnum<FaultChange>()

/** An alert that has just begun or ended. */
export interface AlertNews {
  readonly event: AlertEvent
  readonly entry: AlertEntry
}

/** The text of the message about an alert; undefined where nobody is told. */
export type WriteMessage = (news: AlertNews, at: EpochMillis) => string | undefined

const faults = readable(Fault, "A fault is not followed")
const entries = readable(
  Schema.Struct({
    id: Id,
    alert: Alert,
    since: Timestamp,
    beganAt: Timestamp,
    endedAt: absentWhenNull(Timestamp),
  }),
  "An alert is not listed",
)
const begun = rows(Schema.Struct({ id: Id, isNew: Schema.Boolean, recurrences: Schema.Int }))
const encodeAlert = Schema.encodeEffect(Schema.fromJsonString(Alert))

/** The key of the advisory lock: any number that nothing else on the server locks. */
const reviseLock = 7_281_640_134n

/** The time in which an alert that begins again counts as coming back. */
const dayMillis = 86_400_000

/** Faults and their alerts. All replicas revise the same rows, so that an alert begins once, with its message. */
export class AlertsRepo extends repository<AlertsRepo>()("Alerts", ({ op, sql, transaction }) => {
  const record = sql.literal(`id, alert, since, began_at AS "beganAt", ended_at AS "endedAt"`)

  const noNews: ReadonlyArray<AlertNews> = []

  const keep = Effect.fnUntraced(function* ({ alert, alertId, recurrences, seenAt, since }: Fault) {
    const text = yield* encodeAlert(alert)
    yield* sql`
      INSERT INTO alert_faults (type, subject, alert, since, seen_at, alert_id, recurrences)
      VALUES (${alert.type}, ${subjectOf(alert)}, ${text}::jsonb, ${toTimestamp(since)},
        ${toTimestamp(seenAt)}, ${alertId ?? null}::bigint, ${recurrences})
      ON CONFLICT (type, subject) DO UPDATE SET alert = excluded.alert, since = excluded.since,
        seen_at = excluded.seen_at, alert_id = excluded.alert_id, recurrences = excluded.recurrences`
    if (alertId === undefined) return
    yield* sql`
      UPDATE alerts SET alert = ${text}::jsonb WHERE id = ${alertId} AND alert IS DISTINCT FROM ${text}::jsonb`
  })

  const drop = ({ alert }: Fault) =>
    sql`DELETE FROM alert_faults WHERE type = ${alert.type} AND subject = ${subjectOf(alert)}`

  const begin = Effect.fnUntraced(function* (fault: Fault, now: EpochMillis) {
    const { alert, since } = fault
    const subject = subjectOf(alert)
    const dayBefore = toTimestamp(EpochMillis.make(Math.max(0, now - dayMillis)))
    const { id, isNew, recurrences } = yield* begun.only(sql`
      INSERT INTO alerts (type, subject, alert, since, began_at)
      VALUES (${alert.type}, ${subject}, ${yield* encodeAlert(alert)}::jsonb, ${toTimestamp(since)},
        ${toTimestamp(now)})
      ON CONFLICT (type, subject) WHERE ended_at IS NULL DO UPDATE SET alert = excluded.alert
      RETURNING id, xmax = 0 AS "isNew", (
        SELECT count(*)::int FROM alerts
        WHERE type = ${alert.type} AND subject = ${subject} AND began_at > ${dayBefore} AND ended_at IS NOT NULL
      ) AS recurrences`)
    yield* keep({ ...fault, alertId: id, recurrences })
    // Its alert is active already where another version wrote a fault that this one cannot read.
    if (!isNew) return noNews
    return [{ event: "alert.began" as const, entry: { id, alert, since, beganAt: now } }]
  })

  const end = Effect.fnUntraced(function* (fault: Fault, id: AlertId, now: EpochMillis) {
    yield* drop(fault)
    const ended = yield* entries.all(sql`
      UPDATE alerts SET ended_at = ${toTimestamp(now)} WHERE id = ${id} AND ended_at IS NULL
      RETURNING ${record}`)
    return ended.map((entry) => ({ event: "alert.ended" as const, entry }))
  })

  const apply = (now: EpochMillis) =>
    FaultChange.$match({
      Lasts: ({ fault }) => Effect.as(keep(fault), noNews),
      Begins: ({ fault }) => begin(fault, now),
      Forgotten: ({ fault }) => Effect.as(drop(fault), noNews),
      Ends: ({ fault, id }) => end(fault, id, now),
    })

  const addMessage = Effect.fnUntraced(function* (news: AlertNews, write: WriteMessage, now: EpochMillis) {
    const body = write(news, now)
    if (body === undefined) return
    const at = toTimestamp(now)
    yield* sql`
      INSERT INTO alert_messages (alert_id, event, body, created_at, next_attempt_at)
      VALUES (${news.entry.id}, ${news.event}, ${body}, ${at}, ${at})`
  })

  /** Alerts of one part of the list, from an id on. */
  const part = (state: "active" | "ended", from: number | undefined, limit: number) =>
    entries.all(sql`
      SELECT ${record} FROM alerts
      WHERE ended_at IS ${sql.literal(state === "active" ? "NULL" : "NOT NULL")}
        ${given(from, (from) => sql`AND id <= ${from}`)}
      ORDER BY id DESC LIMIT ${limit}`)

  return {
    /** Changes the faults as `decide` says of the present ones; returns the alerts that began or ended. */
    revise: transaction("revise", function* (
      decide: (faults: ReadonlyArray<Fault>) => ReadonlyArray<FaultChange>,
      write: WriteMessage,
      now: EpochMillis,
    ) {
      // The lock is a statement of its own, so that the next statement sees all earlier changes.
      yield* sql`SELECT pg_advisory_xact_lock(${reviseLock})`
      const present = yield* faults.all(sql`
        SELECT alert, since, seen_at AS "seenAt", alert_id AS "alertId", recurrences FROM alert_faults`)
      const news = Array.flatten(yield* Effect.forEach(decide(present), apply(now)))
      yield* Effect.forEach(news, (one) => addMessage(one, write, now), { discard: true })
      return news
    }),

    /** Every active alert, the latest first. */
    active: op(
      "active",
      entries.all(sql`SELECT ${record} FROM alerts WHERE ended_at IS NULL ORDER BY id DESC`),
    ),

    /** A page of all alerts: the active ones first, each part with the latest first. */
    page: op("page", function* ({ limit, offset }: PageQuery<AlertPlace>) {
      const [state, from] = offset === undefined ? ["active", undefined] : offset.split("-")
      const id = from === undefined ? undefined : Number(from)
      const first = state === "active" ? yield* part("active", id, limit + 1) : []
      const rest = limit + 1 - first.length
      const second = rest > 0 ? yield* part("ended", state === "ended" ? id : undefined, rest) : []
      return pageOf([...first, ...second], limit, placeOf)
    }),

    /** Deletes alerts that ended before a time, at most `limit`; returns their number. */
    expire: op("expire", deleteBefore(sql, "alerts", "ended_at")),
  }
}) {}
