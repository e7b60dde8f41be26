import { Effect } from "effect"
import { RequestErrors } from "../../accounts/RequestErrors.ts"
import type { RequestErrors as FailedRequests, RequestErrorsQuery } from "../../domain/RequestError.ts"
import { EpochMillis } from "../../domain/Time.ts"
import type { Viewer } from "../../domain/Viewer.ts"
import { type Html, html } from "../../pages/html.ts"
import { foreign, pill, section } from "../../pages/parts.ts"
import { table } from "../../pages/table.ts"
import { time } from "../../pages/times.ts"
import { type Asked, type Owner, ownPage } from "../Page.ts"

const dayMillis = 86_400_000
const mostShown = 50

/** The failures of the last day. */
export const lastDay = (now: EpochMillis): RequestErrorsQuery => ({
  from: EpochMillis.make(Math.max(0, now - dayMillis)),
  to: now,
  limit: mostShown,
})

/** The sentence of the last failure of the kind; its name only where there is none. */
const why = ({ code, example, kind, parameters }: FailedRequests): Html =>
  html`${example === "" ? code ?? kind : foreign(example)}<br><small>${example !== "" && (code ?? kind)}${
    parameters.length > 0 && html`
      at <code>${parameters.join(", ")}</code>
    `
  }</small>`

/** Failed requests by endpoint, the most frequent first. */
export const errorsTable = (errors: ReadonlyArray<FailedRequests>, now: EpochMillis): Html =>
  table({
    caption: "Failed requests by endpoint",
    columns: [
      ["Endpoint", ({ endpoint }) => html`<code>${endpoint}</code>`],
      ["Status", ({ status }) => pill(`${status}`, status >= 500 ? "bad" : "warn")],
      ["Why", why],
      ["Count", ({ count }) => count, "number"],
      ["Last", ({ lastAt }) => time(lastAt, now)],
    ],
    rows: errors,
    empty: "No request failed in this time.",
  })

const show = Effect.fnUntraced(function* ({ name }: Owner, { now }: Asked<Viewer>) {
  const errors = yield* (yield* RequestErrors).ofAccount(name, lastDay(now))
  return {
    title: "Failed requests",
    body: section({ title: "The last 24 hours", id: "errors", live: true }, [
      errorsTable(errors, now),
      html`
        <p
          class="soft">Nothing that a request brought is kept. The API has the last 30 days: <code>GET /errors</code>.</p>
      `,
    ]),
  }
})

/** What failed of the viewer's own requests. */
export const errorsPage = ownPage({ path: "/dashboard/errors", nav: "errors", show })
