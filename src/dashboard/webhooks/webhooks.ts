import { Effect } from "effect"
import { path, type Url } from "../../pages/Url.ts"
import type { Account } from "../../domain/Account.ts"
import { type EpochMillis, toIsoDate } from "../../domain/Time.ts"
import type { Webhook } from "../../domain/Webhook.ts"
import type { Operator, Viewer } from "../../domain/Viewer.ts"
import { type Html, html } from "../../pages/html.ts"
import { foreign, pill, section } from "../../pages/parts.ts"
import { table } from "../../pages/table.ts"
import { age } from "../../pages/times.ts"
import { Webhooks } from "../../webhooks/Webhooks.ts"
import { Accounts } from "../../accounts/Accounts.ts"
import { csvOf, csvTable } from "../../requests/csv.ts"
import { csvButton } from "../filters.ts"
import { accountOf, backToAccount } from "../accounts/account.ts"
import { type Asked, type Owner, ownPage, page } from "../Page.ts"
import { webhooksPath } from "../accounts/paths.ts"
import { createWebhook } from "./webhookActs.ts"

/** Why a webhook is switched off. */
export const offBecause = {
  asked: "somebody asked for it",
  gone: "the receiver answered 410",
  failing: "every attempt failed for days",
  secret_missing: "it has no secret, as after an import: make a new one first",
} as const

/** Whether messages are delivered. */
export const webhookPill = ({ enabled, failingSince }: Webhook): Html =>
  !enabled
    ? pill("switched off", "warn")
    : failingSince === undefined
    ? pill("delivering", "good")
    : pill("failing", "bad")

/** For how long they are not, where they are not. */
export const notDelivering = ({ disabledAt, enabled, failingSince }: Webhook, now: EpochMillis): Html => {
  const since = enabled ? failingSince : disabledAt
  return html`${since !== undefined && html`for ${age(since, now)}`}`
}

const stateCell = (webhook: Webhook, now: EpochMillis): Html =>
  html`${webhookPill(webhook)} ${notDelivering(webhook, now)}${
    webhook.disabledReason !== undefined && html`
      <small>${offBecause[webhook.disabledReason]}</small>
    `
  }`

/** The types that a webhook wants. */
export const typesText = ({ types }: Webhook): string => types === undefined ? "all" : types.join(", ")

const webhooksTable = (
  webhooks: ReadonlyArray<Webhook>,
  now: EpochMillis,
  to: (webhook: Webhook) => Url,
): Html =>
  table({
    caption: "Webhooks",
    columns: [
      ["Webhook", (webhook) => html`<a href="${to(webhook)}">${webhook.id}</a>`],
      ["URL", ({ url }) => html`<code>${foreign(url, 120)}</code>`],
      ["Events", typesText],
      ["State", (webhook) => stateCell(webhook, now)],
    ],
    rows: webhooks,
    empty: "There is no webhook yet. With one, messages tell of every swap.",
  })

/** The webhooks of an account, and a form for another. */
export const webhooksPage = page({
  path: "/dashboard/accounts/:name/webhooks",
  operator: Effect.fnUntraced(function* (asked: Asked<Operator>) {
    const account = yield* accountOf(asked)
    const { name } = account
    const all = yield* (yield* Webhooks).ofAccount(account)
    return {
      title: "Webhooks",
      crumb: backToAccount(name),
      body: [
        section(
          { title: "All webhooks", id: "webhooks" },
          webhooksTable(all, asked.now, ({ id }) => path`/dashboard/accounts/${name}/webhooks/${id}`),
        ),
        section({ title: "Another webhook", id: "new" }, createWebhook.form({ name })),
      ],
    }
  }),
})

/** A webhook, and whose it is. */
interface Owned {
  readonly account: Account
  readonly webhook: Webhook
}

/** Whether a webhook takes messages: those that do not stand first. */
const isTold = ({ enabled, failingSince }: Webhook): boolean => enabled && failingSince === undefined

