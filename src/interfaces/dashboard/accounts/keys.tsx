import { Effect, Redacted } from "effect"
import { heldKeyIssues } from "#application/accounts/ApiKey.ts"
import { defaultScopes } from "#application/accounts/accountTerms.ts"
import { KeyUnknown } from "#application/accounts/failures.ts"
import { type IssuedKey, Keys } from "#application/accounts/Keys.ts"
import { NewKeyBody } from "#api/OperatorBodies.ts"
import type { AccountName } from "#domain/accounts/Account.ts"
import { type ApiKeyRecord, KeyId, Scope } from "#domain/accounts/Key.ts"
import { type EpochMillis, toIsoDate } from "#domain/Time.ts"
import type { Operator, Viewer } from "#domain/accounts/Viewer.ts"
import { csvOf, csvTable, isoCell } from "../../requests/csv.ts"
import { readerOf } from "../../requests/parameterIssues.ts"
import { type Html } from "../../pages/jsx-runtime.ts"
import { code, copyable, pill, section, untrusted } from "../../pages/parts.tsx"
import { known, table } from "../../pages/table.tsx"
import { time } from "../../pages/times.tsx"
import { path, type Url } from "../../pages/Url.ts"
import { boxes, formAction, momentOr, readEntered, type Submitted, text, tick } from "../formAction.tsx"
import { csvButton, pagesOf } from "../filters.ts"
import { type Owner, ownPage, page, type PageRequest, type Shown } from "../Page.ts"
import { accountOf, accountTabs, backToAccount } from "./account.tsx"
import { keysPath } from "./paths.ts"

/** The most keys on one page. */
const atOnce = 50

const stateOf = ({ expiresAt, revokedAt }: ApiKeyRecord, now: EpochMillis): Html => {
  if (revokedAt !== undefined) return <>{pill("revoked", "plain")} {time(revokedAt, now)}</>
  if (expiresAt === undefined) return pill("works", "good")
  return expiresAt <= now ? <>{pill("expired", "plain")} {time(expiresAt, now)}</> : (
    <>
      {pill("works", "good")} <small>until {time(expiresAt, now)}</small>
    </>
  )
}

/** Whether a key is taken now. */
export const isActiveKey = ({ expiresAt, revokedAt }: ApiKeyRecord, now: EpochMillis): boolean =>
  revokedAt === undefined && (expiresAt === undefined || expiresAt > now)

const showIssued = (name: string, { key, record }: IssuedKey, more: string): Shown => ({
  title: "A new key",
  crumb: <a href={keysPath(name)}>Keys of {name}</a>,
  body: section({ title: `Key ${record.id}`, id: "key" }, [
    <p class="secret">{copyable(Redacted.value(key), "key")}</p>,
    <p class="soft">
      Shown this once: it is kept nowhere. It has the scopes {record.scopes.join(", ")}. {more}
    </p>,
  ]),
})

/** The scopes that a viewer can give. */
const scopesOf = ({ caller: { scopes } }: Operator) =>
  Scope.literals.filter((scope) => scopes.includes(scope))

const readIssueKey = readEntered(readerOf(NewKeyBody), ({ label }) => [heldKeyIssues("label", label, [])])

/** Issues a key, and shows it this once. */
export const issueKey = formAction({
  path: "/dashboard/accounts/:name/keys",
  button: "Issue a key",
  tone: "go",
  once: true,
  fields: {
    label: text({ label: "What it is for", hint: "Such as the server that uses it; may be empty." }),
    scopes: boxes({
      legend: "Scopes",
      choices: Scope.literals,
      usual: defaultScopes,
      hint:
        "operate and withdraw are the operator's own: a key with them rules the service, or moves what it earned.",
    }),
    expiresAt: text({
      label: "Works until",
      hint: "A day or a time of UTC, such as 2030-01-31 or 2030-01-31 12:00; empty: until it is revoked.",
      as: momentOr,
    }),
  },
  again: {
    title: "Another key",
    back: "Keys",
    backTo: ({ param }) => keysPath(param("name")),
    offers: ({ viewer }) => ({ scopes: scopesOf(viewer) }),
  },
  run: Effect.fnUntraced(function* (sent: Submitted) {
    const { name } = yield* accountOf(sent)
    return showIssued(name, yield* (yield* Keys).issue(name, yield* readIssueKey(sent.entered), sent.by), "")
  }),
})

/** The key of the path, which has to be one of the account's. */
const keyOf = Effect.fnUntraced(function* (name: AccountName, text: string) {
  const all = yield* (yield* Keys).ofAccount(name)
  const found = all.find(({ id }) => id === text)
  return found ?? (yield* new KeyUnknown({ id: text }))
})

