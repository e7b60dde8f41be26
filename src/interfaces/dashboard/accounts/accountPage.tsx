import { Effect } from "effect"
import { Keys } from "#application/accounts/Keys.ts"
import { Business } from "#application/business/Business.ts"
import type { ApiKeyRecord } from "#domain/accounts/Key.ts"
import type { AccountSwap } from "#domain/operations/Business.ts"
import type { Account } from "#domain/accounts/Account.ts"
import { bpsText, counted } from "#domain/figures.ts"
import type { EpochMillis } from "#domain/Time.ts"
import type { Webhook } from "#domain/accounts/Webhook.ts"
import type { Operator } from "#domain/accounts/Viewer.ts"
import { type Html, nothing, path, withQuery } from "../../pages/jsx-runtime.ts"
import { columns, folded, kv, section, table, untrusted } from "../../pages/parts.tsx"
import { type Compared, comparedOf, dollarChart, headline } from "../overview/figuresPart.tsx"
import { periodOf } from "../overview/period.ts"
import { page, type PageRequest } from "../Page.ts"
import { swapTable } from "../swaps/describeSwap.tsx"
import { notDelivering, shortened, webhookPill } from "../webhooks/deliveryText.tsx"
import { accountFrame, accountOf, changeTerms } from "./account.tsx"
import { originsText, ownTermRows, termsIn } from "./accounts.tsx"
import { isActiveKey, issueForm, keyColumns } from "./keys.tsx"
import { keysPath, routesPath, webhookPath, webhooksPath } from "./paths.ts"
import { accountErrors, causesOfADay } from "./requestErrors.tsx"

/** So many keys and swaps are on the page; all are in their lists. */
const mostKeys = 5
const mostSwaps = 6

const keysSection = ({ name }: Account, keys: ReadonlyArray<ApiKeyRecord>, now: EpochMillis): Html =>
  section(
    {
      title: "Keys",
      id: "keys",
      aside: (
        <>
          {keys.length > mostKeys && `${mostKeys} of ${keys.length} · `}
          <a href={keysPath(name)}>All keys</a>
        </>
      ),
    },
    table({
      caption: "Active keys",
      columns: keyColumns(now),
      rows: keys.slice(0, mostKeys),
      empty: "No active key.",
    }),
  )

const swapsSection = (
  { name }: Account,
  swaps: ReadonlyArray<AccountSwap>,
  { now, viewer }: PageRequest<Operator>,
): Html =>
  section(
    {
      title: "Latest swaps",
      id: "swaps",
      live: true,
      aside: <a href={withQuery(path`/dashboard/swaps`, { account: name })}>All swaps</a>,
    },
    swapTable({
      caption: "The latest swaps",
      viewer,
      swaps,
      now,
      isShort: true,
      empty: "No swaps yet.",
    }),
  )

/** The business of an account. What has no key yet needs one first. */
const businessPart = (
  account: Account,
  { compared, keys, swaps }: {
    readonly compared: Compared
    readonly keys: ReadonlyArray<ApiKeyRecord>
    readonly swaps: ReadonlyArray<AccountSwap>
  },
  request: PageRequest<Operator>,
): ReadonlyArray<Html> => [
  keys.length > 0 ? nothing : section({ title: "Issue a key", id: "issue" }, [
    <p class="soft">No active API key. The account can’t call the API without one.</p>,
    issueForm(account.name, request),
  ]),
  compared.now.length === 0 ? nothing : <div id="volume" data-live="">{dollarChart(compared, "volume")}</div>,
  keys.length === 0 ? nothing : keysSection(account, keys, request.now),
  keys.length === 0 && swaps.length === 0 ? nothing : swapsSection(account, swaps, request),
]

const termsSection = (account: Account, rules: number): Html => {
  const { affiliates, allowedOrigins, commissionBps, mcp, name } = account
  return section({ title: "Terms", id: "terms" }, [
    kv([
      [
        "Commission",
        <>
          {bpsText(commissionBps)},{" "}
          <a href={withQuery(path`/dashboard/commission`, { account: name })}>earned so far</a>
        </>,
      ],
      ["Affiliates", affiliates ? "may share the commission" : "none"],
      [
        "Allowed origins",
        allowedOrigins === "*" ? "any website" : untrusted(originsText(account) || "none"),
      ],
      ["Agents (MCP)", mcp ? "allowed" : "not allowed"],
      ...ownTermRows(account),
      [
        "Pairs",
        <a href={routesPath(name)}>{rules === 0 ? "every pair" : counted(rules, "route rule")}</a>,
      ],
    ]),
    folded("Change terms", changeTerms.form({ name }, { entered: termsIn(account) })),
    <p class="soft">Once suspended, the account can only follow its open swaps.</p>,
  ])
}

const webhooksSection = (account: Account, all: ReadonlyArray<Webhook>, now: EpochMillis): Html => {
  const at = webhooksPath(account.name)
  return section(
    { title: "Webhooks", id: "webhooks", live: true, aside: <a href={at}>All webhooks</a> },
    all.length === 0
      ? <p class="soft">No webhooks. The account polls the status of its swaps.</p>
      : all.map((webhook) => (
        <p>
          {webhookPill(webhook)} {notDelivering(webhook, now)}{" "}
          <a href={webhookPath(account.name, webhook.id)}>
            <code>{untrusted(shortened(webhook.url))}</code>
          </a>
        </p>
      )),
  )
}

/** An account: what it brings, what it may do, and where it needs help. */
export const accountPage = page({
  path: "/dashboard/accounts/:name",
  operator: Effect.fnUntraced(function* (request: PageRequest<Operator>) {
    const { now } = request
    const account = yield* accountOf(request)
    const { name } = account
    const { head, rules, shown, webhooks } = yield* accountFrame(account, "overview")
    const compared = yield* comparedOf({ account: name }, periodOf("7d", now))
    const keys = (yield* (yield* Keys).ofAccount(name)).filter((key) => isActiveKey(key, now))
    const { items: swaps } = yield* (yield* Business).swaps({
      account: name,
      sort: "descending",
      limit: mostSwaps,
    })
    return {
      ...head,
      body: [
        shown,
        keys.length === 0 && swaps.length === 0
          ? nothing
          : <div id="figures" data-live="">{headline(compared, { account: name }, ", 7 d")}</div>,
        columns("wide", businessPart(account, { compared, keys, swaps }, request), [
          termsSection(account, rules.length),
          webhooksSection(account, webhooks, now),
        ]),
        accountErrors(account, yield* causesOfADay(name, now), now),
      ],
    }
  }),
})
