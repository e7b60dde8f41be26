import { Effect, Option, Redacted } from "effect"
import { heldKeyIssues } from "#application/accounts/ApiKey.ts"
import { defaultScopes } from "#application/accounts/accountTerms.ts"
import { KeyUnknown } from "#application/accounts/failures.ts"
import { type IssuedKey, Keys } from "#application/accounts/Keys.ts"
import { NewKeyBody } from "#api/OperatorBodies.ts"
import type { Account, AccountName } from "#domain/accounts/Account.ts"
import { counted } from "#domain/figures.ts"
import { relativeTime } from "#domain/durationText.ts"
import { type ApiKeyRecord, KeyId, Scope } from "#domain/accounts/Key.ts"
import { type EpochMillis, toIsoDate } from "#domain/Time.ts"
import type { Operator, Viewer } from "#domain/accounts/Viewer.ts"
import { csvOf, csvTable, isoCell } from "../../requests/csv.ts"
import { readerOf } from "../../requests/parameterIssues.ts"
import { type Html, nothing, path, type Url } from "../../pages/jsx-runtime.ts"
import {
  button,
  code,
  type Columns,
  copyable,
  copyableText,
  folded,
  known,
  kv,
  note,
  onDemand,
  pill,
  section,
  table,
  untrusted,
} from "../../pages/parts.tsx"
import { age, ago, time } from "../../pages/values.tsx"
import { baseOf, PublicUrl } from "../../requests/PublicUrl.ts"
import { boxes, formAction, momentOr, readEntered, type Submitted, text, tick } from "../formAction.tsx"
import { csvButton, type Owner, ownPage, page, type PageRequest, pagesOf } from "../Page.ts"
import { accountFrame, accountOf } from "./account.tsx"
import { accountPath, keyPath, keysPath } from "./paths.ts"
import words from "../words.json" with { type: "json" }

/** What each scope permits, in a few words. */
const scopeMeanings: Readonly<Record<Scope, string>> = words.scopes

/** The most keys on one page. */
const atOnce = 50

export const isActiveKey = ({ expiresAt, revokedAt }: ApiKeyRecord, now: EpochMillis): boolean =>
  revokedAt === undefined && (expiresAt === undefined || expiresAt > now)

const stateOf = (key: ApiKeyRecord, now: EpochMillis): Html => {
  const { expiresAt, revokedAt } = key
  if (isActiveKey(key, now)) return pill("Active", "good")
  const at = revokedAt ?? expiresAt
  return (
    <>
      {pill(revokedAt === undefined ? "Expired" : "Revoked")}{" "}
      {at !== undefined && <small>{ago(at, now)}</small>}
    </>
  )
}

/** A new key, shown only now, with a first call. */
const showIssued = Effect.fnUntraced(function* (
  account: Account,
  { key, record: { expiresAt, id, label, scopes } }: IssuedKey,
  { host, now }: Submitted,
  more: { readonly text?: string } = {},
) {
  const { head, shown } = yield* accountFrame(account, "keys")
  const text = Redacted.value(key)
  const call = scopes.includes("quote")
    ? "/quotes?sourceAsset=btc.btc&destinationAsset=eth.eth&amount=0.25"
    : "/account"
  return {
    ...head,
    body: [
      shown,
      section({ title: "API key issued", id: "key" }, [
        note("plain", {
          title: "Copy this key now. It is shown only once.",
          ...more,
          more: (
            <p class="secret">
              <code>{text}</code>
              <button type="button" class="go" hidden data-copy="">Copy key</button>
            </p>
          ),
        }),
        <p class="soft">
          {label === undefined ? `ID ${id}` : untrusted(label)} · {scopes.join(", ")} ·{" "}
          {expiresAt === undefined ? "never expires" : <>expires {age(expiresAt, now)}</>}
        </p>,
        <h3>A first call</h3>,
        copyableText(`curl -H "X-API-Key: ${text}" "${baseOf(yield* PublicUrl, host)}${call}"`, "command"),
        <p class="row">{button("I have copied it", accountPath(account.name))}</p>,
      ]),
    ],
  }
})

/** The scopes that a viewer can give. */
const scopesOf = ({ caller: { scopes } }: Operator) =>
  Scope.literals.filter((scope) => scopes.includes(scope))

const readIssueKey = readEntered(readerOf(NewKeyBody), ({ label }) => [heldKeyIssues("label", label, [])])

