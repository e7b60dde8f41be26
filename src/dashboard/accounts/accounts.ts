import { Effect } from "effect"
import { Accounts } from "../../accounts/Accounts.ts"
import { accountDefaults } from "../../accounts/defaults.ts"
import { NewAccountBody } from "../../api/OperatorBodies.ts"
import { AccountName, type AccountTerms } from "../../domain/Account.ts"
import type { Operator } from "../../domain/Viewer.ts"
import { readerOf } from "../../requests/parameterIssues.ts"
import { type Html, html } from "../../pages/html.ts"
import { foreign, pill, section } from "../../pages/parts.ts"
import { table } from "../../pages/table.ts"
import { time } from "../../pages/times.ts"
import { path } from "../../pages/Url.ts"
import { act, filled, numberOr, readEntered, type Submitted, text, tick } from "../act.ts"
import { pagesOf } from "../filters.ts"
import { type Asked, page } from "../Page.ts"

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

/** Whether an account is active. */
export const standingBadge = ({ suspended }: Pick<AccountTerms, "suspended">): Html =>
  suspended ? pill("suspended", "warn") : pill("active", "good")

/** The fields of an account's terms but whether it is suspended. */
export const termFields = {
  commissionBps: text({ label: "Default commission", hint: "Basis points, 0 to 995.", as: numberOr }),
  affiliates: tick({ label: "Affiliates may share in the commission" }),
  allowedOrigins: text({
    label: "Origins of pages that may call",
    hint: "* for all, nothing for none, or origins such as https://app.example with commas between them.",
    as: originsOf,
  }),
  mcp: tick({ label: "Agents may call (MCP)" }),
}

const ticked = (isTicked: boolean) => isTicked ? ["yes"] : []

/** The terms of an account as its form shows them. */
export const termsIn = (
  { affiliates, allowedOrigins, commissionBps, mcp }: Omit<AccountTerms, "suspended">,
) =>
  filled({
    commissionBps: `${commissionBps}`,
    affiliates: ticked(affiliates),
    allowedOrigins: originsText({ allowedOrigins }),
    mcp: ticked(mcp),
  })

const readCreateAccount = readEntered(readerOf(NewAccountBody))

/** Creates an account. */
export const createAccount = act({
  path: "/dashboard/accounts",
  button: "Create the account",
  tone: "go",
  once: true,
  fields: {
    name: text({
      label: "Name",
      required: true,
      hint: "Lower-case letters, digits and . _ - between them; it never changes.",
    }),
    ...termFields,
  },
  done: { accountMade: "The account is there. It can call once it has a key." },
  again: { title: "A new account", back: "Accounts", backTo: () => path`/dashboard/accounts` },
  run: Effect.fnUntraced(function* ({ by, entered }: Submitted) {
    const { name, ...terms } = yield* readCreateAccount(entered)
    yield* (yield* Accounts).create(name, terms, by)
    return { to: accountPath(name), said: "accountMade" } as const
  }),
})

/** Every account, and a form for another. */
export const accountsPage = page({
  path: "/dashboard/accounts",
  nav: "accounts",
  operator: Effect.fnUntraced(function* (asked: Asked<Operator>) {
    const { links, offset } = pagesOf(asked, path`/dashboard/accounts`, nameFrom)
    const { items, next } = yield* (yield* Accounts).page({ limit: atOnce, ...offset })
    return {
      title: "Accounts",
      body: [
        section({ title: "All accounts", id: "accounts" }, [
          table({
            caption: "Accounts",
            columns: [
              ["Account", ({ name }) => html`<a href="${accountPath(name)}">${name}</a>`],
              ["Commission", ({ commissionBps }) => `${commissionBps} bps`, "number"],
              ["Affiliates", ({ affiliates }) => affiliates ? "yes" : "no"],
              ["Origins", (account) => foreign(originsText(account) || "none", 80)],
              ["State", standingBadge],
              ["Since", ({ createdAt }) => time(createdAt, asked.now)],
            ],
            rows: items,
            empty: "There is no account yet: create the first below.",
          }),
          links(next),
        ]),
        section(
          { title: "A new account", id: "new" },
          createAccount.form({}, { entered: termsIn(accountDefaults) }),
        ),
      ],
    }
  }),
})
