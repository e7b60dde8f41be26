import { Console, Effect } from "effect"
import { Flag, GlobalFlag } from "effect/cli"
import { displayWidth } from "effect/cli/CliOutput"
import { type EpochMillis, toIsoDate } from "../domain/Time.ts"

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
export type Cell = string | number | boolean | undefined

/** The columns of a table: for each heading, the cell of a row. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>

/** Control characters, which would move the cursor or change the colours of a table. */
const controls = /\p{Cc}/gu

const textOf = (cell: Cell): string => {
  if (cell === undefined) return "-"
  if (typeof cell === "boolean") return cell ? "yes" : "no"
  return `${cell}`.replace(controls, "?")
}

const padded = (text: string, width: number): string => text + " ".repeat(width - displayWidth(text))

/** A table with headings, each column as wide as its widest cell. */
export const table = <Row>(columns: Columns<Row>, rows: ReadonlyArray<Row>): string => {
  const cells = rows.map((row) => Object.values(columns).map((cell) => textOf(cell(row))))
  const lines = [Object.keys(columns).map((heading) => heading.toUpperCase()), ...cells]
  const widths = Object.keys(columns).map((_, column) =>
    Math.max(...lines.map((line) => displayWidth(line[column] ?? "")))
  )
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

/** Prints rows, or for people the text `none` where there are none. */
export const printRows = <Row>(columns: Columns<Row>, rows: ReadonlyArray<Row>, none: string) =>
  print(rows, rows.length === 0 ? none : table(columns, rows))

/** Prints one item as a table of one row. */
export const printOne = <Row>(columns: Columns<Row>, row: Row) => print(row, table(columns, [row]))