/** Issues a key, and shows it only now. */
export const issueKey = formAction({
  path: "/dashboard/accounts/:name/keys",
  button: "Issue a key",
  tone: "go",
  once: true,
  fields: {
    label: text({ label: "Label (optional)", hint: "Such as the server that uses the key." }),
    scopes: boxes({
      legend: "Scopes",
      choices: Scope.literals,
      usual: defaultScopes,
      meanings: scopeMeanings,
      apart: { title: "Operator scopes", values: ["operate", "withdraw"] },
      hint: "Give operate and withdraw to your own keys only.",
    }),
    expiresAt: text({
      label: "Expires (UTC)",
      hint: "Such as 2030-01-31 or 2030-01-31 12:00. Empty for never.",
      as: momentOr,
    }),
  },
  again: {
    title: "New API key",
    back: "Keys",
    backTo: ({ param }) => keysPath(param("name")),
    offers: ({ viewer }) => Effect.succeed({ scopes: scopesOf(viewer) }),
  },
  run: Effect.fnUntraced(function* (sent: Submitted) {
    const account = yield* accountOf(sent)
    const issued = yield* (yield* Keys).issue(account.name, yield* readIssueKey(sent.entered), sent.by)
    return yield* showIssued(account, issued, sent)
  }),
})

export const issueForm = (name: AccountName, { viewer }: PageRequest<Operator>): Html =>
  issueKey.form({ name }, { offers: { scopes: scopesOf(viewer) } })

/** The key of the path, which has to be one of the account's. */
const keyOf = Effect.fnUntraced(function* (name: AccountName, text: string) {
  const all = yield* (yield* Keys).ofAccount(name)
  const found = all.find(({ id }) => id === text)
  return found ?? (yield* new KeyUnknown({ id: text }))
})

export const revokeKey = formAction({
  path: "/dashboard/accounts/:name/keys/:id/revoke",
  button: "Revoke key",
  tone: "stop",
  fields: { withMade: tick({ label: "Also revoke keys it issued" }) },
  done: { keyRevoked: "API key revoked." },
  run: Effect.fnUntraced(function* (sent: Submitted) {
    const { name } = yield* accountOf(sent)
    const { id } = yield* keyOf(name, sent.param("id"))
    yield* (yield* Keys).revoke(id, sent.by, { withMade: sent.field("withMade") !== "" })
    return { to: keysPath(name), said: "keyRevoked" } as const
  }),
})

/** Issues a key like another one, which stays active until it is revoked. */
export const rotateKey = formAction({
  path: "/dashboard/accounts/:name/keys/:id/rotate",
  button: "Rotate",
  once: true,
  run: Effect.fnUntraced(function* (sent: Submitted) {
    const account = yield* accountOf(sent)
    const { id } = yield* keyOf(account.name, sent.param("id"))
    const issued = yield* (yield* Keys).issue(account.name, { replaces: id }, sent.by)
    return yield* showIssued(account, issued, sent, {
      text: `Key ${id} stays active. Revoke it once it is unused.`,
    })
  }),
})

const actionsOf = (name: AccountName, { id }: ApiKeyRecord): Html => (
  <div class="row">
    {rotateKey.form({ name, id }, { tone: "quiet" })}
    {button("Revoke", keyPath(name, id), "quiet")}
  </div>
)

