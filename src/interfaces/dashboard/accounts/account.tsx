import { Effect, Option } from "effect"
import { Accounts } from "#application/accounts/Accounts.ts"
import { AccountUnknown } from "#application/accounts/failures.ts"
import { Sessions } from "#application/accounts/Sessions.ts"
import { AccountChangesBody, RoutePairParameters, RouteRuleBody } from "#api/OperatorBodies.ts"
import { Keys } from "#application/accounts/Keys.ts"
import { RouteRules } from "#application/accounts/RouteRules.ts"
import type { Account } from "#domain/accounts/Account.ts"
import type { Operator } from "#domain/accounts/Viewer.ts"
import { portalUrl } from "../../requests/PublicUrl.ts"
import { readerOf } from "../../requests/parameterIssues.ts"
import { type Html, nothing, path } from "../../pages/jsx-runtime.ts"
import { copyable, onDemand, pill, section, table, tabs } from "../../pages/parts.tsx"
import { dayLabel, time } from "../../pages/values.tsx"
import { accountPath, keysPath, merchantPath, routesPath, webhooksPath } from "./paths.ts"
import { accountPill, apart, nameFrom, settingsHold, termFields, termHints } from "./accounts.tsx"
import { Webhooks } from "#application/webhooks/Webhooks.ts"
import { isDelivering } from "../webhooks/deliveryText.tsx"
import { choice, filled, fixed, formAction, readEntered, type Submitted, truth } from "../formAction.tsx"
import { csvButton, page, type PageRequest } from "../Page.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import { chainOf, factsOf } from "#domain/chains/Asset.ts"
import { anyAsset, routeAssets, type RouteRule } from "#domain/accounts/Route.ts"
import { csvOf, csvTable } from "../../requests/csv.ts"

/** The account that a page of the operator's is about. */
export const accountOf = Effect.fnUntraced(function* ({ param }: Pick<PageRequest<Operator>, "param">) {
  const name = nameFrom(param("name"))
  if (Option.isNone(name)) return yield* new AccountUnknown({ name: param("name") })
  return yield* (yield* Accounts).find(name.value)
})

/** The link back to an account, above what is seen only once and above lists of other pages that are narrowed to it. */
export const backToAccount = (name: string): Html => <a href={accountPath(name)}>{name}</a>

const changed = { accountChanged: "Account changed. The change is in force within a second." }

const readTerms = readEntered(readerOf(AccountChangesBody))

export const changeTerms = formAction({
  path: "/dashboard/accounts/:name/terms",
  button: "Save terms",
  fields: termFields,
  apart,
  done: changed,
  again: {
    title: "Terms",
    back: "Account",
    backTo: ({ param }) => accountPath(param("name")),
    offers: () => termHints,
  },
  run: Effect.fnUntraced(function* (sent: Submitted) {
    const { name } = yield* accountOf(sent)
    // A field that was emptied is wrong here, and no default; of a term that replaces a setting it is the setting.
    const terms = yield* readTerms({ commissionBps: "", ...settingsHold, ...sent.entered })
    yield* (yield* Accounts).change(name, terms, sent.by)
    return { to: accountPath(name), said: "accountChanged" } as const
  }),
})

export const suspendAccount = formAction({
  path: "/dashboard/accounts/:name/suspend",
  button: "Suspend",
  tone: "stop",
  fields: { suspended: fixed() },
  done: changed,
  run: Effect.fnUntraced(function* (sent: Submitted) {
    const { name } = yield* accountOf(sent)
    const suspended = sent.field("suspended") !== "no"
    yield* (yield* Accounts).change(name, { suspended }, sent.by)
    return { to: accountPath(name), said: "accountChanged" } as const
  }),
})

const suspendForm = ({ name, suspended }: Account): Html =>
  suspended
    ? suspendAccount.form({ name }, { entered: filled({ suspended: "no" }), button: "Resume", tone: "plain" })
    : suspendAccount.form({ name }, { entered: filled({ suspended: "yes" }) })

/** Makes a portal link to an account, and shows it only now. */
export const makePortalLink = formAction({
  path: "/dashboard/accounts/:name/portal-link",
  button: "Portal link",
  once: true,
  run: Effect.fnUntraced(function* (sent: Submitted) {
    const { name } = yield* accountOf(sent)
    const { expiresAt, token } = yield* (yield* Sessions).link(name, sent.by)
    return {
      title: "Portal link",
      crumb: backToAccount(name),
      body: section({ title: `Link for ${name}`, id: "link" }, [
        <p class="secret">{copyable(yield* portalUrl(token, sent.host), "link")}</p>,
        <p class="soft">
          Copy it now. You won’t see it again. It signs one person of the account in, once, until{" "}
          {time(expiresAt, sent.now)}.
        </p>,
      ]),
    }
  }),
})

