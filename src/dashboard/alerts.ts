import { Effect, Match } from "effect"
import { Alerts } from "../alerts/Alerts.ts"
import { type Alert, AlertPlace, subjectOf, type ToldAlert } from "../domain/Alert.ts"
import type { EpochMillis } from "../domain/Time.ts"
import type { Operator } from "../domain/Viewer.ts"
import { type Html, html } from "../pages/html.ts"
import { foreign, note, pill, section } from "../pages/parts.ts"
import { table } from "../pages/table.ts"
import { lasting, time } from "../pages/times.ts"
import { path, type Url, withQuery } from "../pages/Url.ts"
import { pagesOf } from "./filters.ts"
import { type Asked, page } from "./Page.ts"
import { providerPath } from "./providers/providerParts.ts"
import { webhooksPath } from "./webhooks/webhookActs.ts"

/** The most alerts on one page. */
const atOnce = 50

/** The page that shows the cause of an alert; none where nothing of the service's own tells. */
const placeOf = Match.type<Alert>().pipe(
  Match.discriminatorsExhaustive("type")({
    flip_low: () => path`/dashboard/money`,
    ledger_mismatch: () => path`/dashboard/money`,
    withdrawals_disabled: () => path`/dashboard/money`,
    node_out_of_sync: ({ provider }) => providerPath(provider),
    bond_missing_for_btc_vault_swaps: () => path`/dashboard/money`,
    swaps_stalled: ({ provider }) => withQuery(path`/dashboard/swaps`, { stalled: 1, platform: provider }),
    end_disputed: ({ provider }) => withQuery(path`/dashboard/swaps`, { platform: provider }),
    channels_unrecorded: ({ provider }) => providerPath(provider),
    outcome_unknown: ({ openings }) => openings === 0 ? path`/dashboard/money` : path`/dashboard/swaps`,
    provider_down: ({ provider }) => providerPath(provider),
    wire_drift: ({ provider }) => providerPath(provider),
    webhook_failing: ({ account }): Url | undefined =>
      account === undefined ? undefined : webhooksPath(account),
    database_slow: (): Url | undefined => undefined,
  }),
)

const wordsOf = ({ action, alert, problem }: ToldAlert): Html => {
  const place = placeOf(alert)
  return html`${foreign(problem)}${
    place !== undefined && html`
      <a href="${place}">Show</a>
    `
  }<br><small>${foreign(action)}</small>`
}

/** An alert that is active, in a line of its own. */
export const alertLine = (entry: ToldAlert, now: EpochMillis): Html =>
  note("bad", { text: html`${wordsOf(entry)}<br><small>since ${time(entry.beganAt, now)}</small>` })

const stateCell = ({ beganAt, endedAt }: ToldAlert, now: EpochMillis): Html =>
  endedAt === undefined
    ? html`${pill("active", "bad")} since ${time(beganAt, now)}`
    : html`${pill("ended", "good")} ${time(endedAt, now)} <small>after ${lasting(endedAt - beganAt)}</small>`

/** A list of alerts. */
const alertsTable = (
  caption: string,
  alerts: ReadonlyArray<ToldAlert>,
  now: EpochMillis,
  empty: string,
): Html =>
  table({
    caption,
    columns: [
      ["Alert", ({ alert }) => html`<code>${alert.type}</code>`],
      ["About", ({ alert }) => foreign(subjectOf(alert) || "–")],
      ["What is wrong, and what to do", wordsOf],
      ["State", (entry) => stateCell(entry, now)],
    ],
    rows: alerts,
    empty,
  })

/** What the operator has to know of: the active alerts first, then those that ended. */
export const alertsPage = page({
  path: "/dashboard/alerts",
  nav: "alerts",
  operator: Effect.fnUntraced(function* (asked: Asked<Operator>) {
    const { now } = asked
    const { links, offset } = pagesOf(asked, path`/dashboard/alerts`, AlertPlace.makeOption)
    const { items, next } = yield* (yield* Alerts).page({ limit: atOnce, ...offset })
    const active = items.filter(({ state }) => state === "active")
    const ended = items.filter(({ state }) => state === "ended")
    return {
      title: "Alerts",
      body: [
        section(
          { title: "Active", id: "active", live: true },
          alertsTable("Active alerts", active, now, "Nothing is wrong that an alert is for."),
        ),
        section({ title: "Past", id: "past" }, [
          alertsTable("Past alerts", ended, now, "No alert has ended yet."),
          links(next),
        ]),
      ],
    }
  }),
})
