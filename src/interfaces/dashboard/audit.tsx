import { Effect, Option, Schema } from "effect"
import { Audit } from "#application/accounts/Audit.ts"
import { AccountName } from "#domain/accounts/Account.ts"
import { Scope } from "#domain/accounts/Key.ts"
import { RouteAsset } from "#domain/accounts/Route.ts"
import {
  type Actor,
  actorName,
  AuditAction,
  type AuditChange,
  type AuditEntry,
  AuditEntryId,
  type AuditFilters,
} from "#domain/operations/Audit.ts"
import { EpochMillis, toIsoDate } from "#domain/Time.ts"
import type { Operator } from "#domain/accounts/Viewer.ts"
import { filterField, filterForm, filterSelect } from "../pages/forms.tsx"
import { type Html } from "../pages/jsx-runtime.ts"
import { untrusted } from "../pages/parts.tsx"
import { table } from "../pages/table.tsx"
import { clock, exactTime } from "../pages/times.tsx"
import { path, type Url } from "../pages/Url.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { csvLine, csvOf, type Table } from "../requests/csv.ts"
import { providerTitle } from "#providers/Contacts.ts"
import { accountPath, webhookPath } from "./accounts/paths.ts"
import { routeAssetName } from "./accounts/routes.tsx"
import { scopeMeanings } from "./accounts/scopes.ts"
import { withdrawalPath } from "./treasury/states.tsx"
import { any, csvButton, endOf, pagesOf, readFilter, startOf } from "./filters.ts"
import { page, type PageRequest } from "./Page.ts"

/** The most entries on one page. */
const atOnce = 50

/** The longest value of a state that is shown in the list; the CSV has all of it. */
const mostOfValue = 120

const actorCell = (actor: Actor): Html =>
  <span class="w">
    {untrusted(actorName(actor), 40)}{" "}
    {actor.type === "key" && <small title={`key ${actor.keyId}`}>key {actor.keyId.slice(0, 4)}…</small>}
  </span>

/** The states of a change as objects, with nothing in one that there was not. */
const statesOf = (change: AuditChange) => {
  const { after, before } = { after: undefined, before: undefined, ...change }
  const members = (state: object | undefined) => new Map<string, unknown>(Object.entries(state ?? {}))
  return { before: members(before), after: members(after) }
}

/** What a change is about. */
const subjectOf = (change: AuditChange): string =>
  Object.entries(change)
    .filter(([name, value]) =>
      !["action", "before", "after", "reason"].includes(name) && typeof value !== "object"
    )
    .map(([, value]) => `${value}`).join(" ")

/** The same in words: `harbor-pay, key ab2c…`, `Chainflip`, `acme-wallet, swap 7`. */
const targetOf = (change: AuditChange): string => {
  const { account, keyId, platform, swapId, webhookId } = {
    account: undefined,
    keyId: undefined,
    platform: undefined,
    swapId: undefined,
    webhookId: undefined,
    ...change,
  }
  return [
    account,
    platform && providerTitle(platform),
    keyId && `key ${keyId.slice(0, 4)}…`,
    webhookId && `webhook ${webhookId.slice(4, 8)}…`,
    swapId && `swap ${swapId}`,
  ].filter((part) => part !== undefined).join(", ")
}

/** The page of what a change is about: the narrowest of which there is one. */
const pageOf = (change: AuditChange): Url => {
  const { account, platform, swapId, webhookId } = {
    account: undefined,
    platform: undefined,
    swapId: undefined,
    webhookId: undefined,
    ...change,
  }
  if (change.action === "withdrawal.requested" || change.action === "withdrawal.decided") {
    return withdrawalPath(change.after.withdrawalId)
  }
  if (swapId !== undefined) return path`/dashboard/swaps/${swapId}`
  if (account === undefined) return path`/dashboard/providers/${platform ?? ""}`
  if (webhookId === undefined || change.action === "webhook.removed") return accountPath(account)
  return webhookPath(account, webhookId)
}

const subjectLink = (change: AuditChange): Html =>
  <a href={pageOf(change)}>{untrusted(targetOf(change), mostOfValue)}</a>

/** The name of a member as words: `allowedOrigins` is "allowed origins". */
const memberWords = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** Members that are times. */
const isTime = /(?:At|Until)$/

const readAsset = Schema.decodeUnknownOption(RouteAsset)
const readScopes = Schema.decodeUnknownOption(Schema.Array(Scope))

/** A value of a state, as a person reads it. */
const textOf = (name: string, value: unknown): string => {
  if (value === undefined) return "none"
  const asset = /asset$/i.test(name) ? readAsset(value) : Option.none()
  if (Option.isSome(asset)) return routeAssetName(asset.value)
  if (typeof value === "string") return value
  if (typeof value === "boolean") return value ? "yes" : "no"
  const at = isTime.test(name) ? EpochMillis.makeOption(Number(value)) : Option.none()
  if (Option.isSome(at)) return exactTime(at.value)
  const scopes = name === "scopes" ? readScopes(value) : Option.none()
  if (Option.isSome(scopes)) return scopes.value.map((scope) => scopeMeanings[scope]).join(", ")
  return Array.isArray(value) ? value.join(", ") : JSON.stringify(value)
}