/** Revokes a key for ever. */
export const revokeKey = formAction({
  path: "/dashboard/accounts/:name/keys/:id/revoke",
  button: "Revoke",
  tone: "stop",
  fields: { withMade: tick({ label: "with the keys that it made" }) },
  confirm: {
    title: "Revoke this key?",
    lead: "Requests with this key fail at once. A revoked key cannot be restored.",
    back: "Keys",
    backTo: ({ param }) => keysPath(param("name")),
  },
  done: { keyRevoked: "The key does not work any more." },
  run: Effect.fnUntraced(function* (sent: Submitted) {
    const { name } = yield* accountOf(sent)
    const { id } = yield* keyOf(name, sent.param("id"))
    yield* (yield* Keys).revoke(id, sent.by, { withMade: sent.field("withMade") !== "" })
    return { to: keysPath(name), said: "keyRevoked" } as const
  }),
})

/** Issues a key like another one, which goes on working until it is revoked, so that nobody is cut off. */
export const rotateKey = formAction({
  path: "/dashboard/accounts/:name/keys/:id/rotate",
  button: "Rotate",
  once: true,
  run: Effect.fnUntraced(function* (sent: Submitted) {
    const { name } = yield* accountOf(sent)
    const { id } = yield* keyOf(name, sent.param("id"))
    const issued = yield* (yield* Keys).issue(name, { replaces: id }, sent.by)
    return showIssued(name, issued, `The key ${id} goes on working: revoke it when nobody uses it any more.`)
  }),
})

/** The keys by their public ids, a page of them, with what can be done with each where `acting` says so. */
const keysTable = Effect.fnUntraced(function* (
  name: AccountName,
  asked: PageRequest<Viewer>,
  here: Url,
  acting: boolean,
) {
  const { now } = asked
  const { links, offset } = pagesOf(asked, here, KeyId.makeOption)
  const { items, next } = yield* (yield* Keys).page(name, { limit: atOnce, ...offset })
  const change = ({ id }: ApiKeyRecord) => (
    <div class="row">{rotateKey.form({ name, id })}{revokeKey.form({ name, id })}</div>
  )
  return [
    table({
      caption: "Keys",
      columns: [
        ["Key", ({ id }) => code(id)],
        ["For", ({ label }) => known(label, untrusted)],
        ["Scopes", ({ scopes }) => scopes.join(", ")],
        ["State", (key) => stateOf(key, now)],
        ["Last used", ({ lastUsedAt }) => lastUsedAt === undefined ? "never" : time(lastUsedAt, now)],
        ["Made by", ({ madeBy }) => known(madeBy, code)],
        ...(acting
          ? [["Change", (key: ApiKeyRecord) => isActiveKey(key, now) ? change(key) : undefined] as const]
          : []),
      ],
      rows: items,
      empty: "There is no key yet: without one the account cannot call.",
    }),
    links(next),
  ] as const
})

const keysCsv = csvTable<ApiKeyRecord>("keys.csv", [
  ["key", ({ id }) => id],
  ["label", ({ label }) => label],
  ["scopes", ({ scopes }) => scopes.join(" ")],
  ["createdAt", ({ createdAt }) => toIsoDate(createdAt)],
  ["madeBy", ({ madeBy }) => madeBy],
  ["lastUsedAt", ({ lastUsedAt }) => isoCell(lastUsedAt)],
  ["expiresAt", ({ expiresAt }) => isoCell(expiresAt)],
  ["revokedAt", ({ revokedAt }) => isoCell(revokedAt)],
])

/** The keys of an account for a spreadsheet, all of them. */
const file = Effect.fnUntraced(function* ({ name }: Pick<Owner, "name">) {
  return csvOf(keysCsv, { items: yield* (yield* Keys).ofAccount(name) })
})

/** The keys of an account, and a form for another. */
export const keysPage = page({
  path: "/dashboard/accounts/:name/keys",
  operator: Effect.fnUntraced(function* (asked: PageRequest<Operator>) {
    const account = yield* accountOf(asked)
    const { name } = account
    const { shown } = yield* accountTabs(account, "keys", asked.now)
    return {
      title: "Keys",
      crumb: backToAccount(name),
      acts: csvButton(keysPath(name)),
      body: [
        shown,
        section({ title: "All keys", id: "keys" }, yield* keysTable(name, asked, keysPath(name), true)),
        section(
          { title: "Another key", id: "new" },
          issueKey.form({ name }, { offers: { scopes: scopesOf(asked.viewer) } }),
        ),
      ],
    }
  }),
  csv: {
    operator: (asked: PageRequest<Operator>) => Effect.flatMap(accountOf(asked), file),
  },
})

/** The keys of the viewer's own account. Nothing is issued here: a session must not become a key that outlives it. */
export const ownKeysPage = ownPage({
  path: "/dashboard/keys",
  nav: "keys",
  file,
  show: Effect.fnUntraced(function* ({ name }: Owner, asked: PageRequest<Viewer>) {
    const [keys, links] = yield* keysTable(name, asked, path`/dashboard/keys`, false)
    return {
      title: "Keys",
      acts: csvButton(path`/dashboard/keys`),
      body: section({ title: "All keys", id: "keys" }, [
        keys,
        <p class="soft">
          A key is shown when it is issued, and never again. Ask the operator for another one, or to revoke
          one.
        </p>,
        links,
      ]),
    }
  }),
})
