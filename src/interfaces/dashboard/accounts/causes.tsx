import type { FailureCause } from "#domain/RequestError.ts"
import { type EpochMillis, toIsoDate } from "#domain/Time.ts"
import { type Html, path, type Url, withQuery } from "../../pages/jsx-runtime.ts"
import { age, counts, grouped } from "../../pages/values.tsx"
import { type Column, type Columns, pill, table, untrusted } from "../../pages/parts.tsx"
import { type CsvColumns, csvTable } from "../../requests/csv.ts"
import { barsOf, type FigurePeriod } from "../overview/period.ts"
import { accountPath } from "./paths.ts"
import { Context, Struct } from "effect"
import { OpenApi } from "effect/http-api"
import { Api } from "#api/Api.ts"
import { reasonFacts, reasonFactsOf } from "#domain/reasonFacts.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { Failures } from "../../requests/problems.ts"
import words from "../words.json" with { type: "json" }

type Causes = ReadonlyArray<FailureCause>

/** The most causes on a page, which keeps it small, and the most accounts and endpoints that are named of one. */
export const mostCauses = 20
const mostNamed = 3

/** Whose it is to mend a failure, by its status: ours, too many calls, or what callers asked. */
export const sides = [
  { name: "5xx", label: "Server errors (5xx)", has: ({ status }: FailureCause): boolean => status >= 500 },
  { name: "429", label: "Rate limits (429)", has: ({ status }: FailureCause): boolean => status === 429 },
  {
    name: "4xx",
    label: "Request errors (4xx)",
    has: ({ status }: FailureCause): boolean => status < 500 && status !== 429,
  },
] as const

/** How many requests failed for some causes. */
export const sumOf = (causes: Causes): number => causes.reduce((sum, { count }) => sum + count, 0)

/** How many failed by account, those with the most first. */
export const byAccount = (causes: Causes): ReadonlyArray<readonly [name: string, count: number]> => {
  const sums = new Map<string, number>()
  for (const { count, name } of causes.flatMap(({ accounts }) => accounts)) {
    sums.set(name, (sums.get(name) ?? 0) + count)
  }
  return [...sums].toSorted(([, one], [, other]) => other - one)
}

const more = (count: number): string | undefined => count > 0 ? ` and ${grouped(`${count}`)} more` : undefined

const toneOf = (status: number) => status >= 500 ? "bad" : status === 429 ? "warn" : "plain"

/** What is requested of each endpoint, by its `operationId`: `POST /swap` for `openSwap`. */
const requestLines: ReadonlyMap<string, string> = new Map(
  Object.values(Api.groups).flatMap(({ endpoints }) =>
    Object.values(endpoints).map(({ annotations, method, name, path }) =>
      [
        Context.getOrElse(annotations, OpenApi.Identifier, () => name),
        `${method} ${path.replaceAll(/:([A-Za-z]+)/g, "{$1}")}`,
      ] as const
    )
  ),
)

/** What is requested of an endpoint; its own name where the contract does not have it. */
export const requestLine = (operationId: string): string => requestLines.get(operationId) ?? operationId

/** What a cause is called, what the operator can do about it, and where. */
interface CauseWords {
  readonly title: string
  readonly toDo: string
  readonly look?: { readonly label: string; readonly to: Url }
}

const pages = {
  providers: { label: "Providers", to: path`/dashboard/providers` },
  treasury: { label: "Treasury", to: path`/dashboard/money` },
}

type Row = readonly [title: string, toDo: string, look?: CauseWords["look"]]

const outcome: Row = [
  "Opening with an unknown outcome",
  "Check whether the provider opened a channel.",
  { label: "Unknown openings", to: withQuery(path`/dashboard/swaps`, { view: "unknown" }) },
]

/** The words of a provider's reason. */
const ofReason = (_tag: keyof typeof reasonFacts): Row => {
  const { look, operators, toDo } = reasonFactsOf({ _tag })
  return look === undefined ? [operators, toDo] : [operators, toDo, pages[look]]
}

/** The words of failures of other kinds, most in `words.json`. A kind without words is shown by its own name. */
const kinds = Struct.keys(words.causes) satisfies ReadonlyArray<keyof Failures>
const rows = {
  OpeningNotRecorded: outcome,
  OutcomeUnknown: outcome,
  NoProviderAvailable: ofReason("NotCalled"),
  PairNotServed: ofReason("AssetNotListed"),
  TooManyOpenChannels: ofReason("TooManyChannels"),
  LookupNotMade: [
    "Transaction lookup failed",
    "No action needed unless it lasts. Then check which provider is down.",
    pages.providers,
  ],
  InvalidRequest: ofReason("RequestRefused"),
} as const satisfies Partial<Readonly<Record<keyof Failures, Row>>>

const known: ReadonlyMap<string, Row> = new Map<string, Row>([
  ...Struct.keys(reasonFacts).map((reason) => [reason, ofReason(reason)] as const),
  ...kinds.map((kind) => [kind, [words.causes[kind].title, words.causes[kind].toDo]] as const),
  ...Object.entries(rows),
])

/** `WebhookUnknown` as words: "Webhook unknown". */
export const spoken = (kind: string): string =>
  kind.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const wordsOf = ({ kind, status }: Pick<FailureCause, "kind" | "status">): CauseWords => {
  const [title, toDo, look] = known.get(kind) ?? [
    spoken(kind),
    status >= 500
      ? "Search the service’s log at that time."
      : "No action needed. The account has to change its request.",
  ]
  return { title, toDo, ...optionalMembers(look, (look) => ({ look })) }
}