/** The members of the states that differ, each with its value before, where there was one, and after. */
const differences = (change: AuditChange): Html => {
  const { after, before } = statesOf(change)
  const names = [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => textOf(name, before.get(name)) !== textOf(name, after.get(name)))
  const value = (name: string, value: unknown) => untrusted(textOf(name, value), mostOfValue)
  const parts = names.map((name) => (
    <>
      <span class="soft">{memberWords(name)}</span> {before.has(name) && after.size > 0 && (
        <>
          <s>{value(name, before.get(name))}</s> →{" "}
        </>
      )}
      {after.has(name)
        ? value(name, after.get(name))
        : after.size > 0
        ? "removed"
        : value(name, before.get(name))}
    </>
  ))
  const reason = "reason" in change
    ? [
      <>
        <span class="soft">reason</span> {untrusted(change.reason, mostOfValue)}
      </>,
    ]
    : []
  return <>{[...parts, ...reason].map((part, index) => <>{index > 0 && " · "}{part}</>)}</>
}

/** An action in words: `withdrawal.requested` is "Withdrawal requested". */
const actionWords = (action: string): string =>
  `${action.slice(0, 1).toUpperCase()}${action.slice(1).replace(".", " ")}`

/** The longest name of an actor: `cli:` with that of a user. */
const longestActor = 256

/** The filters by the names that they have in the address of the page. */
const named = ({ query }: Pick<PageRequest<Operator>, "query">) => ({
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
    ...optionalMembers(account, (account) => ({ account })),
    ...optionalMembers(action, (action) => ({ actions: [action] })),
    ...optionalMembers(actor, (actor) => ({ actor })),
    ...optionalMembers(from, (from) => ({ from })),
    ...optionalMembers(before, (before) => ({ before })),
  }
  return filters
})

const here = path`/dashboard/audit`

const filter = ({ account = "", action = "", actor = "", from = "", to = "" }: Named): Html =>
  filterForm({
    to: here,
    narrowed: [account, action, actor, from, to],
    fields: [
      filterSelect({
        label: "Change",
        name: "action",
        value: action,
        choices: [
          any("Any change"),
          ...AuditAction.literals.map((value) => ({ value, label: actionWords(value) })),
        ],
      }),
      filterField({ label: "Who", name: "actor", value: actor }),
      filterField({ label: "Account", name: "account", value: account }),
      filterField({ label: "From", name: "from", type: "date", value: from }),
      filterField({ label: "To (UTC)", name: "to", type: "date", value: to }),
    ],
  })

/** The log for a spreadsheet, with the whole change as JSON. */
const auditCsv: Table<AuditEntry> = {
  file: "audit.csv",
  head: csvLine(["id", "at", "actor", "keyId", "action", "subject", "change"]),
  line: ({ actor, at, change, id }) =>
    csvLine([
      id,
      toIsoDate(at),
      actorName(actor),
      actor.type === "key" ? actor.keyId : undefined,
      change.action,
      subjectOf(change),
      JSON.stringify(change),
    ]),
}

/** Who changed what, newest first. */
export const auditPage = page({
  path: "/dashboard/audit",
  nav: "audit",
  operator: Effect.fnUntraced(function* (asked: PageRequest<Operator>) {
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
      title: "Audit log",
      line: "newest first; entries are never altered",
      acts: csvButton(here, wanted),
      body: [
        filter(wanted),
        (<section id="audit" aria-label="Changes">
          {table<AuditEntry>({
            caption: "Changes, newest first",
            columns: [
              ["When (UTC)", ({ at }) => <span class="w">{clock(at, now)}</span>, "b"],
              ["Who", ({ actor }) => actorCell(actor)],
              ["Change", ({ change }) => <span class="w">{actionWords(change.action)}</span>, "a"],
              ["Target", ({ change }) => subjectLink(change)],
              ["Before and after", ({ change }) => differences(change), "all"],
            ],
            rows: items,
            empty: isFiltered ? "No changes match. Remove a filter." : "No changes yet.",
          })}
          {links(next)}
        </section>),
      ],
    }
  }),
  csv: {
    operator: Effect.fnUntraced(function* (asked: PageRequest<Operator>) {
      const filters = yield* filtersOf(named(asked))
      const { page } = yield* Audit
      const from = (offset?: AuditEntryId) =>
        page({ ...filters, limit: 500, ...optionalMembers(offset, (offset) => ({ offset })) })
      return csvOf(auditCsv, yield* from(), from)
    }),
  },
})
