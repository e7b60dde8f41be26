import { Effect } from "effect"
import { type Html, nothing, path, type Url } from "../../pages/jsx-runtime.ts"
import { counted } from "#domain/figures.ts"
import { type EpochMillis, toIsoDate } from "#domain/Time.ts"
import type { DeliveryStanding, Webhook } from "#domain/accounts/Webhook.ts"
import type { Operator, Viewer } from "#domain/accounts/Viewer.ts"
import { age, grouped } from "../../pages/values.tsx"
import { type Column, onDemand, pill, section, table, untrusted } from "../../pages/parts.tsx"
import { Deliveries } from "#application/webhooks/Deliveries.ts"
import { Webhooks } from "#application/webhooks/Webhooks.ts"
import { Accounts } from "#application/accounts/Accounts.ts"
import { csvOf, csvTable, isoCell } from "../../requests/csv.ts"
import { csvButton, type Owner, ownPage, page, type PageRequest } from "../Page.ts"
import { accountFrame, accountOf } from "../accounts/account.tsx"
import { webhookPath, webhooksPath } from "../accounts/paths.ts"
import { createWebhook } from "./webhookActs.tsx"
import {
  answerOf,
  isDelivering,
  isFine,
  notDelivering,
  offBecause,
  shortened,
  typesText,
  webhookPill,
} from "./deliveryText.tsx"

const stateCell = ({ standing, webhook }: Row, now: EpochMillis): Html => {
  const { disabledReason } = webhook
  const nextAttemptAt = standing?.nextAttemptAt
  return (
    <>
      {webhookPill(webhook)} {notDelivering(webhook, now)}
      {disabledReason !== undefined && <small class="exact">{offBecause[disabledReason]}</small>}
      {webhook.enabled && !isDelivering(webhook) && nextAttemptAt !== undefined && (
        <small class="exact">next attempt {age(nextAttemptAt, now)}</small>
      )}
    </>
  )
}

/** A webhook, whose it is, and how it fares. */
interface Row {
  readonly account: Owner
  readonly webhook: Webhook
  readonly standing: DeliveryStanding | undefined
}

/** The webhooks of accounts, those in trouble first. */
const rowsOf = Effect.fnUntraced(function* (accounts: ReadonlyArray<Owner>) {
  const webhooks = yield* Webhooks
  const owned = yield* Effect.forEach(
    accounts,
    (account) =>
      Effect.map(webhooks.ofAccount(account), (own) => own.map((webhook) => ({ account, webhook }))),
  )
  const all = owned.flat()
  const standings = yield* (yield* Deliveries).standings(all.map(({ webhook }) => webhook.id))
  const byId = new Map(standings.map((standing) => [standing.webhook, standing]))
  return all.map((row): Row => ({ ...row, standing: byId.get(row.webhook.id) }))
    .toSorted((one, other) => Number(isDelivering(one.webhook)) - Number(isDelivering(other.webhook)))
})

const answerCell = ({ standing }: Row, now: EpochMillis): Html | undefined => {
  const latest = standing?.latest
  if (latest === undefined) return undefined
  return (
    <>
      {isFine(latest) ? pill(answerOf(latest), "good") : <span class="down">{answerOf(latest)}</span>}{" "}
      <small>· {age(latest.at, now)}</small>
      {!isFine(latest) && latest.excerpt !== undefined &&
        <small class="exact">{untrusted(latest.excerpt, 60)}</small>}
    </>
  )
}

const ofAccount: Column<Row> = ["Account", ({ account: { name } }) => <a href={webhooksPath(name)}>{name}</a>]

const webhooksTable = (
  rows: ReadonlyArray<Row>,
  { empty, now, ofAll = false, to }: {
    readonly now: EpochMillis
    readonly to: (row: Row) => Url
    readonly empty: Html | string
    readonly ofAll?: boolean
  },
): Html =>
  table({
    caption: "Webhooks, failing ones first",
    columns: [
      [
        "Receiver",
        (row) => (
          <a href={to(row)}>
            <code>{untrusted(shortened(row.webhook.url), 60)}</code>
          </a>
        ),
        "a",
      ],
      ...(ofAll ? [ofAccount] : []),
      ["Events", ({ webhook }) => typesText(webhook), "x"],
      ["Last response", (row) => answerCell(row, now)],
      ["Undelivered", ({ standing }) => grouped(`${standing?.waiting ?? 0}`), "number"],
      ["State", (row) => stateCell(row, now), "b"],
    ],
    rows,
    empty,
  })

