import { Console, Effect } from "effect"
import { Flag, GlobalFlag } from "effect/cli"
import { displayWidth } from "effect/cli/CliOutput"
import { EpochMillis, toIsoDate } from "../domain/Time.ts"

const name = "json"

/** The flag as it is typed. */
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

/** The members of a row that a cell shows as they are. */
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
  return `${cell}`.replace(controls, "?")
}

/** Members of the contract that are called after a moment hold one, in milliseconds. */
const moment = /(?:^at|At|^since|Since)$/

const memberOf = <Row>(row: Row, name: Shown<Row>): unknown => {
  const value = row[name]
  return typeof value === "number" && moment.test(name) ? toIsoDate(EpochMillis.make(value)) : value
}

const padded = (text: string, width: number): string => text + " ".repeat(width - displayWidth(text))

/** A table with headings, each column as wide as its widest cell. */
export const table = <Row>(columns: Columns<Row>, rows: ReadonlyArray<Row>): string => {
  const named = columns.map((column) =>
    typeof column === "string" ? [headingOf(column), column] as const : column
  )
  const cells = rows.map((row) =>
    named.map(([, cell]) => textOf(typeof cell === "function" ? cell(row) : memberOf(row, cell)))
  )
  const lines = [named.map(([heading]) => heading.toUpperCase()), ...cells]
  const widths = named.map((_, column) => Math.max(...lines.map((line) => displayWidth(line[column] ?? ""))))
  return lines
    .map((line) => line.map((text, column) => padded(text, widths[column] ?? 0)).join("  ").trimEnd())
    .join("\n")
}

/** A time, as ISO 8601. */
export const timeCell = (millis: EpochMillis | undefined): Cell =>
  millis === undefined ? undefined : toIsoDate(millis)

/** Prints the result of a command: JSON with `--json`, else the text for people. */
export const print = (value: unknown, forPeople: string) =>
  Effect.flatMap(Json, (json) => Console.log(json ? JSON.stringify(value, undefined, 2) : forPeople))
