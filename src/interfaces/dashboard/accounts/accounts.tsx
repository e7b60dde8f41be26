import { BigDecimal, Effect, Option, Record, Struct } from "effect"
import { Accounts } from "#application/accounts/Accounts.ts"
import { Keys, type KeyUses } from "#application/accounts/Keys.ts"
import { Business } from "#application/business/Business.ts"
import { Webhooks } from "#application/webhooks/Webhooks.ts"
import { type Account, AccountName, type AccountTerms } from "#domain/accounts/Account.ts"
import { choiceOf, choiceText, type OwnTerms, theDefault } from "#domain/accounts/OwnTerms.ts"
import type { Webhook } from "#domain/accounts/Webhook.ts"
import { bpsText, counted } from "#domain/figures.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { addValues, noValue, type UsdValue } from "#domain/money/UsdValue.ts"
import type { Operator } from "#domain/accounts/Viewer.ts"
import { csvOf, csvTable, isoCell } from "../../requests/csv.ts"
import { sparkline } from "../../pages/charts.tsx"
import { hidden, searchForm } from "../../pages/forms.tsx"
import { type Html, path, withQuery } from "../../pages/jsx-runtime.ts"
import { age, dollars, grouped, rate } from "../../pages/values.tsx"
import { button, type Columns, known, pill, table, tabs, type Value } from "../../pages/parts.tsx"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { csvButton, page, type PageRequest, pagesOf } from "../Page.ts"
import { barsOf, type FigurePeriod, periodOf, periodSegments, totalsOf } from "../overview/period.ts"
import { accountPath, webhooksPath } from "./paths.ts"
import { accountDefaults, ServiceTerms } from "#application/accounts/accountTerms.ts"
import { NewAccountBody } from "#api/OperatorBodies.ts"
import { readerOf } from "../../requests/parameterIssues.ts"
import { filled, formAction, numberOr, readEntered, type Submitted, text, tick } from "../formAction.tsx"
import words from "../words.json" with { type: "json" }

/** The most accounts on one page. */
const atOnce = 50

/** The name in the path of a page about an account; the page knows no other names. */
export const nameFrom = (text: string) => AccountName.makeOption(text)

export const accountPill = ({ suspended }: Pick<AccountTerms, "suspended">): Html =>
  suspended ? pill("Suspended", "warn") : pill("Active", "good")

/** An account with its business of a period and its keys. */
interface AccountFigures {
  readonly account: Account
  readonly totals: ReturnType<typeof totalsOf>
  readonly uses?: KeyUses
  /** The volume by hour or day. */
  readonly volumes: ReadonlyArray<number>
}

interface AccountRow extends AccountFigures {
  readonly webhooks: ReadonlyArray<Webhook>
}

const failingOf = ({ webhooks }: AccountRow) =>
  webhooks.filter(({ failingSince }) => failingSince !== undefined)

const webhooksCell = (row: AccountRow): Value => {
  const { account: { name }, webhooks } = row
  const [failing, off] = [failingOf(row).length, webhooks.filter(({ enabled }) => !enabled).length]
  if (webhooks.length === 0) return "none"
  const shown = failing > 0
    ? pill(`${failing} failing`, "bad")
    : off > 0
    ? pill(`${off} switched off`, "warn")
    : webhooks.length
  return <a href={webhooksPath(name)}>{shown}</a>
}

const columnsAt = (now: EpochMillis, { step }: FigurePeriod): Columns<AccountRow> => [
  ["Account", ({ account: { name } }) => (
    <a href={accountPath(name)}>
      <b>{name}</b>
    </a>
  )],
  ["State", ({ account }) => accountPill(account), "all"],
  [`Volume by ${step}`, ({ volumes }) => volumes.some((one) => one > 0) ? sparkline(volumes) : "", "x"],
  ["Volume ≈ USD", ({ totals }) => dollars(totals.volume.value), "number b"],
  ["Swaps", ({ totals }) => grouped(`${totals.ended}`), "number"],
  ["Failed", ({ totals }) => rate(totals.failed.swaps, totals.ended), "number"],
  ["Commission ≈ USD", ({ totals }) => dollars(totals.commission.value, "cents"), "number", "commission"],
  ["Terms", ({ account }) => bpsText(account.commissionBps), "number"],
  ["Last used", ({ uses }) => known(uses?.lastUsedAt, (at) => age(at, now)) ?? "never", "number"],
  ["Keys", ({ uses }) => uses?.keys ?? 0, "number"],
  ["Webhooks", webhooksCell],
]