/** What went wrong in our words, and the sentence of the last problem, or its name only where there is none. */
const causeCell = (cause: FailureCause): Html => {
  const { code, parameters } = cause
  // A clause that lacks a value of the request cannot be read.
  const [whole = "", ...gaps] = cause.example.split("…")
  const end = Math.max(0, ...[". ", ", ", "; "].map((mark) => whole.lastIndexOf(mark)))
  const example = gaps.length === 0 ? whole : whole.slice(0, end)
  const unsaid = parameters.filter((name) => !example.includes(name)).join(", ")
  return (
    <>
      <b>{wordsOf(cause).title}</b>
      <br />
      <small>
        {example === "" ? code : untrusted(example)}
        {unsaid !== "" && (
          <>
            {(example !== "" || code !== undefined) && <br />}
            <code>{unsaid}</code>
          </>
        )}
      </small>
    </>
  )
}

const endpointsCell = ({ endpoints }: FailureCause): Html => (
  <>
    {endpoints.slice(0, mostNamed).map((endpoint, index) => (
      <>
        {index > 0 && ", "}
        <code class="way">{requestLine(endpoint)}</code>
      </>
    ))}
    {more(endpoints.length - mostNamed)}
  </>
)

const whoCell = ({ accounts }: FailureCause): Html =>
  <>
    {accounts.slice(0, mostNamed).map(({ count, name }, index) => (
      <>
        {index > 0 && ", "}
        <a class="w" href={accountPath(name)}>{name}</a>
        {accounts.length > 1 && ` ${grouped(`${count}`)}`}
      </>
    ))}
    {more(accounts.length - mostNamed)}
  </>

/** A bar for each hour or day of the period. */
const stripCell = ({ periods }: FailureCause, period: FigurePeriod, causes: Causes): Html => {
  const most = Math.max(...causes.flatMap(({ periods }) => periods.map(({ count }) => count)))
  const begins = barsOf(period)
  const bars = begins.map((from, index) => {
    const before = begins[index + 1] ?? Infinity
    return periods.reduce((sum, { at, count }) => at >= from && at < before ? sum + count : sum, 0)
  })
  const failing = bars.filter((count) => count > 0).length
  return counts(`In ${failing} of ${bars.length} ${period.step}s`, bars, most)
}

const toDoCell = (cause: FailureCause): Html => {
  const { look, toDo } = wordsOf(cause)
  return <>{toDo} {look !== undefined && <a href={look.to}>{look.label}</a>}</>
}

/** Who looks, and whether at the causes of all accounts. */
interface Reader {
  readonly isOperator: boolean
  readonly isOfAll: boolean
}

const who: Column<FailureCause> = ["Who", whoCell, undefined, "by"]

const columnsOf = (
  period: FigurePeriod,
  now: EpochMillis,
  { isOfAll, isOperator }: Reader,
  causes: Causes,
): Columns<FailureCause> => [
  ["Status", ({ status }) => pill(`${status}`, toneOf(status)), undefined, ""],
  ["Cause", causeCell, "a"],
  ["Endpoint", endpointsCell, undefined, ""],
  ...(isOfAll ? [who] : []),
  [`By ${period.step}`, (cause) => stripCell(cause, period, causes), "x"],
  ["Count", ({ count }) => grouped(`${count}`), "number b"],
  ["Last", ({ lastAt }) => age(lastAt, now), "number"],
  ...(isOperator ? [["What to do", toDoCell, "all"] as const] : []),
]

/** Why requests failed. What to do is told to the operator. */
export const causesTable = (
  causes: Causes,
  { now, period, ...reader }: Reader & { readonly period: FigurePeriod; readonly now: EpochMillis },
): Html =>
  <>
    {table({
      caption: `Failed requests by cause: ${period.title}`,
      columns: columnsOf(period, now, reader, causes),
      rows: causes.slice(0, mostCauses),
      empty: `No failed requests in the ${period.title.toLowerCase()}.`,
    })}
    {causes.length > mostCauses &&
      <p class="soft">{mostCauses} of {causes.length} causes. The CSV has all.</p>}
  </>

/** The columns of a file of causes; whose they are and what to do about them is told to the operator. */
const fileColumns: CsvColumns<FailureCause> = [
  ["status", ({ status }) => status],
  ["code", ({ code }) => code],
  ["kind", ({ kind }) => kind],
  ["cause", (cause) => wordsOf(cause).title],
  ["endpoints", ({ endpoints }) => endpoints.map(requestLine).join("; ")],
  ["parameters", ({ parameters }) => parameters.join(" ")],
  ["count", ({ count }) => count],
  ["firstHour", ({ periods: [{ at }] }) => toIsoDate(at)],
  ["lastAt", ({ lastAt }) => toIsoDate(lastAt)],
  ["example", ({ example }) => example],
]

const file = "failed-requests.csv"

export const ownCausesCsv = csvTable(file, fileColumns)

export const causesCsv = csvTable<FailureCause>(file, [
  ...fileColumns,
  ["accounts", ({ accounts }) => accounts.map(({ count, name }) => `${name} ${count}`).join("; ")],
  ["toDo", (cause) => wordsOf(cause).toDo],
])