const webhooksCsv = csvTable<Row>("webhooks.csv", [
  ["webhook", ({ webhook }) => webhook.id],
  ["account", ({ account }) => account.name],
  ["url", ({ webhook }) => webhook.url],
  ["types", ({ webhook }) => typesText(webhook)],
  ["enabled", ({ webhook }) => `${webhook.enabled}`],
  ["disabledReason", ({ webhook }) => webhook.disabledReason],
  ["disabledAt", ({ webhook }) => isoCell(webhook.disabledAt)],
  ["failingSince", ({ webhook }) => isoCell(webhook.failingSince)],
  ["createdAt", ({ webhook }) => toIsoDate(webhook.createdAt)],
  ["waiting", ({ standing }) => standing?.waiting ?? 0],
  ["lastAnswer", ({ standing }) => standing?.latest === undefined ? undefined : answerOf(standing.latest)],
  ["lastAttemptAt", ({ standing }) => isoCell(standing?.latest?.at)],
])

const fileOf = Effect.fnUntraced(function* (accounts: ReadonlyArray<Owner>) {
  return csvOf(webhooksCsv, { items: yield* rowsOf(accounts) })
})

const none = "No webhooks yet. A webhook delivers the events of every swap to a URL."

/** The webhooks of an account, and a form for another. */
export const webhooksPage = page({
  path: "/dashboard/accounts/:name/webhooks",
  operator: Effect.fnUntraced(function* (asked: PageRequest<Operator>) {
    const account = yield* accountOf(asked)
    const { name } = account
    const { head, shown, webhooks } = yield* accountFrame(account, "webhooks")
    const csv = csvButton(webhooksPath(name))
    const form = onDemand("New webhook", createWebhook.form({ name }))
    return {
      ...head,
      body: [
        shown,
        section({ title: "Webhooks", id: "webhooks", aside: webhooks.length === 0 ? nothing : csv }, [
          webhooksTable(yield* rowsOf([account]), {
            now: asked.now,
            to: ({ webhook: { id } }) => webhookPath(name, id),
            empty: <>{none} {form}</>,
          }),
          webhooks.length === 0 ? nothing : form,
        ]),
      ],
    }
  }),
  csv: {
    operator: (asked: PageRequest<Operator>) =>
      Effect.flatMap(accountOf(asked), (account) => fileOf([account])),
  },
})

const allWebhooksPath = path`/dashboard/all-webhooks`

/** The webhooks of every account, those in trouble first. */
export const allWebhooksPage = page({
  path: "/dashboard/all-webhooks",
  nav: "webhooks",
  operator: Effect.fnUntraced(function* ({ now }: PageRequest<Operator>) {
    const all = yield* rowsOf(yield* (yield* Accounts).all)
    const having = new Set(all.map(({ account }) => account)).size
    const off = all.filter(({ webhook }) => !webhook.enabled).length
    const failing = all.filter(({ webhook }) => !isDelivering(webhook)).length - off
    return {
      title: "Webhooks",
      line: `${counted(all.length, "webhook")} in ${counted(having, "account")}${
        failing === 0 ? "" : ` · ${failing} failing`
      }${off === 0 ? "" : ` · ${off} switched off`}`,
      acts: all.length === 0 ? nothing : csvButton(allWebhooksPath),
      body: (
        <section id="webhooks" aria-label="Webhooks of all accounts" data-live="">
          {webhooksTable(all, {
            now,
            ofAll: true,
            to: ({ account, webhook: { id } }) => webhookPath(account.name, id),
            empty: "No account has a webhook yet.",
          })}
        </section>
      ),
    }
  }),
  csv: {
    operator: Effect.fnUntraced(function* (_: PageRequest<Operator>) {
      return yield* fileOf(yield* (yield* Accounts).all)
    }),
  },
})

const ownPath = path`/dashboard/webhooks`

export const ownWebhooksPage = ownPage({
  path: "/dashboard/webhooks",
  nav: "webhooks",
  show: Effect.fnUntraced(function* (owner: Owner, { now }: PageRequest<Viewer>) {
    return {
      title: "Webhooks",
      acts: csvButton(ownPath),
      body: section({ title: "Webhooks", id: "webhooks" }, [
        webhooksTable(yield* rowsOf([owner]), {
          now,
          to: ({ webhook: { id } }) => path`/dashboard/webhooks/${id}`,
          empty: none,
        }),
        <p class="soft">
          Create and change webhooks with an API key: <code>POST /webhooks</code>.
        </p>,
      ]),
    }
  }),
  file: (owner: Owner) => fileOf([owner]),
})