/** Accounts with their business, those with the largest volume first. */
const figuresOf = Effect.fnUntraced(function* (accounts: ReadonlyArray<Account>, period: FigurePeriod) {
  const figures = Map.groupBy(yield* (yield* Business).ofAccounts(period), ({ account }) => account)
  const uses = new Map((yield* (yield* Keys).uses).map((one) => [one.account, one]))
  const bars = barsOf(period)
  return accounts.map((account): AccountFigures => {
    const own = figures.get(account.name) ?? []
    const volumeAt = (at: EpochMillis) => totalsOf(own.filter((figure) => figure.at === at)).volume.value
    return {
      account,
      totals: totalsOf(own),
      ...optionalMembers(uses.get(account.name), (uses) => ({ uses })),
      volumes: bars.map((at) => BigDecimal.toNumberUnsafe(volumeAt(at))),
    }
  }).toSorted((one, other) => BigDecimal.Order(other.totals.volume.value, one.totals.volume.value))
})

const withWebhooks = Effect.fnUntraced(function* (rows: ReadonlyArray<AccountFigures>) {
  const { ofAccount } = yield* Webhooks
  return yield* Effect.forEach(
    rows,
    (row) => Effect.map(ofAccount(row.account), (webhooks): AccountRow => ({ ...row, webhooks })),
  )
})

const totalCells = (rows: ReadonlyArray<AccountFigures>): ReadonlyArray<Value> => {
  const sum = (value: (row: AccountFigures) => UsdValue) => rows.map(value).reduce(addValues, noValue)
  const add = (value: (row: AccountFigures) => number) => rows.reduce((total, row) => total + value(row), 0)
  const ended = add(({ totals }) => totals.ended)
  return [
    "Total",
    undefined,
    undefined,
    dollars(sum(({ totals }) => totals.volume.value)),
    grouped(`${ended}`),
    rate(add(({ totals }) => totals.failed.swaps), ended),
    dollars(sum(({ totals }) => totals.commission.value), "cents"),
    undefined,
    undefined,
    add(({ uses }) => uses?.keys ?? 0),
    undefined,
  ]
}

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
  ["failingWebhooks", (row) => failingOf(row).length],
])

const here = path`/dashboard/accounts`

/** The filters by the names that they have in the address of the page. */
const named = ({ query }: Pick<PageRequest<Operator>, "query">) => ({
  period: query("period"),
  find: query("find"),
  state: query("state"),
})

const states = [
  ["All", undefined, () => true],
  ["Active", "active", ({ suspended }: Account) => !suspended],
  ["Suspended", "suspended", ({ suspended }: Account) => suspended],
] as const

/** How origins are written in a field: `*`, nothing, or some with commas between them. */
export const originsText = ({ allowedOrigins }: Pick<AccountTerms, "allowedOrigins">): string =>
  allowedOrigins === "*" ? "*" : allowedOrigins.join(", ")

const originsOf = (text: string): unknown =>
  text === "*" ? "*" : text.split(",").map((part) => part.trim()).filter((part) => part !== "")

/** The limits that replace a setting: their labels, the setting that holds where a field is empty, and the unit. */
const limitWords = words.limits satisfies Partial<Record<keyof OwnTerms, unknown>>

const ownTermFields = {
  ...Record.map(limitWords, ({ label }) => text({ label, as: numberOr })),
  providers: text({
    label: "Providers",
    as: (entered) => entered === "" ? "" : choiceOf(entered),
  }),
  boostEstimatedPrice: tick({
    label: "Compatible with Chainflip’s hosted service: boost quotes have estimatedPrice",
  }),
} satisfies Record<keyof OwnTerms, unknown>

/** What holds where a field of own terms is empty, in figures of this service. */
export const termHints = Effect.map(ServiceTerms, ({ providers, terms }) => ({
  ...Record.map(limitWords, ({ setting, unit }, name) => {
    const { [name]: limit } = terms
    return [`Empty: ${limit === undefined ? "no limit" : `${grouped(`${limit}`)}${unit}`} (${setting}).`]
  }),
  providers: [
    "Empty: all, by price. Some alone, in your order: IDs with commas. One first, unless another pays more than " +
    "50 bps more: prefer:ID:50. IDs:",
    ...providers,
  ],
}))
const offers = () => termHints

/** The terms that few accounts have of their own. */
export const apart = { title: "Limits and providers (defaults apply)", names: Struct.keys(ownTermFields) }

/** The limits that an account has of its own. */
const ownLimits = (account: OwnTerms) =>
  Struct.keys(limitWords).flatMap((name) => {
    const limit = account[name]
    return limit === undefined ? [] : [{ name, label: limitWords[name].label, limit }]
  })

