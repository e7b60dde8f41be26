import { Effect } from "effect"
import { Keys } from "#application/accounts/Keys.ts"
import { Merchants } from "#application/accounts/Merchants.ts"
import { isSomebody } from "#domain/accounts/Merchant.ts"
import { Business } from "#application/business/Business.ts"
import type { Account } from "#domain/accounts/Account.ts"
import { bpsText, counted } from "#domain/figures.ts"
import type { EpochMillis } from "#domain/Time.ts"
import type { Webhook } from "#domain/accounts/Webhook.ts"
import type { Operator } from "#domain/accounts/Viewer.ts"
import { type Html } from "../../pages/jsx-runtime.ts"
import { contactLink } from "../../pages/contactsPart.tsx"
import { columns, folded, kv, section, untrusted } from "../../pages/parts.tsx"
import { table } from "../../pages/table.tsx"
import { age, dayLabel, moment } from "../../pages/times.tsx"
import { path, withQuery } from "../../pages/Url.ts"
import { comparedOf, dollarChart, headline } from "../overview/figuresPart.tsx"
import { periodOf } from "../overview/period.ts"
import { page, type PageRequest } from "../Page.ts"
import { swapTable } from "../swaps/swapTable.tsx"
import { notDelivering, shortened, webhookPill } from "../webhooks/deliveryText.tsx"
import { accountOf, accountTabs, changeTerms, makePortalLink, suspendForm } from "./account.tsx"
import { accountPill } from "./accounts.tsx"
import { originsText, termsIn } from "./newAccount.tsx"
import { isActiveKey } from "./keys.tsx"
import { keysPath, routesPath, webhookPath, webhooksPath } from "./paths.ts"
import { accountErrors } from "./requestErrors.tsx"

/** So many keys and swaps are on the page; all are in their lists. */
const mostKeys = 5
const mostSwaps = 6

const keysSection = Effect.fnUntraced(function* ({ name }: Account, now: EpochMillis) {
  const keys = (yield* (yield* Keys).ofAccount(name)).filter((key) => isActiveKey(key, now))
  return section(
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
      columns: [
        [
          "Key",
          ({ id, label }) => (
            <>
              {label !== undefined && <b>{untrusted(label)}</b>} <code>{id}</code>
            </>
          ),
          "a",
        ],
        ["Scopes", ({ scopes }) => scopes.join(", "), "all"],
        [
          "Last used",
          ({ lastUsedAt }) => lastUsedAt === undefined ? "never" : age(lastUsedAt, now),
          "number",
        ],
        ["Expires", ({ expiresAt }) => expiresAt === undefined ? "never" : moment(expiresAt), "number"],
      ],
      rows: keys.slice(0, mostKeys),
      empty: "No active key. The account cannot call without one.",
    }),
  )
})

const swapsSection = Effect.fnUntraced(function* ({ name }: Account, { now, viewer }: PageRequest<Operator>) {
  const { items } = yield* (yield* Business).swaps({ account: name, sort: "descending", limit: mostSwaps })
  return section(
    {
      title: "Latest swaps",
      id: "swaps",
      live: true,
      aside: <a href={withQuery(path`/dashboard/swaps`, { account: name })}>All swaps</a>,
    },
    swapTable({
      caption: "The latest swaps",
      viewer,
      swaps: items,
      now,
      isShort: true,
      empty: "No swaps yet.",
    }),
  )
})

const termsSection = (account: Account, rules: number): Html => {
  const { affiliates, commissionBps, mcp, name } = account
  return section({ title: "Terms", id: "terms" }, [
    kv([
      ["Commission", `${bpsText(commissionBps)}`],
      ["Affiliates", affiliates ? "may share the commission" : "none"],
      ["Allowed origins", untrusted(originsText(account) || "none")],
      ["Agents (MCP)", mcp ? "allowed" : "not allowed"],
      [
        "Routes",
        <a href={routesPath(name)}>
          {rules === 0 ? "every pair" : counted(rules, "rule")}
        </a>,
      ],
    ]),
    folded("Change terms", changeTerms.form({ name }, { entered: termsIn(account) })),
    <p class="soft">
      A portal link signs one person of the account in, once, within five minutes. A suspended account can
      only follow its open swaps.
    </p>,
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

const swatch = (colour: string): Html => (
  <>
    <svg width="12" height="12" aria-hidden="true">
      <rect width="12" height="12" rx="3" fill={colour} />
    </svg>
    <code>{colour}</code>
  </>
)

const payersPage = Effect.fnUntraced(function* ({ name }: Account) {
  const merchant = yield* (yield* Merchants).ofAccount(name)
  const { colour, displayName, logo, returnUrl, support } = merchant
  // An account that has set anything takes nothing from the operator's.
  const absent = isSomebody(merchant) ? "none" : "the operator’s"
  return section(
    { title: "Payer’s page", id: "merchant" },
    kv([
      ["Name shown", displayName === undefined ? absent : untrusted(displayName)],
      ["Colour", colour === undefined ? absent : swatch(colour)],
      ["Logo", logo === undefined ? absent : "its own"],
      ["Help", support === undefined ? absent : contactLink(support)],
      ["Back to", returnUrl === undefined ? absent : contactLink(returnUrl)],
    ]),
  )
})

/** An account: what it brings, what it may do, and where it needs help. */
export const accountPage = page({
  path: "/dashboard/accounts/:name",
  operator: Effect.fnUntraced(function* (asked: PageRequest<Operator>) {
    const { now } = asked
    const account = yield* accountOf(asked)
    const { name } = account
    const { causes, rules, shown, webhooks } = yield* accountTabs(account, "overview", now)
    const compared = yield* comparedOf({ account: name }, periodOf("7d", now))
    return {
      title: name,
      crumb: <a href={path`/dashboard/accounts`}>Accounts</a>,
      state: accountPill(account),
      line: <>{account.commissionBps} bps · since {dayLabel(account.createdAt)}</>,
      acts: [makePortalLink.form({ name }), suspendForm(account)],
      body: [
        shown,
        <div id="figures" data-live="">{headline(compared, { account: name })}</div>,
        columns("wide", [
          <div id="volume" data-live="">{dollarChart(compared, "volume")}</div>,
          yield* keysSection(account, now),
          yield* swapsSection(account, asked),
        ], [
          termsSection(account, rules.length),
          webhooksSection(account, webhooks, now),
          yield* payersPage(account),
        ]),
        accountErrors(account, causes, now),
      ],
    }
  }),
})
