import { Effect, Option, Redacted } from "effect"
import type { Accounts } from "../../accounts/Accounts.ts"
import { heldKeyIssues } from "../../accounts/ApiKey.ts"
import { defaultScopes } from "../../accounts/defaults.ts"
import { KeyUnknown } from "../../accounts/failures.ts"
import { type IssuedKey, Keys } from "../../accounts/Keys.ts"
import { NewKeyBody } from "../../api/OperatorBodies.ts"
import type { AccountName } from "../../domain/Account.ts"
import { actorOf } from "../../domain/Audit.ts"
import { type ApiKeyRecord, KeyId, Scope } from "../../domain/Key.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { readerOf } from "../../requests/parameterIssues.ts"
import { actForm, checkbox, checkboxes, field } from "../../pages/forms.ts"
import { type Html, html } from "../../pages/html.ts"
import { badge, code, copyable, foreign, pager, section, table, time } from "../../pages/parts.ts"
import { path, withQuery } from "../../pages/Url.ts"
import { spread } from "../../platform/spread.ts"
import { accountOf, backToAccount } from "./account.ts"
import { again, type Entered, given, momentOr, once, readEntered, untouched } from "../entered.ts"
import type { Act, Asked, Page, Shown } from "../Page.ts"
import type { Operator, Viewer } from "../../domain/Viewer.ts"

/** The most keys on one page. */
const atOnce = 50

const keysPath = (name: string) => path`/dashboard/accounts/${name}/keys`

const stateOf = ({ expiresAt, revokedAt }: ApiKeyRecord, now: EpochMillis): Html => {
  if (revokedAt !== undefined) return html`${badge("revoked", "plain")} ${time(revokedAt, now)}`
  if (expiresAt === undefined) return badge("works", "good")
  return expiresAt <= now
    ? html`${badge("expired", "plain")} ${time(expiresAt, now)}`
    : html`${badge("works", "good")} <small>until ${time(expiresAt, now)}</small>`
}

const works = ({ expiresAt, revokedAt }: ApiKeyRecord, now: EpochMillis): boolean =>
  revokedAt === undefined && (expiresAt === undefined || expiresAt > now)

const actsOn = (name: string, { id }: ApiKeyRecord): Html =>
  html`
    <div class="row">${actForm(
      { to: path`/dashboard/accounts/${name}/keys/${id}/rotate`, button: "Rotate" },
      once(),
    )}${actForm(
      { to: path`/dashboard/accounts/${name}/keys/${id}/revoke`, button: "Revoke", tone: "bad" },
      [checkbox({ label: "with the keys that it made", name: "withMade" })],
    )}</div>
  `

/** The keys by their public ids, with what can be done with each where `acting` says so. */
const keysTable = (
  keys: ReadonlyArray<ApiKeyRecord>,
  now: EpochMillis,
  acting?: AccountName,
): Html =>
  table({
    caption: "Keys",
    columns: [
      { label: "Key" },
      { label: "For" },
      { label: "Scopes" },
      { label: "State" },
      { label: "Last used" },
      { label: "Made by" },
      ...(acting === undefined ? [] : [{ label: "Change" }]),
    ],
    rows: keys.map((key) => [
      code(key.id),
      key.label === undefined ? "–" : foreign(key.label),
      key.scopes.join(", "),
      stateOf(key, now),
      key.lastUsedAt === undefined ? "never" : time(key.lastUsedAt, now),
      key.madeBy === undefined ? "–" : code(key.madeBy),
      ...(acting === undefined ? [] : [works(key, now) ? actsOn(acting, key) : "–"]),
    ]),
    empty: "There is no key yet: without one the account cannot call.",
  })

/** Offers the scopes that the viewer can give. */
const newKeyForm = (
  name: string,
  { caller: { scopes } }: Operator,
  { fault, value, values }: Entered,
): Html =>
  actForm({ to: keysPath(name), button: "Issue a key", tone: "info" }, [
    field({
      label: "What it is for",
      name: "label",
      value: value("label"),
      hint: "Such as the server that uses it; may be empty.",
      fault: fault("label"),
    }),
    checkboxes({
      legend: "Scopes",
      name: "scopes",
      choices: Scope.literals.filter((scope) => scopes.includes(scope)).map((scope) => ({
        value: scope,
        label: scope,
      })),
      checked: values("scopes", defaultScopes),
      hint:
        "operate and withdraw are the operator's own: a key with them rules the service, or moves what it earned.",
      fault: fault("scopes"),
    }),
    field({
      label: "Works until",
      name: "expiresAt",
      value: value("expiresAt"),
      hint: "A day or a time of UTC, such as 2030-01-31 or 2030-01-31 12:00; empty: until it is revoked.",
      fault: fault("expiresAt"),
    }),
    once(),
  ])

const offsetOf = (text: string | undefined) =>
  spread(Option.getOrUndefined(KeyId.makeOption(text ?? "")), (offset) => ({ offset }))

