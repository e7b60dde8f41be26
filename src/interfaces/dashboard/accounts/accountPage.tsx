import { Effect } from "effect"
import { Keys } from "#application/accounts/Keys.ts"
import { Business } from "#application/business/Business.ts"
import type { ApiKeyRecord } from "#domain/accounts/Key.ts"
import type { AccountSwap } from "#domain/operations/Business.ts"
import { type Account, AccountName } from "#domain/accounts/Account.ts"
import { bpsText, counted } from "#domain/figures.ts"
import type { EpochMillis } from "#domain/Time.ts"
import type { Webhook } from "#domain/accounts/Webhook.ts"
import type { Operator, Viewer } from "#domain/accounts/Viewer.ts"
import { type Html, nothing, path, withQuery } from "../../pages/jsx-runtime.ts"
import { columns, folded, kv, note, section, table, tabs, untrusted } from "../../pages/parts.tsx"
import { type Compared, comparedOf, dollarChart, headline } from "../overview/figuresPart.tsx"
import { type FigurePeriod, type PeriodName, periodOf, periodSegments } from "../overview/period.ts"
import { any, csvButton, type Owner, ownPage, page, type PageRequest, readFilter } from "../Page.ts"
import { swapTable } from "../swaps/describeSwap.tsx"
import { isDelivering, notDelivering, shortened, webhookPill } from "../webhooks/deliveryText.tsx"
import { accountFrame, accountOf, backToAccount, changeTerms } from "./account.tsx"
import { originsText, ownTermRows, termHints, termsIn } from "./accounts.tsx"
import { isActiveKey, issueForm, keyColumns } from "./keys.tsx"
import { keysPath, routesPath, webhookPath, webhooksPath } from "./paths.ts"
import { RequestErrors } from "#application/accounts/RequestErrors.ts"
import type { FailureCause } from "#domain/RequestError.ts"
import { filterForm, filterSelect, hidden } from "../../pages/forms.tsx"
import { grouped } from "../../pages/values.tsx"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { csvOf } from "../../requests/csv.ts"
import { byAccount, causesCsv, causesTable, ownCausesCsv, requestLine, sides, sumOf } from "./causes.tsx"

/** The periods that can be chosen: failures are kept for some weeks, and no more. */
const offered: ReadonlyArray<PeriodName> = ["24h", "7d", "30d"]

const offers = (name: PeriodName): boolean => offered.includes(name)

const failedPath = path`/dashboard/failed`
const ownPath = path`/dashboard/errors`

/** The period of the address, the last 24 hours unless it says otherwise. */
const periodIn = ({ now, query }: PageRequest<Viewer>) =>
  periodOf(offered.find((name) => name === query("period")) ?? "24h", now)

/** The same by hours, for files. */
const byHour = (asked: PageRequest<Viewer>) => ({ ...periodIn(asked), step: "hour" as const })

/** The causes of a period, and of one account where one is given: ours first, each kind by its count. */
const causesIn = Effect.fnUntraced(function* (
  { before, from, step }: Pick<FigurePeriod, "before" | "from" | "step">,
  { account, endpoint }: {
    readonly account?: AccountName | undefined
    readonly endpoint?: string | undefined
  },
) {
  const causes = yield* (yield* RequestErrors).causes({
    from,
    to: before,
    step,
    ...defined({ account, endpoint }),
  })
  const isOurs = ({ status }: FailureCause): number => status >= 500 ? 1 : 0
  return causes.toSorted((one, other) => isOurs(other) - isOurs(one))
})

type KeptFilters = Readonly<Record<string, string | undefined>>

/** The filters by the names that they have in the address of the page. */
const named = (asked: PageRequest<Operator>) => ({
  period: periodIn(asked).name,
  account: asked.query("account"),
  endpoint: asked.query("endpoint"),
  status: asked.query("status"),
})

/** The causes that the address asks for: of all kinds, and of the kind that it names. */
const wanted = Effect.fnUntraced(
  function* (asked: PageRequest<Operator>, period: Pick<FigurePeriod, "before" | "from" | "step">) {
    const account = yield* readFilter("account", asked.query("account"), AccountName.makeOption)
    const all = yield* causesIn(period, { account, endpoint: asked.query("endpoint") })
    const side = sides.find(({ name }) => name === asked.query("status"))
    return { all, current: side?.name, causes: side === undefined ? all : all.filter(side.has) }
  },
)

const sideTabs = (all: ReadonlyArray<FailureCause>, current: string | undefined, kept: KeptFilters): Html =>
  tabs("Kinds", [
    {
      label: "All",
      to: withQuery(failedPath, { ...kept, status: undefined }),
      isCurrent: current === undefined,
      count: grouped(`${sumOf(all)}`),
    },
    ...sides.map(({ has, label, name }) => {
      const count = sumOf(all.filter(has))
      return {
        label,
        to: withQuery(failedPath, { ...kept, status: name }),
        isCurrent: current === name,
        count: grouped(`${count}`),
        ...(name === "5xx" && count > 0 ? { tone: "bad" as const } : {}),
      }
    }),
  ])

