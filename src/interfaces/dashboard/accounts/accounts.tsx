import { BigDecimal, Effect } from "effect"
import { Accounts } from "#application/accounts/Accounts.ts"
import { accountDefaults } from "#application/accounts/accountTerms.ts"
import { Keys, type KeyUses } from "#application/accounts/Keys.ts"
import { Alerts } from "#application/alerts/Alerts.ts"
import { NewAccountBody } from "#api/OperatorBodies.ts"
import { Business } from "#application/business/Business.ts"
import { type Account, AccountName, type AccountTerms } from "#domain/accounts/Account.ts"
import type { Period } from "#domain/operations/Business.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { addValues, noValue, type UsdValue } from "#domain/money/UsdValue.ts"
import type { Operator } from "#domain/accounts/Viewer.ts"
import { csvOf, csvTable, isoCell } from "../../requests/csv.ts"
import { readerOf } from "../../requests/parameterIssues.ts"
import { type Html } from "../../pages/jsx-runtime.ts"
import { dollars } from "../../pages/amounts.tsx"
import { grouped, rate } from "../../pages/money.ts"
import { pill, section } from "../../pages/parts.tsx"
import { type Columns, known, table, type Value } from "../../pages/table.tsx"
import { age } from "../../pages/times.tsx"
import { path } from "../../pages/Url.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { filled, formAction, numberOr, readEntered, type Submitted, text, tick } from "../formAction.tsx"
import { csvButton, pagesOf } from "../filters.ts"
import { periodOf, periodSegments } from "../overview/period.ts"
import { totalsOf } from "../overview/totals.ts"
import { page, type PageRequest } from "../Page.ts"
import { accountPath, webhooksPath } from "./paths.ts"

/** The most accounts on one page. */
const atOnce = 50

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
export const createAccount = formAction({
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

/** An account with its business of a period and what its keys and webhooks do. */
interface AccountRow {
  readonly account: Account
  readonly totals: ReturnType<typeof totalsOf>
  readonly uses?: KeyUses
  /** How many of its webhooks take no message. */
  readonly failing: number
}

const webhooksCell = ({ account: { name }, failing }: AccountRow): Html | undefined =>
  failing === 0 ? undefined : <a href={webhooksPath(name)}>{pill(`${failing} failing`, "bad")}</a>

const columnsAt = (now: EpochMillis): Columns<AccountRow> => [
  ["Account", ({ account: { name } }) => (
    <a href={accountPath(name)}>
      <b>{name}</b>
    </a>
  )],
  ["State", ({ account }) => standingBadge(account), undefined, ""],
  ["Volume ≈ USD", ({ totals }) => dollars(totals.volume.value), "number b"],
  ["Swaps", ({ totals }) => grouped(`${totals.ended}`), "number"],
  ["Failed", ({ totals }) => rate(totals.failed.swaps, totals.ended), "number"],
  ["Commission ≈ USD", ({ totals }) => dollars(totals.commission.value, "cents"), "number", "commission"],
  ["Terms", ({ account }) => `${account.commissionBps} bps`, "number"],
  ["Last used", ({ uses }) => known(uses?.lastUsedAt, (at) => age(at, now)) ?? "never", "number"],
  ["Keys", ({ uses }) => uses?.keys ?? 0, "number"],
  ["Webhooks", webhooksCell, undefined, ""],
]

/** The accounts of a page with their business, those with the largest volume first. */
const rowsOf = Effect.fnUntraced(function* (accounts: ReadonlyArray<Account>, period: Period) {
  const figures = yield* (yield* Business).ofAccounts(period)
  const uses = new Map((yield* (yield* Keys).uses).map((one) => [one.account, one]))
  const failing = new Map(
    (yield* (yield* Alerts).active).flatMap(({ alert }) =>
      alert.type === "webhook_failing" && alert.account !== undefined ? [[alert.account, alert.webhooks]] : []
    ),
  )
  return accounts.map((account): AccountRow => ({
    account,
    totals: totalsOf(figures.filter((figure) => figure.account === account.name)),
    ...optionalMembers(uses.get(account.name), (uses) => ({ uses })),
    failing: failing.get(account.name) ?? 0,
  })).toSorted((one, other) => BigDecimal.Order(other.totals.volume.value, one.totals.volume.value))
})

const totalCells = (rows: ReadonlyArray<AccountRow>): ReadonlyArray<Value> => {
  const sum = (value: (row: AccountRow) => UsdValue) => rows.map(value).reduce(addValues, noValue)
  return [
    "Total",
    undefined,
    dollars(sum(({ totals }) => totals.volume.value)),
    grouped(`${rows.reduce((total, { totals }) => total + totals.ended, 0)}`),
    undefined,
    dollars(sum(({ totals }) => totals.commission.value), "cents"),
  ]
}

/** The accounts for a spreadsheet. */
const accountsCsv = csvTable<AccountRow>("accounts.csv", [
  ["account", ({ account }) => account.name],
  ["suspended", ({ account }) => `${account.suspended}`],
  ["commissionBps", ({ account }) => account.commissionBps],
  ["volumeUsd", ({ totals }) => totals.volume.value],
  ["swaps", ({ totals }) => totals.ended],
  ["failed", ({ totals }) => totals.failed.swaps],
  ["commissionUsd", ({ totals }) => totals.commission.value],
  ["lastUsedAt", ({ uses }) => isoCell(uses?.lastUsedAt)],
  ["keys", ({ uses }) => uses?.keys ?? 0],
  ["failingWebhooks", ({ failing }) => failing],
])

/** Every account with who brings business and who is in trouble, and a form for another. */
export const accountsPage = page({
  path: "/dashboard/accounts",
  nav: "accounts",
  operator: Effect.fnUntraced(function* (asked: PageRequest<Operator>) {
    const { now } = asked
    const here = path`/dashboard/accounts`
    const { links, offset } = pagesOf(asked, here, nameFrom)
    const period = periodOf(asked.query("period"), now)
    const { items, next } = yield* (yield* Accounts).page({ limit: atOnce, ...offset })
    const rows = yield* rowsOf(items, period)
    return {
      title: "Accounts",
      line: `${items.length} shown. Dollars are estimates at the time of each swap.`,
      acts: [
        periodSegments(here, period.name),
        csvButton(here, { period: period.name }),
      ],
      body: [
        section({ title: period.title, id: "accounts", live: true }, [
          table({
            caption: `Accounts, by volume: ${period.title}`,
            columns: columnsAt(now),
            rows,
            totals: totalCells(rows),
            empty: "There is no account yet: create the first below.",
          }),
          links(next),
        ]),
        section(
          { title: "New account", id: "new", isBox: true },
          createAccount.form({}, { entered: termsIn(accountDefaults) }),
        ),
      ],
    }
  }),
  csv: {
    operator: Effect.fnUntraced(function* ({ now, query }: PageRequest<Operator>) {
      const accounts = yield* (yield* Accounts).all
      return csvOf(accountsCsv, { items: yield* rowsOf(accounts, periodOf(query("period"), now)) })
    }),
  },
})