/** The keys of an account, and a form for another. */
export const keysPage: Page<Accounts | Keys> = {
  path: "/dashboard/accounts/:name/keys",
  operator: Effect.fnUntraced(function* (asked) {
    const { name } = yield* accountOf(asked)
    const from = offsetOf(asked.query("from"))
    const { items, next } = yield* (yield* Keys).page(name, { limit: atOnce, ...from })
    return {
      title: "Keys",
      above: backToAccount(name),
      body: [
        section({ title: "All keys", id: "keys" }, [
          keysTable(items, asked.now, name),
          pager({
            first: "offset" in from ? keysPath(name) : undefined,
            next: next === undefined ? undefined : withQuery(keysPath(name), { from: next }),
          }),
        ]),
        section({ title: "Another key", id: "new" }, newKeyForm(name, asked.viewer, untouched)),
      ],
    }
  }),
}

const showOwn = Effect.fnUntraced(function* (name: AccountName, { now, query }: Asked<Viewer>) {
  const { items, next } = yield* (yield* Keys).page(name, { limit: atOnce, ...offsetOf(query("from")) })
  const here = path`/dashboard/keys`
  return {
    title: "Keys",
    body: section({ title: "All keys", id: "keys" }, [
      keysTable(items, now),
      html`
        <p
          class="empty">A key is shown when it is issued, and never again. Ask the operator for another one, or to revoke one.</p>
      `,
      pager({ next: next === undefined ? undefined : withQuery(here, { from: next }) }),
    ]),
  }
})

/** The keys of the viewer's own account. Nothing is issued here: a session must not become a key that outlives it. */
export const ownKeysPage: Page<Keys> = {
  path: "/dashboard/keys",
  nav: "Keys",
  navOfIntegrators: true,
  operator: (asked) => showOwn(asked.viewer.caller.name, asked),
  integrator: (asked) => showOwn(asked.viewer.account.name, asked),
}

const readNewKey = readEntered(readerOf(NewKeyBody), ({ label }) => [heldKeyIssues("label", label, [])])

const showIssued = (name: string, { key, record }: IssuedKey, more: string): Shown => ({
  title: "A new key",
  above: html`<a href="${keysPath(name)}">Keys of ${name}</a>`,
  body: section({ title: `Key ${record.id}`, id: "key" }, [
    html`<p class="secret">${copyable(Redacted.value(key), "key")}</p>`,
    html`<p class="empty">Shown this once: it is kept nowhere. It has the scopes ${
      record.scopes.join(", ")
    }. ${more}</p>`,
  ]),
})

/** Issues a key, and shows it this once. */
export const issueKey: Act<Accounts | Keys> = {
  path: "/dashboard/accounts/:name/keys",
  run: Effect.fnUntraced(function* (sent) {
    const { name } = yield* accountOf(sent)
    const terms = yield* readNewKey(given({
      label: sent.field("label"),
      scopes: sent.fields("scopes"),
      expiresAt: sent.field("expiresAt") === "" ? undefined : momentOr(sent.field("expiresAt")),
    }))
    return showIssued(name, yield* (yield* Keys).issue(name, terms, actorOf(sent.viewer.caller)), "")
  }),
  again: again({
    title: "Another key",
    back: "Keys",
    backTo: ({ param }) => keysPath(param("name")),
    form: ({ param, viewer }, entered) => newKeyForm(param("name"), viewer, entered),
  }),
}

/** The key of the path, which has to be one of the account's. */
const keyOf = Effect.fnUntraced(function* (name: AccountName, text: string) {
  const all = yield* (yield* Keys).ofAccount(name)
  const found = all.find(({ id }) => id === text)
  return found ?? (yield* new KeyUnknown({ id: text }))
})

/** Revokes a key for ever. */
export const revokeKey: Act<Accounts | Keys> = {
  path: "/dashboard/accounts/:name/keys/:id/revoke",
  run: Effect.fnUntraced(function* (sent) {
    const { name } = yield* accountOf(sent)
    const { id } = yield* keyOf(name, sent.param("id"))
    const withMade = sent.field("withMade") !== ""
    yield* (yield* Keys).revoke(id, actorOf(sent.viewer.caller), { withMade })
    return { to: keysPath(name), said: "keyRevoked" } as const
  }),
}

/** Issues a key like another one, which goes on working until it is revoked, so that nobody is cut off. */
export const rotateKey: Act<Accounts | Keys> = {
  path: "/dashboard/accounts/:name/keys/:id/rotate",
  run: Effect.fnUntraced(function* (sent) {
    const { name } = yield* accountOf(sent)
    const { label, scopes, id } = yield* keyOf(name, sent.param("id"))
    const terms = { scopes, ...spread(label, (label) => ({ label })) }
    const issued = yield* (yield* Keys).issue(name, terms, actorOf(sent.viewer.caller))
    return showIssued(name, issued, `The key ${id} goes on working: revoke it when nobody uses it any more.`)
  }),
}
