import { Effect } from "effect"
import { Accounts } from "../../accounts/Accounts.ts"
import { RequestErrors } from "../../accounts/RequestErrors.ts"
import type { RequestErrors as FailedRequests, RequestErrorsQuery } from "../../domain/RequestError.ts"
import { EpochMillis } from "../../domain/Time.ts"
import type { Operator, Viewer } from "../../domain/Viewer.ts"
import { type Html, html } from "../../pages/html.ts"
import { grouped } from "../../pages/money.ts"
import { empty, foreign, pill, section } from "../../pages/parts.ts"
import { table } from "../../pages/table.ts"
import { time } from "../../pages/times.ts"
import { path } from "../../pages/Url.ts"
import { type Asked, type Owner, ownPage, page } from "../Page.ts"

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

/** The most accounts whose failed requests are shown together, those with the most first. */
const mostAccounts = 20

/** What failed of the requests of every account, the account with the most failures first. */
export const allErrorsPage = page({
  path: "/dashboard/failed",
  nav: "errors",
  operator: Effect.fnUntraced(function* ({ now }: Asked<Operator>) {
    const requests = yield* RequestErrors
    const accounts = yield* (yield* Accounts).all
    const all = yield* Effect.forEach(
      accounts,
      ({ name }) =>
        Effect.map(requests.ofAccount(name, lastDay(now)), (errors) => ({
          name,
          errors,
          count: errors.reduce((sum, { count }) => sum + count, 0),
        })),
    )
    const failing = all.filter(({ count }) => count > 0).toSorted((one, other) => other.count - one.count)
    const sum = failing.reduce((total, { count }) => total + count, 0)
    return {
      title: "Failed requests",
      line: `${grouped(`${sum}`)} in the last 24 hours, of ${failing.length} ${
        failing.length === 1 ? "account" : "accounts"
      }`,
      body: failing.length === 0
        ? empty(
          "No request failed in the last 24 hours. Each that does stands here by account, endpoint and reason.",
        )
        : failing.slice(0, mostAccounts).map(({ count, errors, name }) =>
          section({
            title: name,
            id: `errors-${name}`,
            aside: html`${
              grouped(`${count}`)
            } failed · <a href="${path`/dashboard/accounts/${name}`}">Account</a>`,
          }, errorsTable(errors, now))
        ),
    }
  }),
})

/** What failed of the viewer's own requests. */
export const errorsPage = ownPage({ path: "/dashboard/errors", nav: "errors", show })
