import { Effect, Option, Schema } from "effect"
import { Audit } from "#application/accounts/Audit.ts"
import { AccountName } from "#domain/accounts/Account.ts"
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
import { bpsText } from "#domain/figures.ts"
import { Withdrawals } from "#application/treasury/Withdrawals.ts"
import { amount, exactTime, weekdayLabel } from "../pages/values.tsx"
import { filterField, filterForm, filterSelect } from "../pages/forms.tsx"
import { type Html, path } from "../pages/jsx-runtime.ts"
import { table, untrusted } from "../pages/parts.tsx"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { csvOf, csvTable } from "../requests/csv.ts"
import { providerTitle } from "#providers/Registry.ts"
import { accountPath, keyPath, webhookPath } from "./accounts/paths.ts"
import { routeAssetName } from "./accounts/account.tsx"
import { withdrawalPath } from "./treasury/states.tsx"
import { any, csvButton, endOf, page, type PageRequest, pagesOf, readFilter, startOf } from "./Page.ts"
import words from "./words.json" with { type: "json" }

/** The most entries on one page. */
const atOnce = 50

/** The longest value of a state that is shown in the list; the CSV has all of it. */
const mostOfValue = 120

const actorCell = (actor: Actor): Html =>
  <span class="w">
    {actor.type === "bootstrap" ? "first start" : untrusted(actorName(actor), 40)}{" "}
    {actor.type === "key" && <small title={`key ${actor.keyId}`}>key {actor.keyId.slice(0, 8)}…</small>}
  </span>

/** The states of a change as objects, with nothing in one that there was not. */
const statesOf = (change: AuditChange) => {
  const { after, before } = { after: undefined, before: undefined, ...change }
  const members = (state: object | undefined) => new Map<string, unknown>(Object.entries(state ?? {}))
  return { before: members(before), after: members(after) }
}

const subjectOf = (change: AuditChange): string =>
  Object.entries(change)
    .filter(([name, value]) =>
      !["action", "before", "after", "reason"].includes(name) && typeof value !== "object"
    )
    .map(([, value]) => `${value}`).join(" ")

/** What a change is about, with its page: an account with what is the account's, a withdrawal, a provider. */
const targetOf = (change: AuditChange): Html => {
  if (change.action === "withdrawal.requested" || change.action === "withdrawal.decided") {
    const { withdrawalId } = change.after
    return <a href={withdrawalPath(withdrawalId)}>withdrawal {withdrawalId}</a>
  }
  const { account, keyId, platform = "", swapId, webhookId } = {
    account: undefined,
    keyId: undefined,
    platform: undefined,
    swapId: undefined,
    webhookId: undefined,
    ...change,
  }
  if (account === undefined) {
    return <a href={path`/dashboard/providers/${platform}`}>{providerTitle(platform)}</a>
  }
  return (
    <>
      <a href={accountPath(account)}>{account}</a>
      {keyId !== undefined && (
        <>
          , <a href={keyPath(account, keyId)}>key {keyId.slice(0, 8)}…</a>
        </>
      )}
      {webhookId !== undefined && change.action !== "webhook.removed" &&
        (
          <>
            , <a href={webhookPath(account, webhookId)}>webhook {webhookId.slice(4, 12)}…</a>
          </>
        )}
      {swapId !== undefined && (
        <>
          , <a href={path`/dashboard/swaps/${swapId}`}>swap {swapId}</a>
        </>
      )}
    </>
  )
}

/** What pages call the members of a state; others are called by their own names, as words. */
const memberTitles: Readonly<Record<string, string>> = words.auditMembers

/** The same, without a name of its own: `allowedOrigins` is "allowed origins". */
const memberTitle = (name: string): string =>
  memberTitles[name] ?? name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** Yes and no of some members, as pages say them. */
const truths: Readonly<Record<string, ReadonlyArray<string>>> = words.auditTruths

/** Members that are times. */
const isTime = /(?:At|Until)$/

const readAsset = Schema.decodeUnknownOption(RouteAsset)

/** A value of a state, as a person reads it. */
const textOf = (name: string, value: unknown): string => {
  if (value === undefined) return "none"
  const asset = /asset$/i.test(name) ? readAsset(value) : Option.none()
  if (Option.isSome(asset)) return routeAssetName(asset.value)
  if (name.endsWith("Sha256")) return "an image"
  if (name === "language") return new Intl.DisplayNames("en", { type: name }).of(`${value}`) ?? `${value}`
  if (typeof value === "string") return name === "label" ? `“${value}”` : value
  if (typeof value === "boolean") return truths[name]?.[value ? 0 : 1] ?? (value ? "yes" : "no")
  if (name === "commissionBps") return bpsText(Number(value))
  const at = isTime.test(name) ? EpochMillis.makeOption(Number(value)) : Option.none()
  if (Option.isSome(at)) return exactTime(at.value).replace(/:\d\d UTC$/, " UTC")
  return Array.isArray(value) ? value.join(", ") : JSON.stringify(value)
}