/** The head and the tabs of every page of an account, failing webhooks tinted; with what was read for them. */
export const accountFrame = Effect.fnUntraced(function* (
  account: Account,
  current: "overview" | "keys" | "webhooks" | "routes" | "merchant",
) {
  const { name } = account
  const uses = (yield* (yield* Keys).uses).find((one) => one.account === name)
  const webhooks = yield* (yield* Webhooks).ofAccount(account)
  const failing = webhooks.filter((webhook) => !isDelivering(webhook)).length
  const rules = yield* (yield* RouteRules).ofAccount(name)
  const shown = tabs("Pages of the account", [
    { label: "Overview", to: accountPath(name), isCurrent: current === "overview" },
    { label: "Keys", to: keysPath(name), isCurrent: current === "keys", count: uses?.keys ?? 0 },
    {
      label: "Webhooks",
      to: webhooksPath(name),
      isCurrent: current === "webhooks",
      ...(failing === 0 ? { count: webhooks.length } : { count: failing, tone: "bad" as const }),
    },
    { label: "Route rules", to: routesPath(name), isCurrent: current === "routes", count: rules.length },
    { label: "Payer’s page", to: merchantPath(name), isCurrent: current === "merchant" },
  ])
  const head = {
    title: name,
    crumb: <a href={path`/dashboard/accounts`}>Accounts</a>,
    state: accountPill(account),
    line: (
      <>
        {account.commissionBps} bps · since {dayLabel(account.createdAt)}
        {account.suspended && " · can only follow its open swaps"}
      </>
    ),
    acts: [makePortalLink.form({ name }), suspendForm(account)],
  }
  return { head, shown, webhooks, rules }
})

/** `BTC Bitcoin`, `any asset`. */
export const routeAssetName = (asset: RouteRule["sourceAsset"]): string =>
  asset === anyAsset ? "any asset" : `${factsOf(asset).ticker} ${chainFacts(chainOf(asset)).title}`

const choices = routeAssets().map((value) => ({ value, label: routeAssetName(value) }))

const readSetRoute = readEntered(readerOf(RouteRuleBody))

/** Allows or denies a pair. */
export const setRoute = formAction({
  path: "/dashboard/accounts/:name/routes",
  button: "Save rule",
  tone: "go",
  fields: {
    sourceAsset: choice({ label: "From", choices, usual: anyAsset }),
    destinationAsset: choice({ label: "To", choices, usual: anyAsset }),
    allowed: choice({
      label: "Rule",
      choices: [{ value: "false", label: "Deny" }, { value: "true", label: "Allow" }],
      usual: "false",
      as: truth,
    }),
  },
  done: { routeSet: "Route rule saved. It is in force within a second." },
  again: { title: "New route rule", back: "Route rules", backTo: ({ param }) => routesPath(param("name")) },
  run: Effect.fnUntraced(function* (sent: Submitted) {
    const { name } = yield* accountOf(sent)
    yield* (yield* RouteRules).set(name, yield* readSetRoute(sent.entered), sent.by)
    return { to: routesPath(name), said: "routeSet" } as const
  }),
})

const readRemoveRoute = readEntered(readerOf(RoutePairParameters))

/** Removes the rule of a pair. */
export const removeRoute = formAction({
  path: "/dashboard/accounts/:name/routes/remove",
  button: "Remove",
  fields: { sourceAsset: fixed(), destinationAsset: fixed() },
  done: { routeRemoved: "Route rule removed. The next rule that matches the pair applies." },
  run: Effect.fnUntraced(function* (sent: Submitted) {
    const { name } = yield* accountOf(sent)
    yield* (yield* RouteRules).remove(name, yield* readRemoveRoute(sent.entered), sent.by)
    return { to: routesPath(name), said: "routeRemoved" } as const
  }),
})

const routesCsv = csvTable<RouteRule>("routes.csv", [
  ["sourceAsset", ({ sourceAsset }) => sourceAsset],
  ["destinationAsset", ({ destinationAsset }) => destinationAsset],
  ["allowed", ({ allowed }) => `${allowed}`],
])

/** Which pairs an account may swap. */
export const routesPage = page({
  path: "/dashboard/accounts/:name/routes",
  operator: Effect.fnUntraced(function* (asked: PageRequest<Operator>) {
    const account = yield* accountOf(asked)
    const { name } = account
    const { head, rules, shown } = yield* accountFrame(account, "routes")
    const csv = csvButton(routesPath(name))
    const form = onDemand("New route rule", setRoute.form({ name }), rules.length === 0 ? "go" : "plain")
    return {
      ...head,
      body: [
        shown,
        section({ title: "Route rules", id: "rules", aside: rules.length === 0 ? nothing : csv }, [
          rules.length === 0 ? nothing : (
            <p class="soft">
              The most specific rule wins: pair, asset, all. If two asset rules conflict, deny wins.
            </p>
          ),
          table({
            caption: "Route rules, most specific first",
            columns: [
              ["From", ({ sourceAsset }) => routeAssetName(sourceAsset)],
              ["To", ({ destinationAsset }) => routeAssetName(destinationAsset)],
              ["Rule", ({ allowed }) => allowed ? pill("Allow", "good") : pill("Deny", "bad")],
              ["Action", ({ allowed: _, ...pair }) => removeRoute.form({ name }, { entered: filled(pair) })],
            ],
            rows: rules,
            empty: <>No route rules. The account may swap every pair. {form}</>,
          }),
          rules.length === 0 ? nothing : form,
        ]),
      ],
    }
  }),
  csv: {
    operator: Effect.fnUntraced(function* (asked: PageRequest<Operator>) {
      const { name } = yield* accountOf(asked)
      return csvOf(routesCsv, { items: yield* (yield* RouteRules).ofAccount(name) })
    }),
  },
})
