import { Effect, Option } from "effect"
import { Accounts } from "../../accounts/Accounts.ts"
import { AccountUnknown } from "../../accounts/failures.ts"
import { Commissions } from "../../accounts/Commissions.ts"
import { RequestErrors } from "../../accounts/RequestErrors.ts"
import { Sessions } from "../../accounts/Sessions.ts"
import { accountDefaults } from "../../accounts/defaults.ts"
import { AccountChangesBody } from "../../api/OperatorBodies.ts"
import type { Account } from "../../domain/Account.ts"
import { actorOf } from "../../domain/Audit.ts"
import { portalUrl } from "../../requests/PublicUrl.ts"
import { readerOf } from "../../requests/parameterIssues.ts"
import { actForm, hidden } from "../../pages/forms.ts"
import { type Html, html } from "../../pages/html.ts"
import { badge, copyable, facts, foreign, section, time } from "../../pages/parts.ts"
import { path } from "../../pages/Url.ts"
import { accountPath, enteredTerms, nameFrom, originsText, termFields } from "./accounts.ts"
import { commissionTable, lastMonth } from "../treasury/commission.ts"
import { again, type Entered, once, readEntered, untouched } from "../entered.ts"
import type { Act, Asked, Page } from "../Page.ts"
import { errorsTable, lastDay } from "./requestErrors.ts"
import type { Operator } from "../../domain/Viewer.ts"

/** The account that a page of the operator's is about. */
export const accountOf = Effect.fnUntraced(function* ({ param }: Pick<Asked<Operator>, "param">) {
  const name = nameFrom(param("name"))
  if (Option.isNone(name)) return yield* new AccountUnknown({ name: param("name") })
  return yield* (yield* Accounts).find(name.value)
})

/** The link above every page that is about a part of an account. */
export const backToAccount = (name: string): Html => html`<a href="${accountPath(name)}">${name}</a>`

const termsForm = (name: string, terms: Account, entered: Entered): Html =>
  actForm(
    { to: path`/dashboard/accounts/${name}/terms`, button: "Change the terms" },
    termFields(terms, entered),
  )

const suspendForm = ({ name, suspended }: Account): Html =>
  actForm(
    {
      to: path`/dashboard/accounts/${name}/suspend`,
      button: suspended ? "Resume the account" : "Suspend the account",
      tone: suspended ? "plain" : "bad",
    },
    hidden("suspended", suspended ? "no" : "yes"),
  )

const partsOf = (name: string): Html =>
  html`
    <p
      class="row"><a class="button" href="${path`/dashboard/accounts/${name}/keys`}">Keys</a><a class="button" href="${path`/dashboard/accounts/${name}/routes`}">Routes</a><a class="button" href="${path`/dashboard/accounts/${name}/webhooks`}">Webhooks</a><a class="button" href="${path`/dashboard/swaps?account=${name}`}">Swaps</a></p>
  `

/** An account: its terms, its parts, what failed, what it earned. */
export const accountPage: Page<Accounts | RequestErrors | Commissions> = {
  path: "/dashboard/accounts/:name",
  operator: Effect.fnUntraced(function* (asked) {
    const { now } = asked
    const account = yield* accountOf(asked)
    const { name } = account
    const errors = yield* (yield* RequestErrors).ofAccount(name, lastDay(now))
    const earned = yield* (yield* Commissions).earned(account, lastMonth(now))
    return {
      title: name,
      above: html`<a href="${path`/dashboard/accounts`}">Accounts</a>`,
      body: [
        section({
          title: "Account",
          id: "account",
          aside: account.suspended ? badge("suspended", "warn") : badge("active", "good"),
        }, [
          facts([
            ["Default commission", `${account.commissionBps} bps`],
            ["Affiliates", account.affiliates ? "may share" : "may not share"],
            ["Origins", foreign(originsText(account) === "" ? "none" : originsText(account))],
            ["Agents (MCP)", account.mcp ? "may call" : "may not call"],
            ["Since", time(account.createdAt, now)],
          ]),
          partsOf(name),
        ]),
        section({ title: "Failed requests of the last 24 hours", id: "errors" }, [errorsTable(errors, now)]),
        section({ title: "Commission of the last 30 days", id: "commission" }, commissionTable(earned)),
        section({ title: "Portal link", id: "portal" }, [
          html`
            <p
              class="empty">A portal link lets the integrator in: once, within five minutes, and to this account alone.</p>
          `,
          actForm(
            { to: path`/dashboard/accounts/${name}/portal-link`, button: "Make a portal link" },
            once(),
          ),
        ]),
        section({ title: "Terms", id: "terms" }, [
          termsForm(name, account, untouched),
          html`<p class="empty">A suspended account can only look at the swaps that it has.</p>`,
          suspendForm(account),
        ]),
      ],
    }
  }),
}

const readTerms = readEntered(readerOf(AccountChangesBody))

/** Changes the terms of an account. */
export const changeTerms: Act<Accounts> = {
  path: "/dashboard/accounts/:name/terms",
  run: Effect.fnUntraced(function* (sent) {
    const { name } = yield* accountOf(sent)
    yield* (yield* Accounts).change(name, yield* readTerms(enteredTerms(sent)), actorOf(sent.viewer.caller))
    return { to: accountPath(name), said: "accountChanged" } as const
  }),
  again: again({
    title: "Terms",
    back: "Back to the account",
    backTo: ({ param }) => accountPath(param("name")),
    form: ({ param }, entered) =>
      actForm(
        { to: path`/dashboard/accounts/${param("name")}/terms`, button: "Change the terms" },
        termFields(accountDefaults, entered),
      ),
  }),
}

/** Suspends an account, or lets it work again. */
export const suspendAccount: Act<Accounts> = {
  path: "/dashboard/accounts/:name/suspend",
  run: Effect.fnUntraced(function* (sent) {
    const { name } = yield* accountOf(sent)
    const suspended = sent.field("suspended") !== "no"
    yield* (yield* Accounts).change(name, { suspended }, actorOf(sent.viewer.caller))
    return { to: accountPath(name), said: "accountChanged" } as const
  }),
}

/** Makes a portal link to an account, and shows it this once. */
export const makePortalLink: Act<Accounts | Sessions> = {
  path: "/dashboard/accounts/:name/portal-link",
  run: Effect.fnUntraced(function* (sent) {
    const { name } = yield* accountOf(sent)
    const { expiresAt, token } = yield* (yield* Sessions).link(name, actorOf(sent.viewer.caller))
    return {
      title: "Portal link",
      above: backToAccount(name),
      body: section({ title: `Link for ${name}`, id: "link" }, [
        html`<p class="secret">${copyable(yield* portalUrl(token, sent.host), "link")}</p>`,
        html`<p class="empty">Shown this once. Send it to somebody of the account: it works once, until ${
          time(
            expiresAt,
            sent.now,
          )
        }.</p>`,
      ]),
    }
  }),
}
