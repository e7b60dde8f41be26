import { Effect } from "effect"
import { Accounts } from "../../accounts/Accounts.ts"
import { accountDefaults } from "../../accounts/defaults.ts"
import { NewAccountBody } from "../../api/OperatorBodies.ts"
import { AccountName, type AccountTerms } from "../../domain/Account.ts"
import { actorOf } from "../../domain/Audit.ts"
import { readerOf } from "../../requests/parameterIssues.ts"
import { actForm, checkbox, field } from "../../pages/forms.ts"
import { type Html, html } from "../../pages/html.ts"
import { badge, foreign, pager, section, table, time } from "../../pages/parts.ts"
import { path, withQuery } from "../../pages/Url.ts"
import { again, type Entered, given, numberOr, once, readEntered, untouched } from "../entered.ts"
import type { Act, Page, Sent } from "../Page.ts"

/** The most accounts on one page. */
const atOnce = 50

/** The page of an account. */
export const accountPath = (name: string) => path`/dashboard/accounts/${name}`

/** The name in the path of a page about an account; the page knows no other names. */
export const nameFrom = (text: string) => AccountName.makeOption(text)

/** How origins are written in a field: `*`, nothing, or some with commas between them. */
export const originsText = ({ allowedOrigins }: Pick<AccountTerms, "allowedOrigins">): string =>
  allowedOrigins === "*" ? "*" : allowedOrigins.join(", ")

const originsOf = (text: string): unknown =>
  text === "*" ? "*" : text.split(",").map((part) => part.trim()).filter((part) => part !== "")

/** The fields of an account's terms but whether it is suspended. */
export const termFields = (
  terms: Omit<AccountTerms, "suspended">,
  { fault, value, values }: Entered,
): ReadonlyArray<Html> => [
  field({
    label: "Default commission",
    name: "commissionBps",
    value: value("commissionBps", `${terms.commissionBps}`),
    hint: "Basis points, 0 to 995.",
    fault: fault("commissionBps"),
  }),
  checkbox({
    label: "Affiliates may share in the commission",
    name: "affiliates",
    checked: values("affiliates", terms.affiliates ? ["yes"] : []).length > 0,
  }),
  field({
    label: "Origins of pages that may call",
    name: "allowedOrigins",
    value: value("allowedOrigins", originsText(terms)),
    hint: "* for all, nothing for none, or origins such as https://app.example with commas between them.",
    fault: fault("allowedOrigins"),
  }),
  checkbox({
    label: "Agents may call (MCP)",
    name: "mcp",
    checked: values("mcp", terms.mcp ? ["yes"] : []).length > 0,
  }),
]

/** The terms that were entered, as a body of the API has them. */
export const enteredTerms = ({ field, fields }: Sent) => ({
  commissionBps: numberOr(field("commissionBps")),
  affiliates: fields("affiliates").length > 0,
  allowedOrigins: originsOf(field("allowedOrigins")),
  mcp: fields("mcp").length > 0,
})

const newForm = (entered: Entered): Html =>
  actForm({ to: path`/dashboard/accounts`, button: "Create the account", tone: "info" }, [
    field({
      label: "Name",
      name: "name",
      value: entered.value("name"),
      required: true,
      hint: "Lower-case letters, digits and . _ - between them; it never changes.",
      fault: entered.fault("name"),
    }),
    ...termFields(accountDefaults, entered),
    once(),
  ])

/** Every account, and a form for another. */
export const accountsPage: Page<Accounts> = {
  path: "/dashboard/accounts",
  nav: "Accounts",
  operator: Effect.fnUntraced(function* ({ now, query }) {
    const from = query("from")
    const offset = from === undefined ? undefined : nameFrom(from)
    const { items, next } = yield* (yield* Accounts).page({
      limit: atOnce,
      ...(offset?._tag === "Some" ? { offset: offset.value } : {}),
    })
    const here = path`/dashboard/accounts`
    return {
      title: "Accounts",
      body: [
        section({ title: "All accounts", id: "accounts" }, [
          table({
            caption: "Accounts",
            columns: [
              { label: "Account" },
              { label: "Commission", kind: "number" },
              { label: "Affiliates" },
              { label: "Origins" },
              { label: "State" },
              { label: "Since" },
            ],
            rows: items.map((account) => [
              html`<a href="${accountPath(account.name)}">${account.name}</a>`,
              `${account.commissionBps} bps`,
              account.affiliates ? "yes" : "no",
              foreign(originsText(account) === "" ? "none" : originsText(account), 80),
              account.suspended ? badge("suspended", "warn") : badge("active", "good"),
              time(account.createdAt, now),
            ]),
            empty: "There is no account yet: create the first below.",
          }),
          pager({
            first: offset === undefined ? undefined : here,
            next: next === undefined ? undefined : withQuery(here, { from: next }),
          }),
        ]),
        section({ title: "A new account", id: "new" }, newForm(untouched)),
      ],
    }
  }),
}

const readNewAccount = readEntered(readerOf(NewAccountBody))

/** Creates an account. */
export const createAccount: Act<Accounts> = {
  path: "/dashboard/accounts",
  run: Effect.fnUntraced(function* (sent) {
    const { name, ...terms } = yield* readNewAccount(
      given({ name: sent.field("name"), ...enteredTerms(sent) }),
    )
    yield* (yield* Accounts).create(name, terms, actorOf(sent.viewer.caller))
    return { to: accountPath(name), said: "accountMade" } as const
  }),
  again: again({
    title: "A new account",
    back: "Accounts",
    backTo: () => path`/dashboard/accounts`,
    form: (_, entered) => newForm(entered),
  }),
}
