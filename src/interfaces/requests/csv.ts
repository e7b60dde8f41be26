import { BigDecimal, Effect, Option, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { presentSum } from "#api/commissionFigures.ts"
import { presentStatus, type RecordSetting } from "#api/presentSwap.ts"
import { noPrices } from "#api/shape.ts"
import type { SwapRecordBody } from "#api/SwapRecord.ts"
import type { AccountSwap, CommissionSum } from "#domain/operations/Business.ts"
import { formatUnits } from "#domain/money/Amount.ts"
import { chargedOf, type Commission, commissionsOf } from "#domain/money/Commission.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
import type { PriceAt } from "#domain/money/UsdValue.ts"
import type { Page } from "#domain/Page.ts"
import type { StoreEffect } from "#domain/StoreError.ts"
import type { SwapRecord, SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { type EpochMillis, toIsoDate } from "#domain/Time.ts"
import { warnSparsely } from "#infrastructure/platform/rateLimitedLog.ts"
import type { HistoryPage, Swaps } from "#application/swapping/Swaps.ts"
import { unlessAway } from "#infrastructure/platform/outages.ts"

/** The beginning of a cell that spreadsheets take for a formula, full-width forms and leading spaces included. */
const beginsFormula = /^[\s\u00a0\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/

/** Text that needs quotes in a cell (RFC 4180). */
const needsQuotes = /[",\r\n]|^\s|\s$/

/** Puts an apostrophe before a formula, so that a spreadsheet takes it for text: text from elsewhere must never run. */
const harmless = (text: string): string => beginsFormula.test(text) ? `'${text}` : text

const quotedIfNeeded = (text: string): string =>
  needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text

export type Cell = string | number | bigint | BigDecimal.BigDecimal | undefined

/** A number is no text of others: below 0 it has its sign, and nothing before it. */
const textOf = (cell: Cell): string => {
  if (cell === undefined) return ""
  if (typeof cell === "string") return harmless(cell)
  return BigDecimal.isBigDecimal(cell) ? formatDecimal(cell) : `${cell}`
}

/** A time that may be absent, in ISO form. */
export const isoCell = (at: EpochMillis | undefined): Cell => at === undefined ? undefined : toIsoDate(at)

/** A line of CSV (RFC 4180) with its line end. A value that is absent is an empty cell. */
export const csvLine = (values: ReadonlyArray<Cell>): string =>
  `${values.map((value) => quotedIfNeeded(textOf(value))).join(",")}\r\n`

type StatusBody = SwapRecordBody["status"]
type Columns = ReadonlyArray<readonly [name: string, read: (status: StatusBody, record: SwapRecord) => Cell]>

type PaymentBody = Pick<
  NonNullable<StatusBody["swapEgress"]>,
  "amount" | "amountNative" | "transactionReference" | "valueUsd" | "valueUsdAtDate" | "witnessedAtDate"
>

/** The columns of a payment: its amount in both forms, its transaction, and when it was seen on its chain. */
const payment = (name: string, read: (status: StatusBody) => PaymentBody | undefined): Columns => [
  [`${name}Amount`, (status) => read(status)?.amount],
  [`${name}AmountNative`, (status) => read(status)?.amountNative],
  [`${name}Transaction`, (status) => read(status)?.transactionReference],
  [`${name}WitnessedAt`, (status) => read(status)?.witnessedAtDate],
]

/** The columns of what a payment was worth, and of the hour whose price that is. */
const value = (name: string, read: (status: StatusBody) => PaymentBody | undefined): Columns => [
  [`${name}ValueUsd`, (status) => read(status)?.valueUsd],
  [`${name}ValueUsdAt`, (status) => read(status)?.valueUsdAtDate],
]

/** A column of the commission, with spaces between several. Today's networks charge them in one asset. */
const commission =
  (read: (commission: Commission) => string) => (_: StatusBody, { status }: SwapRecord): Cell =>
    commissionsOf(status).map(read).join(" ")

/** All columns. Most are read off the body that the swap has as JSON. */
const columns: Columns = [
  ["id", (_, { id }) => id],
  ["platform", (_, { platform }) => platform],
  ["state", ({ state }) => state],
  ["swapId", ({ swapId }) => swapId],
  ["sourceAsset", ({ sourceAsset }) => sourceAsset],
  ["destinationAsset", ({ destinationAsset }) => destinationAsset],
  ["destinationAddress", ({ destinationAddress }) => destinationAddress],
  ["depositChannelId", ({ depositChannel }) => depositChannel?.id],
  ["depositAddress", ({ depositChannel }) => depositChannel?.depositAddress],
  ["createdAt", ({ depositChannel }) => depositChannel?.createdAtDate],
  ...payment("deposit", ({ deposit }) => deposit),
  ["swappedInputAmount", ({ swap }) => swap?.swappedInputAmount],
  ["swappedInputAmountNative", ({ swap }) => swap?.swappedInputAmountNative],
  ["swappedOutputAmount", ({ swap }) => swap?.swappedOutputAmount],
  ["swappedOutputAmountNative", ({ swap }) => swap?.swappedOutputAmountNative],
  ...payment("swapEgress", ({ swapEgress }) => swapEgress),
  ...payment("refundEgress", ({ refundEgress }) => refundEgress),
  ...payment("fallbackEgress", ({ fallbackEgress }) => fallbackEgress),
  ["brokerCommissionBps", ({ depositChannel }) => depositChannel?.brokerCommissionBps],
  ["commissionAsset", commission(({ asset }) => asset)],
  ["commissionAmount", commission(({ asset, amount }) => formatUnits(asset, amount))],
  ["commissionAmountNative", commission(({ amount }) => `${amount}`)],
  ["lastStateChainUpdateAt", ({ lastStateChainUpdateAtDate }) => lastStateChainUpdateAtDate],
]

/** Columns that came later, at the end of a line: the outcome of the swap's quote, and what else became of commission. */
const laterColumns: Columns = [
  ["outcomeQuoted", ({ outcome }) => outcome?.quoted],
  ["outcomeQuotedNative", ({ outcome }) => outcome?.quotedNative],
  ["outcomePromised", ({ outcome }) => outcome?.promised],
  ["outcomePromisedNative", ({ outcome }) => outcome?.promisedNative],
  ["outcomeReceived", ({ outcome }) => outcome?.received],
  ["outcomeReceivedNative", ({ outcome }) => outcome?.receivedNative],
  ["outcomeBps", ({ outcome }) => outcome?.bps],
  ["commissionCharged", commission((one) => formatUnits(one.asset, chargedOf(one)))],
  ["commissionChargedNative", commission((one) => `${chargedOf(one)}`)],
  ["commissionKept", commission(({ asset, kept }) => formatUnits(asset, kept))],
  ["commissionKeptNative", commission(({ kept }) => `${kept}`)],
  ["commissionIsEstimate", commission(({ isEstimate }) => `${isEstimate}`)],
]

/** How a swap ended, links to explorers and what payments were worth, at the very end of a line. */
const lastColumns: Columns = [
  ["result", ({ result }) => result],
  ["depositTransactionUrl", ({ deposit }) => deposit?.transactionUrl],
  ["swapEgressTransactionUrl", ({ swapEgress }) => swapEgress?.transactionUrl],
  ["refundEgressTransactionUrl", ({ refundEgress }) => refundEgress?.transactionUrl],
  ["fallbackEgressTransactionUrl", ({ fallbackEgress }) => fallbackEgress?.transactionUrl],
  ["explorerUrl", ({ depositChannel }) => depositChannel?.explorerUrl],
  ...value("deposit", ({ deposit }) => deposit),
  ...value("swapEgress", ({ swapEgress }) => swapEgress),
  ...value("refundEgress", ({ refundEgress }) => refundEgress),
]

const namesOf = (columns: Columns): ReadonlyArray<string> => columns.map(([name]) => name)

/** The first line of the CSV: the names of the columns. */
export const swapsHead: string = csvLine(namesOf([...columns, ...laterColumns, ...lastColumns]))

export const swapLine = ({ networkOf }: RecordSetting) => (record: SwapRecord, priceAt?: PriceAt): string => {
  const status = presentStatus(record.status, networkOf(record.platform), priceAt)
  return csvLine([...columns, ...laterColumns, ...lastColumns].map(([, read]) => read(status, record)))
}

/** Makes lines with the prices of hours, of a page together. */
type Priced = Swaps["Service"]["priced"]

/** What lines of swaps depend on beside the swaps. */
interface LineSetting extends RecordSetting {
  readonly priced?: Priced
}

/** A table: the name of its file, its first line, and the line of a row. */
export interface Table<Row> {
  readonly file: string
  readonly head: string
  readonly line: (row: Row, priceAt?: PriceAt) => string
  /** Absent where lines need no prices. */
  readonly priced?: Priced
}

/** The columns of a table: the name of each, and what is in it of a row. */
export type CsvColumns<Row> = ReadonlyArray<readonly [name: string, read: (row: Row) => Cell]>

export const csvTable = <Row>(file: string, columns: CsvColumns<Row>): Table<Row> => ({
  file,
  head: csvLine(columns.map(([name]) => name)),
  line: (row) => csvLine(columns.map(([, read]) => read(row))),
})

/** The swaps of all accounts: the columns of one account's, with those that only the operator sees. */
export const accountSwapsTable = ({ networkOf, ...setting }: LineSetting): Table<AccountSwap> => ({
  ...setting,
  file: "swaps.csv",
  head: csvLine([
    "account",
    ...namesOf(columns),
    "recordedAt",
    "stalledSince",
    ...namesOf(laterColumns),
    "valueUsd",
    ...namesOf(lastColumns),
  ]),
  line: ({ account, createdAt, record, stalledSince, value }, priceAt) => {
    const status = presentStatus(record.status, networkOf(record.platform), priceAt)
    return csvLine([
      account,
      ...columns.map(([, read]) => read(status, record)),
      toIsoDate(createdAt),
      isoCell(stalledSince),
      ...laterColumns.map(([, read]) => read(status, record)),
      value === undefined ? undefined : formatDecimal(value),
      ...lastColumns.map(([, read]) => read(status, record)),
    ])
  },
})

export const commissionTable: Table<CommissionSum> = {
  file: "commission.csv",
  head: csvLine((
    "day account platform asset amount amountNative swaps charged chargedNative kept keptNative " +
    "isEstimate"
  ).split(" ")),
  line: ({ account, asset, day, platform, ...sum }) => {
    const { isEstimate, ...figures } = presentSum(asset, sum)
    return csvLine([day, account, platform, ...Object.values(figures), `${isEstimate}`])
  },
}

/** Reads the page of a list that begins at an id. */
type PageFrom<A, Id, E> = (offset: Id) => Effect.Effect<Page<A, Id>, E>

const unpriced: Priced = (of) => Effect.sync(() => ({ shown: of(noPrices), until: Infinity }))

const linesOf = <A>({ line, priced = unpriced }: Table<A>, items: ReadonlyArray<A>): Effect.Effect<string> =>
  Effect.map(priced((priceAt) => items.map((row) => line(row, priceAt)).join("")), ({ shown }) => shown)

/** The lines of the pages after the first. Each page is read once the caller has taken the page before. */
const rest = <A, Id extends string | number, E>(
  table: Table<A>,
  first: Page<A, Id>,
  pageFrom: PageFrom<A, Id, E> | undefined,
): Stream.Stream<string, E> =>
  first.next === undefined || pageFrom === undefined ? Stream.empty : Stream.paginate(
    first.next,
    (offset) =>
      Effect.flatMap(
        pageFrom(offset),
        ({ items, next }) =>
          Effect.map(linesOf(table, items), (lines) => [[lines], Option.fromUndefinedOr(next)] as const),
      ),
  )

/**
 * Streams a list as CSV, with one page in memory at a time. A caller that goes away ends the reading. Where the
 * database fails the answer is broken off, so that nobody takes a part for the whole. Without `pageFrom` the CSV
 * holds the first page alone.
 */
export const csvOf = <A, Id extends string | number, E>(
  table: Table<A>,
  first: Page<A, Id>,
  pageFrom?: PageFrom<A, Id, E>,
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.stream(
    Stream.concat(
      Stream.fromEffect(Effect.map(linesOf(table, first.items), (lines) => table.head + lines)),
      rest(table, first, pageFrom),
    ).pipe(
      Stream.tapError((error) =>
        unlessAway(error, warnSparsely(table.file, 1, `The export of ${table.file} was interrupted`, error))
      ),
      Stream.encodeText,
    ),
    {
      contentType: "text/csv; charset=utf-8; header=present",
      headers: { "content-disposition": `attachment; filename="${table.file}"` },
    },
  )

const asPage = ({ records, ...rest }: HistoryPage): Page<SwapRecord, SwapRecordId> => ({
  items: records,
  ...rest,
})

export const historyCsv = (
  { networkOf, ...setting }: LineSetting,
  first: HistoryPage,
  pageFrom?: (offset: SwapRecordId) => StoreEffect<HistoryPage>,
): HttpServerResponse.HttpServerResponse =>
  csvOf(
    { ...setting, file: "swaps.csv", head: swapsHead, line: swapLine({ networkOf }) },
    asPage(first),
    pageFrom === undefined ? undefined : (offset) => Effect.map(pageFrom(offset), asPage),
  )
