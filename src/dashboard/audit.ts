import { Effect, Schema } from "effect"
import { Audit } from "../accounts/Audit.ts"
import { AccountName } from "../domain/Account.ts"
import {
  type Actor,
  actorName,
  AuditAction,
  type AuditChange,
  AuditEntryId,
  type AuditFilters,
} from "../domain/Audit.ts"
import type { Operator } from "../domain/Viewer.ts"
import { filterField, filterForm, filterSelect } from "../pages/forms.ts"
import { type Html, html } from "../pages/html.ts"
import { folded, foreign, section, verbatim } from "../pages/parts.ts"
import { table } from "../pages/table.ts"
import { time } from "../pages/times.ts"
import { path } from "../pages/Url.ts"
import { spread } from "../platform/spread.ts"
import { any, choices, endOf, pagesOf, readFilter, startOf } from "./filters.ts"
import { type Asked, page } from "./Page.ts"

/** The most entries on one page. */
const atOnce = 50

const actorCell = (actor: Actor): Html =>
  html`${foreign(actorName(actor))}${
    actor.type === "key" && html`<br><small>key <code>${actor.keyId}</code></small>`
  }`

/** What a change is about. */
const subjectOf = (change: AuditChange): string =>
  Object.entries(change)
    .filter(([name, value]) => !["action", "before", "after"].includes(name) && typeof value !== "object")
    .map(([, value]) => `${value}`).join(" ")

const stateOf = (change: AuditChange): Html => {
  const { after, before } = { after: undefined, before: undefined, ...change }
  const text = (state: unknown) => JSON.stringify(state, undefined, 1)
  return folded(
    "Before and after",
    html`${before !== undefined && verbatim(text(before), "Before")}${
      after === undefined ? html`<p>Nothing afterwards.</p>` : verbatim(text(after), "After")
    }`,
  )
}

/** The longest name of an actor: `cli:` with that of a user. */
const longestActor = 256

/** The filters by the names that they have in the address of the page. */
const named = ({ query }: Pick<Asked<Operator>, "query">) => ({
  account: query("account"),
  action: query("action"),
  actor: query("actor")?.slice(0, longestActor),
  from: query("from"),
  to: query("to"),
})
type Named = ReturnType<typeof named>

const filtersOf = Effect.fnUntraced(function* ({ actor, ...given }: Named) {
  const account = yield* readFilter("account", given.account, AccountName.makeOption)
  const action = yield* readFilter("action", given.action, Schema.decodeUnknownOption(AuditAction))
  const from = yield* readFilter("from", given.from, startOf)
  const before = yield* readFilter("to", given.to, endOf)
  const filters: AuditFilters = {
    ...spread(account, (account) => ({ account })),
    ...spread(action, (action) => ({ actions: [action] })),
    ...spread(actor, (actor) => ({ actor })),
    ...spread(from, (from) => ({ from })),
    ...spread(before, (before) => ({ before })),
  }
  return filters
})

const here = path`/dashboard/audit`

const filter = ({ account = "", action = "", actor = "", from = "", to = "" }: Named): Html =>
  filterForm({
    to: here,
    fields: [
      filterField({ label: "Account", name: "account", value: account }),
      filterSelect({
        label: "Change",
        name: "action",
        value: action,
        choices: [any("Any change"), ...choices(AuditAction.literals)],
      }),
      filterField({ label: "Who changed it", name: "actor", value: actor }),
      filterField({ label: "From (UTC)", name: "from", type: "date", value: from }),
      filterField({ label: "To (UTC)", name: "to", type: "date", value: to }),
    ],
  })

/** Who changed what, the latest first. */
export const auditPage = page({
  path: "/dashboard/audit",
  nav: "audit",
  operator: Effect.fnUntraced(function* (asked: Asked<Operator>) {
    const { now } = asked
    const wanted = named(asked)
    const { links, offset } = pagesOf(
      asked,
      here,
      (text) => AuditEntryId.makeOption(Number(text)),
      { filters: wanted, name: "entry" },
    )
    const { items, next } = yield* (yield* Audit).page({
      limit: atOnce,
      ...(yield* filtersOf(wanted)),
      ...offset,
    })
    const isFiltered = Object.values(wanted).some((value) => value !== undefined)
    return {
      title: "Audit",
      body: [
        section({ title: "Filter", id: "filter" }, filter(wanted)),
        section({ title: "Who changed what", id: "audit" }, [
          table({
            caption: "Changes, the latest first",
            columns: [
              ["When", ({ at }) => time(at, now)],
              ["Who", ({ actor }) => actorCell(actor)],
              ["Change", ({ change }) => html`<code>${change.action}</code>`],
              ["Of", ({ change }) => foreign(subjectOf(change))],
              ["State", ({ change }) => stateOf(change)],
            ],
            rows: items,
            empty: isFiltered ? "No change fits: take a filter away." : "Nothing was ever changed.",
          }),
          links(next),
        ]),
      ],
    }
  }),
})