/** The terms that an account has of its own, in the words of the form. */
export const ownTermRows = (account: OwnTerms): ReadonlyArray<readonly [label: string, value: string]> => [
  ...ownLimits(account).map(({ label, limit }) => [label, `${limit}`] as const),
  ...(account.providers === undefined ? [] : [["Providers", choiceText(account.providers)] as const]),
  ...(account.boostEstimatedPrice === true ? [["Price of boost quotes", "shown"] as const] : []),
]

/** What a form says of own terms whose field is empty. */
export const settingsHold = Record.map(ownTermFields, () => theDefault)

/** The fields of an account's terms but whether it is suspended. */
export const termFields = {
  commissionBps: text({
    label: "Commission (basis points)",
    required: true,
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
  ...ownTermFields,
}

const ticked = (isTicked: boolean) => isTicked ? ["yes"] : []

/** The terms of an account as its form shows them. */
export const termsIn = (
  { affiliates, allowedOrigins, boostEstimatedPrice, commissionBps, mcp, providers, ...limits }:
    & Omit<AccountTerms, "commissionBps" | "suspended">
    & { readonly commissionBps: AccountTerms["commissionBps"] | "" },
) =>
  filled({
    ...Object.fromEntries(ownLimits(limits).map(({ limit, name }) => [name, `${limit}`])),
    ...optionalMembers(providers, (choice) => ({ providers: choiceText(choice) })),
    boostEstimatedPrice: ticked(boostEstimatedPrice === true),
    commissionBps: `${commissionBps}`,
    affiliates: ticked(affiliates),
    allowedOrigins: originsText({ allowedOrigins }),
    mcp: ticked(mcp),
  })

const readCreateAccount = readEntered(readerOf(NewAccountBody))

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
  apart,
  done: { accountMade: "Account created. Issue an API key so that it can call." },
  again: { title: "New account", back: "Accounts", backTo: () => here, offers },
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
    Effect.map(termHints, (offers) => ({
      title: "New account",
      crumb: <a href={here}>Accounts</a>,
      // Which commission is a decision: none is filled in.
      body: createAccount.form({}, { entered: termsIn({ ...accountDefaults, commissionBps: "" }), offers }),
    })),
})

/** The accounts whose name or origins have the text: of any state, and of the one in the address. */
const matching = Effect.fnUntraced(function* ({ find = "", state }: ReturnType<typeof named>) {
  const found = (yield* (yield* Accounts).all)
    .filter((account) => `${account.name} ${originsText(account)}`.includes(find.toLowerCase()))
  const ofState = states.find(([, name]) => name === state)?.[2]
  return { found, accounts: ofState === undefined ? found : found.filter(ofState) }
})

/** Every account with who brings business and who is in trouble. */
export const accountsPage = page({
  path: "/dashboard/accounts",
  nav: "accounts",
  operator: Effect.fnUntraced(function* (request: PageRequest<Operator>) {
    const { now } = request
    const filters = named(request)
    const { links, offset } = pagesOf(
      request,
      here,
      (text) => Option.filter(Option.some(Number(text)), (from) => Number.isSafeInteger(from) && from > 0),
      { filters },
    )
    const period = periodOf(filters.period, now)
    const { accounts, found } = yield* matching(filters)
    const all = yield* figuresOf(accounts, period)
    const from = offset.offset ?? 0
    return {
      title: "Accounts",
      line: `${counted(found.length, "account")}. Dollars are estimates at the time of each swap.`,
      acts: periodSegments(here, period.name, { kept: filters }),
      body: [
        (<div class="stack tight">
          {tabs(
            "Accounts by state",
            states.map(([label, state, has]) => ({
              label,
              to: withQuery(here, { ...filters, state }),
              isCurrent: state === filters.state,
              count: grouped(`${found.filter(has).length}`),
            })),
          )}
          {searchForm({
            to: here,
            name: "find",
            hint: "Name or origin",
            value: filters.find ?? "",
            fields: [hidden("period", period.name), hidden("state", filters.state ?? "")],
            acts: [csvButton(here, filters), button("New account", path`/dashboard/new-account`, "go")],
          })}
        </div>),
        (<section id="accounts" aria-label={period.title} data-live="">
          {table({
            caption: `Accounts, by volume: ${period.title}`,
            columns: columnsAt(now, period),
            rows: yield* withWebhooks(all.slice(from, from + atOnce)),
            totals: totalCells(all),
            empty: "No accounts match.",
          })}
          {links(from + atOnce < all.length ? from + atOnce : undefined)}
        </section>),
      ],
    }
  }),
  csv: {
    operator: Effect.fnUntraced(function* (request: PageRequest<Operator>) {
      const filters = named(request)
      const { accounts } = yield* matching(filters)
      const rows = yield* figuresOf(accounts, periodOf(filters.period, request.now))
      return csvOf(accountsCsv, { items: yield* withWebhooks(rows) })
    }),
  },
})