const ofAll = Effect.fnUntraced(function* (accounts: ReadonlyArray<Account>) {
  const webhooks = yield* Webhooks
  const all = yield* Effect.forEach(
    accounts,
    (account) =>
      Effect.map(webhooks.ofAccount(account), (own) => own.map((webhook): Owned => ({ account, webhook }))),
  )
  return all.flat().toSorted((one, other) => Number(isTold(one.webhook)) - Number(isTold(other.webhook)))
})

const isoOf = (at: EpochMillis | undefined): string | undefined =>
  at === undefined ? undefined : toIsoDate(at)

/** The webhooks for a spreadsheet. */
const webhooksCsv = csvTable<Owned>("webhooks.csv", [
  ["webhook", ({ webhook }) => webhook.id],
  ["account", ({ account }) => account.name],
  ["url", ({ webhook }) => webhook.url],
  ["types", ({ webhook }) => typesText(webhook)],
  ["enabled", ({ webhook }) => `${webhook.enabled}`],
  ["disabledReason", ({ webhook }) => webhook.disabledReason],
  ["disabledAt", ({ webhook }) => isoOf(webhook.disabledAt)],
  ["failingSince", ({ webhook }) => isoOf(webhook.failingSince)],
  ["createdAt", ({ webhook }) => toIsoDate(webhook.createdAt)],
])

const allWebhooksPath = path`/dashboard/all-webhooks`

/** The webhooks of every account, those in trouble first. */
export const allWebhooksPage = page({
  path: "/dashboard/all-webhooks",
  nav: "webhooks",
  operator: Effect.fnUntraced(function* ({ now }: Asked<Operator>) {
    const accounts = yield* (yield* Accounts).all
    const all = yield* ofAll(accounts)
    const failing = all.filter(({ webhook }) => !isTold(webhook)).length
    return {
      title: "Webhooks",
      line: `${all.length} of ${accounts.length} ${accounts.length === 1 ? "account" : "accounts"}, ${
        failing === 0 ? "all of them delivering" : `${failing} failing or switched off`
      }`,
      acts: csvButton(allWebhooksPath),
      body: section(
        { title: "Webhooks of all accounts", id: "webhooks", live: true },
        table({
          caption: "Every webhook, those in trouble first",
          columns: [
            [
              "Webhook",
              ({ account, webhook: { id } }) =>
                html`<a href="${path`/dashboard/accounts/${account.name}/webhooks/${id}`}">${id}</a>`,
            ],
            ["Account", ({ account }) => html`<a href="${webhooksPath(account.name)}">${account.name}</a>`],
            ["URL", ({ webhook: { url } }) => html`<code>${foreign(url, 120)}</code>`, "all"],
            ["Events", ({ webhook }) => typesText(webhook), "x"],
            ["State", ({ webhook }) => stateCell(webhook, now), "b"],
          ],
          rows: all,
          empty: "No account has a webhook yet. Each one that is made stands here with its state.",
        }),
      ),
    }
  }),
  csv: {
    operator: Effect.fnUntraced(function* (_: Asked<Operator>) {
      return csvOf(webhooksCsv, { items: yield* ofAll(yield* (yield* Accounts).all) })
    }),
  },
})

/** The webhooks of the viewer's own account. */
export const ownWebhooksPage = ownPage({
  path: "/dashboard/webhooks",
  nav: "webhooks",
  show: Effect.fnUntraced(function* (owner: Owner, { now }: Asked<Viewer>) {
    const all = yield* (yield* Webhooks).ofAccount(owner)
    return {
      title: "Webhooks",
      body: section({ title: "All webhooks", id: "webhooks" }, [
        webhooksTable(all, now, ({ id }) => path`/dashboard/webhooks/${id}`),
        html`<p class="soft">They are made and changed with an API key: <code>POST /webhooks</code>.</p>`,
      ]),
    }
  }),
})
