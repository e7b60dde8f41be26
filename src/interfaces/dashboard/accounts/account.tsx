import { Effect, Option } from "effect"
import { Accounts } from "#application/accounts/Accounts.ts"
import { AccountUnknown } from "#application/accounts/failures.ts"
import { Sessions } from "#application/accounts/Sessions.ts"
import { AccountChangesBody } from "#api/OperatorBodies.ts"
import { Keys } from "#application/accounts/Keys.ts"
import { RouteRules } from "#application/accounts/RouteRules.ts"
import type { Account } from "#domain/accounts/Account.ts"
import type { EpochMillis } from "#domain/Time.ts"
import type { Operator } from "#domain/accounts/Viewer.ts"
import { portalUrl } from "../../requests/PublicUrl.ts"
import { readerOf } from "../../requests/parameterIssues.ts"
import { type Html } from "../../pages/jsx-runtime.ts"
import { tabs } from "../../pages/links.tsx"
import { grouped } from "../../pages/money.ts"
import { copyable, section } from "../../pages/parts.tsx"
import { time } from "../../pages/times.tsx"
import { path, withQuery } from "../../pages/Url.ts"
import { accountPath, keysPath, routesPath, webhooksPath } from "./paths.ts"
import { nameFrom } from "./accounts.tsx"
import { termFields } from "./newAccount.tsx"
import { Webhooks } from "#application/webhooks/Webhooks.ts"
import { isDelivering } from "../webhooks/deliveryText.tsx"
import { filled, fixed, formAction, readEntered, type Submitted } from "../formAction.tsx"
import type { PageRequest } from "../Page.ts"
import { sumOf } from "./causes.tsx"
import { causesOfADay } from "./requestErrors.tsx"

/** The account that a page of the operator's is about. */
export const accountOf = Effect.fnUntraced(function* ({ param }: Pick<PageRequest<Operator>, "param">) {
  const name = nameFrom(param("name"))
  if (Option.isNone(name)) return yield* new AccountUnknown({ name: param("name") })
  return yield* (yield* Accounts).find(name.value)
})

/** The link above every page that is about a part of an account. */
export const backToAccount = (name: string): Html => <a href={accountPath(name)}>{name}</a>

const changed = {
  accountChanged: "Account changed. The change is in force within a second.",
}

const readTerms = readEntered(readerOf(AccountChangesBody))

/** Changes the terms of an account. */
export const changeTerms = formAction({
  path: "/dashboard/accounts/:name/terms",
  button: "Save terms",
  fields: termFields,
  done: changed,
  again: {
    title: "Terms",
    back: "Account",
    backTo: ({ param }) => accountPath(param("name")),
  },
  run: Effect.fnUntraced(function* (sent: Submitted) {
    const { name } = yield* accountOf(sent)
    // A field that was emptied is wrong here, and no default.
    const terms = yield* readTerms({ commissionBps: "", ...sent.entered })
    yield* (yield* Accounts).change(name, terms, sent.by)
    return { to: accountPath(name), said: "accountChanged" } as const
  }),
})

/** Suspends an account, or resumes it. */
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

export const suspendForm = ({ name, suspended }: Account): Html =>
  suspended
    ? suspendAccount.form({ name }, {
      entered: filled({ suspended: "no" }),
      button: "Resume",
      tone: "plain",
    })
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

/** The pages of an account and how much is in each, failing webhooks tinted; with what was read for them. */
export const accountTabs = Effect.fnUntraced(function* (
  account: Account,
  current: "overview" | "keys" | "webhooks" | "routes",
  now: EpochMillis,
) {
  const { name } = account
  const uses = (yield* (yield* Keys).uses).find((one) => one.account === name)
  const webhooks = yield* (yield* Webhooks).ofAccount(account)
  const failing = webhooks.filter((webhook) => !isDelivering(webhook)).length
  const rules = yield* (yield* RouteRules).ofAccount(name)
  const causes = yield* causesOfADay(name, now)
  const shown = tabs("Pages of the account", [
    { label: "Overview", to: accountPath(name), isCurrent: current === "overview" },
    { label: "Swaps", to: withQuery(path`/dashboard/swaps`, { account: name }), isCurrent: false },
    { label: "Keys", to: keysPath(name), isCurrent: current === "keys", count: uses?.keys ?? 0 },
    {
      label: "Webhooks",
      to: webhooksPath(name),
      isCurrent: current === "webhooks",
      ...(failing === 0 ? { count: webhooks.length } : { count: failing, tone: "bad" as const }),
    },
    { label: "Routes", to: routesPath(name), isCurrent: current === "routes", count: rules.length },
    { label: "Commission", to: withQuery(path`/dashboard/commission`, { account: name }), isCurrent: false },
    {
      label: "Failed requests",
      to: withQuery(path`/dashboard/failed`, { account: name }),
      isCurrent: false,
      count: grouped(`${sumOf(causes)}`),
    },
  ])
  return { shown, webhooks, rules, causes }
})