/** What is told by the target, or is part of an amount that is told. */
const isToldElsewhere = (action: AuditAction, name: string): boolean =>
  name === "withdrawalId" || action === "withdrawal.requested" && name === "asset" ||
  action === "account.created" && name === "suspended" || action === "ledger.entered" && name !== "reason"

/** The amounts of withdrawals by their numbers: entries do not have them. */
type Amounts = ReadonlyMap<number, Html>

/** The amount that a change was about, where it was about one. */
const amountOf = (change: AuditChange, amounts: Amounts): Html | undefined => {
  if (change.action === "ledger.entered") {
    return amount(change.after.asset, BigInt(change.after.amountNative))
  }
  return change.action === "withdrawal.requested" || change.action === "withdrawal.decided"
    ? amounts.get(change.after.withdrawalId)
    : undefined
}

/** The members of the states that differ, each with its value before, where there was one, and after. */
const differences = (change: AuditChange, amounts: Amounts): Html => {
  const { after, before } = statesOf(change)
  const own = amountOf(change, amounts)
  const names = [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => textOf(name, before.get(name)) !== textOf(name, after.get(name)))
    .filter((name) => !isToldElsewhere(change.action, name))
  const value = (name: string, value: unknown) => untrusted(textOf(name, value), mostOfValue)
  const parts = names.map((name) => (
    <>
      {memberTitle(name) !== "" && <span class="soft">{memberTitle(name)}{" "}</span>}
      {before.has(name) && after.size > 0 && (
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
  const all = [...(own === undefined ? [] : [own]), ...parts, ...reason]
  return <>{all.map((part, index) => <>{index > 0 && ", "}{part}</>)}</>
}

/** An action in the words of the page on which it is done. */
const actionTitles: Readonly<Record<AuditAction, string>> = words.auditActions

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
    ...defined({ actor, from, before }),
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
          ...AuditAction.literals.map((value) => ({ value, label: actionTitles[value] })),
        ],
      }),
      filterField({ label: "Who", name: "actor", value: actor }),
      filterField({ label: "Account", name: "account", value: account }),
      filterField({ label: "From", name: "from", type: "date", value: from }),
      filterField({ label: "To (UTC)", name: "to", type: "date", value: to }),
    ],
  })

/** The log for a spreadsheet, with the whole change as JSON. */
const auditCsv = csvTable<AuditEntry>("audit.csv", [
  ["id", ({ id }) => id],
  ["at", ({ at }) => toIsoDate(at)],
  ["actor", ({ actor }) => actorName(actor)],
  ["keyId", ({ actor }) => actor.type === "key" ? actor.keyId : undefined],
  ["action", ({ change }) => change.action],
  ["subject", ({ change }) => subjectOf(change)],
  ["change", ({ change }) => JSON.stringify(change)],
])

/** The amounts of the withdrawals that entries are about. */
const amountsOf = Effect.fnUntraced(function* (entries: ReadonlyArray<AuditEntry>) {
  const ids = new Set(
    entries.flatMap(({ change }) =>
      change.action === "withdrawal.requested" || change.action === "withdrawal.decided"
        ? [change.after.withdrawalId]
        : []
    ),
  )
  const { find } = yield* Withdrawals
  const found = yield* Effect.forEach(ids, (id) => Effect.option(find(id)))
  const amounts: Amounts = new Map(
    found.flatMap(Option.toArray).map(({ withdrawal: { asset, earned, id } }) => [
      id,
      amount(asset, earned, "list"),
    ]),
  )
  return amounts
})

/** `15:23:19`: the time of a day that the group names. */
const timeOfDay = (at: EpochMillis): Html => (
  <time datetime={toIsoDate(at)} title={exactTime(at)}>{exactTime(at).slice(-12, -4)}</time>
)

/** Who changed what, newest first. */
export const auditPage = page({
  path: "/dashboard/audit",
  nav: "audit",
  operator: Effect.fnUntraced(function* (asked: PageRequest<Operator>) {
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
    const amounts = yield* amountsOf(items)
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
              ["Time (UTC)", ({ at }) => timeOfDay(at), "b"],
              ["Who", ({ actor }) => actorCell(actor)],
              ["Change", ({ change }) => <span class="w">{actionTitles[change.action]}</span>, "a"],
              ["Target", ({ change }) => <span class="w">{targetOf(change)}</span>],
              ["Details", ({ change }) => differences(change, amounts), "all"],
            ],
            rows: items,
            group: ({ at }) => `${weekdayLabel(at).slice(0, 4)}${exactTime(at).split(",")[0]}`,
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
