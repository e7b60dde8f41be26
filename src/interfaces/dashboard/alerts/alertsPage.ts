import { Effect } from "effect"
import { Alerts } from "#application/alerts/Alerts.ts"
import { AlertPlace, subjectOf, type ToldAlert } from "#domain/operations/Alert.ts"
import { toIsoDate } from "#domain/Time.ts"
import type { Operator } from "#domain/accounts/Viewer.ts"
import { type Html, path } from "../../pages/jsx-runtime.ts"
import { empty, known, section, table, todo, untrusted } from "../../pages/parts.tsx"
import { durationText } from "#domain/durationText.ts"
import { minute } from "../../pages/values.tsx"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { providerTitle } from "#providers/Registry.ts"
import { csvOf, csvTable, isoCell } from "../../requests/csv.ts"
import { csvButton, page, type PageRequest, pagesOf } from "../Page.ts"
import { causesOf, decisionsOf, headlineOf } from "./decision.tsx"

/** The most alerts on one page. */
const atOnce = 50

const pastTable = (alerts: ReadonlyArray<ToldAlert>): Html =>
  table({
    caption: "Past alerts, newest first",
    columns: [
      ["Alert", ({ alert }) => headlineOf(alert)],
      ["About", ({ alert }) => untrusted(providerTitle(subjectOf(alert)) || "this service")],
      ["Lasted", ({ beganAt, endedAt }) => known(endedAt, (at) => durationText(at - beganAt)), "number b"],
      ["Began (UTC)", ({ beganAt }) => minute(beganAt), "number"],
      ["Resolved (UTC)", ({ endedAt }) => known(endedAt, minute), "number x"],
    ],
    rows: alerts.toSorted((one, other) => other.beganAt - one.beganAt),
    empty: "No past alerts.",
  })

/** The alerts for a spreadsheet, with all that is known of each as JSON. */
const alertsCsv = csvTable<ToldAlert>("alerts.csv", [
  ["type", ({ alert }) => alert.type],
  ["about", ({ alert }) => subjectOf(alert)],
  ["state", ({ state }) => state],
  ["beganAt", ({ beganAt }) => toIsoDate(beganAt)],
  ["endedAt", ({ endedAt }) => isoCell(endedAt)],
  ["alert", ({ alert }) => JSON.stringify(alert)],
])

const said = (active: number): string => active === 0 ? "none active" : `${active} active, most urgent first`

/** What the operator has to know of: the active alerts first, then those that ended. */
export const alertsPage = page({
  path: "/dashboard/alerts",
  nav: "alerts",
  operator: Effect.fnUntraced(function* (asked: PageRequest<Operator>) {
    const { now } = asked
    const { links, offset } = pagesOf(asked, path`/dashboard/alerts`, AlertPlace.makeOption)
    const { items, next } = yield* (yield* Alerts).page({ limit: atOnce, ...offset })
    const active = items.filter(({ state }) => state === "active")
    const ended = items.filter(({ state }) => state === "ended")
    return {
      title: "Alerts",
      line: said(active.length),
      acts: csvButton(path`/dashboard/alerts`),
      body: [
        section(
          { title: "Active", id: "active", live: true },
          active.length === 0
            ? empty("No active alerts.")
            : todo(decisionsOf(active, yield* causesOf(active), now, "tall"), "tall"),
        ),
        section({ title: "Past", id: "past" }, [pastTable(ended), links(next)]),
      ],
    }
  }),
  csv: {
    operator: Effect.fnUntraced(function* (_: PageRequest<Operator>) {
      const { page } = yield* Alerts
      const from = (offset?: AlertPlace) =>
        page({ limit: 500, ...optionalMembers(offset, (offset) => ({ offset })) })
      return csvOf(alertsCsv, yield* from(), from)
    }),
  },
})