/** A choice of one of the values that there are, and of the one that is chosen. */
const oneOf = (
  label: string,
  name: string,
  value: string | undefined,
  values: ReadonlyArray<string>,
  written: (value: string) => string = (value) => value,
): Html => {
  const all = new Set([...values, ...(value === undefined ? [] : [value])])
  return filterSelect({
    label,
    name,
    value: value ?? "",
    choices: [any(`Any ${name}`), ...[...all].map((value) => ({ value, label: written(value) }))],
  })
}

const endpointsOf = (causes: ReadonlyArray<FailureCause>): ReadonlyArray<string> =>
  causes.flatMap(({ endpoints }) => endpoints).toSorted()

const kept = <p class="soft">We store the cause of a failed request, never its contents.</p>

/** Why requests of every account failed. */
export const allErrorsPage = page({
  path: "/dashboard/failed",
  nav: "errors",
  operator: Effect.fnUntraced(function* (asked: PageRequest<Operator>) {
    const { now } = asked
    const period = periodIn(asked)
    const address = named(asked)
    const { all, causes, current } = yield* wanted(asked, period)
    const accounts = byAccount(all).length
    return {
      title: "Failed requests",
      ...optionalMembers(address.account, (account) => ({ crumb: backToAccount(account) })),
      line: `${counted(sumOf(all), "request")}, ${
        counted(accounts, "account")
      }, ${period.title.toLowerCase()}`,
      acts: [
        periodSegments(failedPath, period.name, { kept: address, offers }),
        all.length === 0 ? nothing : csvButton(failedPath, address),
      ],
      body: [
        all.length === 0 && [address.account, address.endpoint, current].every((one) => one === undefined)
          ? nothing
          : (
            <div class="stack tight">
              {sideTabs(all, current, address)}
              {filterForm({
                to: failedPath,
                narrowed: [address.account, address.endpoint],
                fields: [
                  hidden("period", period.name),
                  ...(current === undefined ? [] : [hidden("status", current)]),
                  oneOf("Account", "account", address.account, byAccount(all).map(([name]) => name)),
                  oneOf("Endpoint", "endpoint", address.endpoint, endpointsOf(all), requestLine),
                ],
              })}
            </div>
          ),
        <section aria-label="By cause" id="errors" data-live="">
          {causesTable(causes, { period, now, isOperator: true, isOfAll: true })}
          {kept}
        </section>,
      ],
    }
  }),
  csv: {
    operator: Effect.fnUntraced(function* (asked: PageRequest<Operator>) {
      return csvOf(causesCsv, { items: (yield* wanted(asked, byHour(asked))).causes })
    }),
  },
})

/** Why requests of an account failed in the last 24 hours. */
const causesOfADay = (account: AccountName, now: EpochMillis) => causesIn(periodOf("24h", now), { account })

/** The same on its page; nothing where none did. */
const accountErrors = ({ name }: Owner, causes: ReadonlyArray<FailureCause>, now: EpochMillis): Html =>
  causes.length === 0 ? nothing : section({
    title: "Failed requests, last 24 hours",
    id: "errors",
    aside: <a href={withQuery(failedPath, { account: name, period: "30d" })}>Last 30 days</a>,
  }, causesTable(causes, { period: periodOf("24h", now), now, isOperator: true, isOfAll: false }))

const show = Effect.fnUntraced(function* ({ name }: Owner, asked: PageRequest<Viewer>) {
  const period = periodIn(asked)
  const causes = yield* causesIn(period, { account: name })
  return {
    title: "Failed requests",
    line: `${grouped(`${sumOf(causes)}`)}, ${period.title.toLowerCase()}`,
    acts: [periodSegments(ownPath, period.name, { offers }), csvButton(ownPath, { period: period.name })],
    body: (
      <section aria-label="By cause" id="errors" data-live="">
        {causesTable(causes, { period, now: asked.now, isOperator: false, isOfAll: false })}
        {kept}
        <p class="soft">
          Also in the API: <code>GET /errors</code>.
        </p>
      </section>
    ),
  }
})

const file = Effect.fnUntraced(function* ({ name }: Owner, asked: PageRequest<Viewer>) {
  return csvOf(ownCausesCsv, { items: yield* causesIn(byHour(asked), { account: name }) })
})

/** Why the viewer's own requests failed. */
export const errorsPage = ownPage({ path: "/dashboard/errors", nav: "errors", show, file })

/** So many keys and swaps are on the page; all are in their lists. */
const mostKeys = 5
const mostSwaps = 6

const keysSection = ({ name }: Account, keys: ReadonlyArray<ApiKeyRecord>, now: EpochMillis): Html =>
  section(
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
      columns: keyColumns(now),
      rows: keys.slice(0, mostKeys),
      empty: "No active key.",
    }),
  )

