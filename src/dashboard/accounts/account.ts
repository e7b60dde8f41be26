import { Effect, Option } from "effect"
import { Accounts } from "../../accounts/Accounts.ts"
import { AccountUnknown } from "../../accounts/failures.ts"
import { Commissions } from "../../accounts/Commissions.ts"
import { Sessions } from "../../accounts/Sessions.ts"
import { AccountChangesBody } from "../../api/OperatorBodies.ts"
import { Keys } from "../../accounts/Keys.ts"
import { Business } from "../../business/Business.ts"
import type { Account } from "../../domain/Account.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import type { Operator } from "../../domain/Viewer.ts"
import { portalUrl } from "../../requests/PublicUrl.ts"
import { readerOf } from "../../requests/parameterIssues.ts"
import { type Html, html } from "../../pages/html.ts"
import { dollars } from "../../pages/amounts.ts"
import { tiles } from "../../pages/figures.ts"
import { button } from "../../pages/links.ts"
import { grouped, rate } from "../../pages/money.ts"
import { copyable, foreign, section } from "../../pages/parts.ts"
import { age, dayLabel, time } from "../../pages/times.ts"
import { path, withQuery } from "../../pages/Url.ts"
import { periodOf } from "../overview/period.ts"
import { totalsOf } from "../overview/totals.ts"
import { webhooksPath } from "./paths.ts"
import { accountPath } from "./paths.ts"
import { nameFrom, originsText, standingBadge, termFields, termsIn } from "./accounts.ts"
import { commissionTable, lastMonth } from "../treasury/commission.ts"
import { act, filled, fixed, readEntered, type Submitted } from "../act.ts"
import { type Asked, page } from "../Page.ts"
import { accountErrors } from "./requestErrors.ts"

/** The account that a page of the operator's is about. */
export const accountOf = Effect.fnUntraced(function* ({ param }: Pick<Asked<Operator>, "param">) {
  const name = nameFrom(param("name"))
  if (Option.isNone(name)) return yield* new AccountUnknown({ name: param("name") })
  return yield* (yield* Accounts).find(name.value)
})

/** The link above every page that is about a part of an account. */
export const backToAccount = (name: string): Html => html`<a href="${accountPath(name)}">${name}</a>`

const changed = {
  accountChanged: "The account is changed. It is in force on every replica within a second.",
}

const readTerms = readEntered(readerOf(AccountChangesBody))

/** Changes the terms of an account. */
export const changeTerms = act({
  path: "/dashboard/accounts/:name/terms",
  button: "Change the terms",
  fields: termFields,
  done: changed,
  again: {
    title: "Terms",
    back: "Back to the account",
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

/** Suspends an account, or lets it work again. */
export const suspendAccount = act({
  path: "/dashboard/accounts/:name/suspend",
  button: "Suspend the account",
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
    ? suspendAccount.form({ name }, {
      entered: filled({ suspended: "no" }),
      button: "Resume the account",
      tone: "plain",
    })
    : suspendAccount.form({ name }, { entered: filled({ suspended: "yes" }) })

/** Makes a portal link to an account, and shows it this once. */
export const makePortalLink = act({
  path: "/dashboard/accounts/:name/portal-link",
  button: "Make a portal link",
  once: true,
  run: Effect.fnUntraced(function* (sent: Submitted) {
    const { name } = yield* accountOf(sent)
    const { expiresAt, token } = yield* (yield* Sessions).link(name, sent.by)
    return {
      title: "Portal link",
      crumb: backToAccount(name),
      body: section({ title: `Link for ${name}`, id: "link" }, [
        html`<p class="secret">${copyable(yield* portalUrl(token, sent.host), "link")}</p>`,
        html`<p class="soft">Shown this once. Send it to somebody of the account: it works once, until ${
          time(expiresAt, sent.now)
        }.</p>`,
      ]),
    }
  }),
})

/** The pages that an account has besides. */
const partsOf = (name: string): ReadonlyArray<Html> => [
  button("Swaps", withQuery(path`/dashboard/swaps`, { account: name })),
  button("Keys", path`/dashboard/accounts/${name}/keys`),
  button("Webhooks", webhooksPath(name)),
  button("Routes", path`/dashboard/accounts/${name}/routes`),
]

/** The period of the figures of one account. */
const figuresPeriod = "30d"

/** What the account brought in the last 30 days, and when it called last. */
const accountFigures = Effect.fnUntraced(function* ({ name }: Account, now: EpochMillis) {
  const { before, from, step } = periodOf(figuresPeriod, now)
  const figures = yield* (yield* Business).figures({ account: name, before, from, step })
  const { commission, ended, failed, volume } = totalsOf(figures)
  const uses = (yield* (yield* Keys).uses).find(({ account }) => account === name)
  return tiles([
    {
      label: "Volume, 30 days",
      figure: dollars(volume.value),
      note: volume.unvalued > 0
        ? `${volume.unvalued} swaps without a price`
        : "estimate at the time of each swap",
    },
    {
      label: "Commission, 30 days",
      figure: dollars(commission.value, "cents"),
      note: `${commission.swaps} swaps`,
    },
    {
      label: "Swaps that ended",
      figure: grouped(`${ended}`),
      note: `${rate(failed.swaps, ended) ?? "none"} failed`,
    },
    {
      label: "Last used",
      figure: uses?.lastUsedAt === undefined ? "never" : age(uses.lastUsedAt, now),
      note: `${uses?.keys ?? 0} ${uses?.keys === 1 ? "key works" : "keys work"}`,
    },
  ])
})

/** An account: its terms, its parts, what failed, what it earned. */
export const accountPage = page({
  path: "/dashboard/accounts/:name",
  operator: Effect.fnUntraced(function* (asked: Asked<Operator>) {
    const { now } = asked
    const account = yield* accountOf(asked)
    const { name } = account
    const earned = yield* (yield* Commissions).earned(account, lastMonth(now))
    return {
      title: name,
      crumb: html`<a href="${path`/dashboard/accounts`}">Accounts</a>`,
      state: standingBadge(account),
      line: html`${account.commissionBps} bps · ${
        account.affiliates ? "affiliates may share" : "no affiliates"
      } · agents (MCP) ${account.mcp ? "may call" : "may not call"} · origins ${
        foreign(originsText(account) || "none")
      } · since ${dayLabel(account.createdAt)}`,
      acts: partsOf(name),
      body: [
        yield* accountFigures(account, now),
        yield* accountErrors(account, now),
        section({ title: "Commission of the last 30 days", id: "commission" }, commissionTable(earned)),
        section({ title: "Portal link", id: "portal" }, [
          html`
            <p
              class="soft">A portal link lets the integrator in: once, within five minutes, and to this account alone.</p>
          `,
          makePortalLink.form({ name }),
        ]),
        section({ title: "Terms", id: "terms" }, [
          changeTerms.form({ name }, { entered: termsIn(account) }),
          html`<p class="soft">A suspended account can only look at the swaps that it has.</p>`,
          suspendForm(account),
        ]),
      ],
    }
  }),
})
