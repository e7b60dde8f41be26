import { Console, Context, Effect } from "effect"
import { Command, Flag, GlobalFlag } from "effect/cli"
import { formatUnits } from "#domain/money/Amount.ts"
import { type AssetId, factsOf } from "#domain/chains/Asset.ts"
import { grouped } from "#domain/figures.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import { EpochMillis } from "#domain/Time.ts"
import { laidOut } from "./layout.ts"

const name = "json"

export const jsonFlag = `--${name}`

/** `--json`: output for scripts instead of people. */
export const Json = GlobalFlag.Setting(name)({
  flag: Flag.Boolean(name).pipe(
    Flag.withoutNegation,
    Flag.withDescription("Print JSON instead of a table, a failure too (on standard error)"),
    Flag.withDefault(false),
  ),
})

/** One cell; undefined if there is nothing to show. */
export type Cell = string | number | boolean | bigint | undefined

type Shown<Row> =
  & { [Name in keyof Row]-?: Row[Name] extends Cell | ReadonlyArray<string> ? Name : never }[keyof Row]
  & string

/** A column: a member under its own name, or a heading with a member or with what is made of the row. */
type Column<Row> = Shown<Row> | readonly [heading: string, cell: Shown<Row> | ((row: Row) => Cell)]

/** The columns of a table, in their order. */
export type Columns<Row> = ReadonlyArray<Column<Row>>

/** The name of a member as people read it: `nextAttemptAt` is "next attempt". */
const headingOf = (name: string): string => name.replaceAll(/[A-Z]/g, " $&").toLowerCase().replace(/ at$/, "")

/** Control characters, which would move the cursor or change the colours of a table. */
const controls = /\p{Cc}/gu

const textOf = (cell: unknown): string => {
  if (cell === undefined) return "-"
  if (typeof cell === "boolean") return cell ? "yes" : "no"
  const text = Array.isArray(cell) ? cell.join(", ") : `${cell}`
  return text === "" ? "-" : text.replace(controls, "?")
}

/** The time of lists, where UTC is in the heading: `2026-07-29 14:04`. */
export const minuteText = (millis: number, characters = 16): string =>
  new Date(EpochMillis.make(millis)).toISOString().slice(0, characters).replace("T", " ")

/** A time in UTC, to the second: `2026-07-29 14:04:24 UTC`. */
const timeText = (millis: number): string => `${minuteText(millis, 19)} UTC`

/** Members of the contract that are called after a moment hold one, in milliseconds. */
const moment = /(?:^at|At|^since|Since)$/

const memberOf = <Row>(row: Row, name: Shown<Row>): unknown => {
  const value = row[name]
  return typeof value === "number" && moment.test(name) ? timeText(value) : value
}

/** A table of 100 columns at most, in which long ids are shortened and long texts are broken. */
export const table = <Row>(columns: Columns<Row>, rows: ReadonlyArray<Row>): string => {
  const named = columns.map((column) =>
    typeof column === "string" ? [headingOf(column), column] as const : column
  )
  return laidOut(
    named.map(([heading]) => heading.toUpperCase()),
    rows.map((row) =>
      named.map(([, cell]) => textOf(typeof cell === "function" ? cell(row) : memberOf(row, cell)))
    ),
  )
}

/** A time after what it is of, where there is one. */
export const timeCell = (millis: EpochMillis | undefined, before = ""): string | undefined =>
  millis === undefined ? undefined : `${before}${timeText(millis)}`

/** Thousands with commas, and a minus sign that can be typed. */
const figure = (decimal: string): string => grouped(decimal).replace("\u2212", "-")

/** An amount in both units, such as `0.15 BTC on Bitcoin (15,000,000)`: exact, the native one in parentheses. */
export const amountCell = (asset: AssetId, native: bigint | undefined): string | undefined => {
  if (native === undefined) return undefined
  const { chain, ticker } = factsOf(asset)
  return `${figure(formatUnits(asset, native))} ${ticker} on ${chainFacts(chain).title} (${
    figure(`${native}`)
  })`
}

/** What of several texts is there, in one cell. */
export const together = (...texts: ReadonlyArray<string | undefined>): string =>
  texts.filter((text) => text !== undefined && text !== "").join(", ")

/** What a command prints with `--json`, in words for the page about it; every command has it. */
export class Printed extends Context.Service<Printed, string>()("swap-broker/cli/Printed") {}

/** Says what a command prints with `--json`. */
export const prints = (shape: string) => Command.annotate(Printed, shape)

/** Says on standard error what takes its time; nothing with `--json`. */
export const say = (text: string) => Effect.flatMap(Json, (json) => json ? Effect.void : Console.error(text))

/** Prints the result of a command: JSON with `--json`, else the text for people. */
export const print = (value: unknown, forPeople: string) =>
  Effect.flatMap(Json, (json) => Console.log(json ? JSON.stringify(value, undefined, 2) : forPeople))