const swapsSection = (
  { name }: Account,
  swaps: ReadonlyArray<AccountSwap>,
  { now, viewer }: PageRequest<Operator>,
): Html =>
  section(
    {
      title: "Latest swaps",
      id: "swaps",
      live: true,
      aside: <a href={withQuery(path`/dashboard/swaps`, { account: name })}>All swaps</a>,
    },
    swapTable({ caption: "The latest swaps", viewer, swaps, now, isShort: true, empty: "No swaps yet." }),
  )

/** The business of an account. What has no key yet needs one first. */
const businessPart = (
  account: Account,
  { compared, keys, swaps }: {
    readonly compared: Compared
    readonly keys: ReadonlyArray<ApiKeyRecord>
    readonly swaps: ReadonlyArray<AccountSwap>
  },
  request: PageRequest<Operator>,
): ReadonlyArray<Html> => [
  keys.length > 0 ? nothing : section({ title: "Issue a key", id: "issue" }, [
    <p class="soft">No active API key. The account can’t call the API without one.</p>,
    issueForm(account.name, request),
  ]),
  compared.now.length === 0 ? nothing : <div id="volume" data-live="">{dollarChart(compared, "volume")}</div>,
  keys.length === 0 ? nothing : keysSection(account, keys, request.now),
  swaps.length === 0 ? nothing : swapsSection(account, swaps, request),
]

const termsSection = Effect.fnUntraced(function* (account: Account, rules: number) {
  const offers = yield* termHints
  const { affiliates, allowedOrigins, commissionBps, mcp, name } = account
  return section({ title: "Terms", id: "terms" }, [
    kv([
      [
        "Commission",
        <>
          {bpsText(commissionBps)},{" "}
          <a href={withQuery(path`/dashboard/commission`, { account: name })}>earned so far</a>
        </>,
      ],
      ["Affiliates", affiliates ? "may share the commission" : "none"],
      ["Allowed origins", allowedOrigins === "*" ? "any website" : untrusted(originsText(account) || "none")],
      ["Agents (MCP)", mcp ? "allowed" : "not allowed"],
      ...ownTermRows(account),
      ["Pairs", <a href={routesPath(name)}>{rules === 0 ? "every pair" : counted(rules, "route rule")}</a>],
    ]),
    folded("Change terms", changeTerms.form({ name }, { entered: termsIn(account), offers })),
  ])
})

/** Whether a webhook delivers, for how long it does not, and its page. */
const webhookLine = ({ name }: Account, webhook: Webhook, now: EpochMillis): Html => (
  <>
    {webhookPill(webhook)} {notDelivering(webhook, now)}{" "}
    <a href={webhookPath(name, webhook.id)}>
      <code>{untrusted(shortened(webhook.url))}</code>
    </a>
  </>
)

const webhooksSection = (account: Account, all: ReadonlyArray<Webhook>, now: EpochMillis): Html => {
  const at = webhooksPath(account.name)
  return section(
    { title: "Webhooks", id: "webhooks", live: true, aside: <a href={at}>All webhooks</a> },
    all.length === 0
      ? <p class="soft">No webhooks. The account polls the status of its swaps.</p>
      : all.map((webhook) => <p>{webhookLine(account, webhook, now)}</p>),
  )
}

/** The webhooks that need a person. */
const troubleNotes = (account: Account, all: ReadonlyArray<Webhook>, now: EpochMillis): Html => (
  <div id="trouble" class="stack tight" data-live="">
    {all.filter((one) => !isDelivering(one)).map((one) =>
      note(one.enabled ? "bad" : "warn", { text: <>Webhook: {webhookLine(account, one, now)}</> })
    )}
  </div>
)

/** An account: what it brings, what it may do, and where it needs help. */
export const accountPage = page({
  path: "/dashboard/accounts/:name",
  operator: Effect.fnUntraced(function* (request: PageRequest<Operator>) {
    const { now } = request
    const account = yield* accountOf(request)
    const { name } = account
    const { head, rules, shown, webhooks } = yield* accountFrame(account, "overview")
    const compared = yield* comparedOf({ account: name }, periodOf("7d", now))
    const keys = (yield* (yield* Keys).ofAccount(name)).filter((key) => isActiveKey(key, now))
    const { items: swaps } = yield* (yield* Business).swaps({
      account: name,
      sort: "descending",
      limit: mostSwaps,
    })
    return {
      ...head,
      body: [
        shown,
        troubleNotes(account, webhooks, now),
        swaps.length === 0
          ? (
            <p class="soft">
              No swaps yet. <a href={path`/docs/quickstart`}>See how to open one</a>
            </p>
          )
          : <div id="figures" data-live="">{headline(compared, { account: name }, ", 7 d")}</div>,
        columns("wide", businessPart(account, { compared, keys, swaps }, request), [
          yield* termsSection(account, rules.length),
          webhooksSection(account, webhooks, now),
        ]),
        accountErrors(account, yield* causesOfADay(name, now), now),
      ],
    }
  }),
})