/** A key, and the question whether to revoke it. */
export const keyPage = page({
  path: "/dashboard/accounts/:name/keys/:id",
  operator: Effect.fnUntraced(function* (request: PageRequest<Operator>) {
    const account = yield* accountOf(request)
    const { name } = account
    const key = yield* keyOf(name, request.param("id"))
    const { head, shown } = yield* accountFrame(account, "keys")
    const { createdAt, expiresAt, id, label, lastUsedAt, madeBy, scopes } = key
    const maker = madeBy === undefined ? undefined : Option.getOrUndefined(yield* (yield* Keys).find(madeBy))
    const { now } = request
    const isActive = isActiveKey(key, now)
    return {
      ...head,
      acts: nothing,
      body: [
        shown,
        section({ title: isActive ? `Revoke key ${label ?? id} of ${name}?` : "API key", id: "key" }, [
          isActive
            ? note("warn", {
              title: "Calls with this key will fail at once",
              text: `${
                lastUsedAt === undefined
                  ? "It was never used as far as we know."
                  : `Last used ${relativeTime(lastUsedAt, now)}.`
              } This cannot be undone.`,
            })
            : nothing,
          isActive
            ? (
              <div class="acts">
                {revokeKey.form({ name, id }, scopes.includes("operate") ? {} : { fields: {} })}
                {rotateKey.form({ name, id }, { button: "Rotate instead" })}
                {button("Cancel", keysPath(name))}
              </div>
            )
            : nothing,
          kv([
            ["Label", known(label, untrusted)],
            ["ID", copyable(id, "key ID")],
            ["State", stateOf(key, now)],
            ["Scopes", scopes.map((scope) => `${scope} (${scopeMeanings[scope]})`).join(", ")],
            ["Created", time(createdAt, now)],
            ["Expires", expiresAt === undefined ? "never" : time(expiresAt, now)],
            [
              "Issued by",
              known(
                madeBy,
                (id) => <>{maker?.account} {known(maker?.key.label, untrusted)} key {code(id)}</>,
              ),
            ],
          ]),
        ]),
      ],
    }
  }),
})

/** What lists show of a key. */
export const keyColumns = (now: EpochMillis): Columns<ApiKeyRecord> => [
  [
    "Key",
    ({ id, label }) => <>{label !== undefined && <b>{untrusted(label)}</b>} {copyable(id, "key ID")}</>,
    "a",
  ],
  ["Scopes", ({ scopes }) => scopes.join(", "), "all"],
  ["State", (key) => stateOf(key, now), "b"],
  ["Created", ({ createdAt }) => age(createdAt, now), "number"],
  ["Expires", ({ expiresAt }) => expiresAt === undefined ? "never" : age(expiresAt, now), "number"],
  ["Last used", ({ lastUsedAt }) => lastUsedAt === undefined ? "never" : age(lastUsedAt, now), "number"],
]

/** The keys by their public IDs: active ones, and those that ended in a fold; with what can be done with each. */
const keysTable = Effect.fnUntraced(function* (
  name: AccountName,
  request: PageRequest<Viewer>,
  here: Url,
  { acting, issue }: { readonly acting: boolean; readonly issue: Html },
) {
  const { now } = request
  const { links, offset } = pagesOf(request, here, KeyId.makeOption)
  const { items, next } = yield* (yield* Keys).page(name, { limit: atOnce, ...offset })
  const isActive = (key: ApiKeyRecord) => isActiveKey(key, now)
  const [active, ended] = [items.filter(isActive), items.filter((key) => !isActive(key))]
  const actions = ["Action", (key: ApiKeyRecord) => actionsOf(name, key), "number", ""] as const
  return section({ title: "API keys", id: "keys", aside: items.length === 0 ? nothing : csvButton(here) }, [
    table({
      caption: "Active keys",
      columns: [...keyColumns(now), ...acting ? [actions] : []],
      rows: active,
      empty: <>No active API key. The account can’t call the API without one. {issue}</>,
    }),
    active.length === 0 ? nothing : issue,
    ended.length === 0 ? nothing : folded(
      `${counted(ended.length, "key")} expired or revoked`,
      table({ caption: "Expired and revoked keys", columns: keyColumns(now), rows: ended, empty: "" }),
    ),
    links(next),
  ])
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
  operator: Effect.fnUntraced(function* (request: PageRequest<Operator>) {
    const account = yield* accountOf(request)
    const { name } = account
    const { head, shown } = yield* accountFrame(account, "keys")
    const issue = onDemand("Issue a key", issueForm(name, request), "go")
    return {
      ...head,
      body: [shown, yield* keysTable(name, request, keysPath(name), { acting: true, issue })],
    }
  }),
  csv: { operator: (request: PageRequest<Operator>) => Effect.flatMap(accountOf(request), file) },
})

/** The keys of the viewer's own account. Nothing is issued here: a session must not become a key that outlives it. */
export const ownKeysPage = ownPage({
  path: "/dashboard/keys",
  nav: "keys",
  file,
  show: Effect.fnUntraced(function* ({ name }: Owner, request: PageRequest<Viewer>) {
    const keys = yield* keysTable(name, request, path`/dashboard/keys`, { acting: false, issue: nothing })
    return {
      title: "Keys",
      body: [
        keys,
        <p class="soft">A key is shown only when it is issued. Ask the operator to issue or revoke one.</p>,
      ],
    }
  }),
})
