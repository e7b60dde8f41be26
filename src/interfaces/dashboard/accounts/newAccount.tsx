import { Effect } from "effect"
import { Accounts } from "#application/accounts/Accounts.ts"
import { accountDefaults } from "#application/accounts/accountTerms.ts"
import { NewAccountBody } from "#api/OperatorBodies.ts"
import type { AccountTerms } from "#domain/accounts/Account.ts"
import type { Operator } from "#domain/accounts/Viewer.ts"
import { readerOf } from "../../requests/parameterIssues.ts"
import { path } from "../../pages/jsx-runtime.ts"
import { filled, formAction, numberOr, readEntered, type Submitted, text, tick } from "../formAction.tsx"
import { page, type PageRequest } from "../Page.ts"
import { accountPath } from "./paths.ts"

/** How origins are written in a field: `*`, nothing, or some with commas between them. */
export const originsText = ({ allowedOrigins }: Pick<AccountTerms, "allowedOrigins">): string =>
  allowedOrigins === "*" ? "*" : allowedOrigins.join(", ")

const originsOf = (text: string): unknown =>
  text === "*" ? "*" : text.split(",").map((part) => part.trim()).filter((part) => part !== "")

/** The fields of an account's terms but whether it is suspended. */
export const termFields = {
  commissionBps: text({
    label: "Commission (basis points)",
    hint: "0 to 995. 25 bps = 0.25\u00a0%: $2.50 on a $1,000 swap.",
    as: numberOr,
  }),
  affiliates: tick({ label: "Affiliates may share in the commission" }),
  allowedOrigins: text({
    label: "Allowed origins of web pages",
    hint: "* for any website, empty for none, or a list such as https://app.example, https://shop.example.",
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
export const createAccount = formAction({
  path: "/dashboard/accounts",
  button: "Create account",
  tone: "go",
  once: true,
  fields: {
    name: text({
      label: "Name (permanent)",
      required: true,
      hint: "1 to 64 lower-case letters and digits. You can use . _ - between them.",
    }),
    ...termFields,
  },
  done: { accountMade: "Account created. Issue an API key so that it can call." },
  again: { title: "New account", back: "Accounts", backTo: () => path`/dashboard/accounts` },
  run: Effect.fnUntraced(function* ({ by, entered }: Submitted) {
    const { name, ...terms } = yield* readCreateAccount(entered)
    yield* (yield* Accounts).create(name, terms, by)
    return { to: accountPath(name), said: "accountMade" } as const
  }),
})

/** The form for another account. */
export const newAccountPage = page({
  path: "/dashboard/new-account",
  within: "accounts",
  operator: (_: PageRequest<Operator>) =>
    Effect.succeed({
      title: "New account",
      crumb: <a href={path`/dashboard/accounts`}>Accounts</a>,
      body: createAccount.form({}, { entered: termsIn(accountDefaults) }),
    }),
})
