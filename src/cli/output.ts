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

const gap = "  "

/** The widths of columns that are together no wider than `most`: the widest give way, to one width. */
const fitting = (widths: ReadonlyArray<number>, most: number): ReadonlyArray<number> => {
  const room = most - gap.length * (widths.length - 1)
  const within = (limit: number) => widths.map((width) => Math.min(width, limit))
  let limit = Math.max(...widths)
  while (limit > 1 && within(limit).reduce((sum, width) => sum + width, 0) > room) limit--
  return within(limit)
}

/** The lines of a text that is no wider than so many columns: it is broken at spaces, and a word only if it is longer. */
const linesOf = (text: string, width: number): ReadonlyArray<string> => {
  if (displayWidth(text) <= width) return [text]
  const lines: Array<string> = []
  let line = ""
  const take = (part: string, between: string) => {
    const longer = line + between + part
    if (line !== "" && displayWidth(longer) > width) lines.push(line)
    line = line !== "" && displayWidth(longer) <= width ? longer : part
  }
  for (const word of text.split(" ")) {
    if (displayWidth(word) <= width) take(word, " ")
    else [...word].forEach((character, at) => take(character, at === 0 ? " " : ""))
  }
  return [...lines, line]
}

/** The columns that a screen has at least, in characters. */
export const screen = 100

/** A table with headings, each column as wide as its widest cell; or no wider than `most`, with cells of several lines. */
export const table = <Row>(columns: Columns<Row>, rows: ReadonlyArray<Row>, most = Infinity): string => {
  const named = columns.map((column) =>
    typeof column === "string" ? [headingOf(column), column] as const : column
  )
  const cells = rows.map((row) =>
    named.map(([, cell]) => textOf(typeof cell === "function" ? cell(row) : memberOf(row, cell)))
  )
  const all = [named.map(([heading]) => heading.toUpperCase()), ...cells]
  const widest = named.map((_, column) => Math.max(...all.map((row) => displayWidth(row[column] ?? ""))))
  const widths = fitting(widest, most)
  return all.flatMap((row) => {
    const parts = row.map((text, column) => linesOf(text, widths[column] ?? 0))
    const height = Math.max(...parts.map((lines) => lines.length))
    return Array.from(
      { length: height },
      (_, at) =>
        parts.map((lines, column) => padded(lines[at] ?? "", widths[column] ?? 0)).join(gap).trimEnd(),
    )
  }).join("\n")
}

/** A time, as ISO 8601. */
export const timeCell = (millis: EpochMillis | undefined): Cell =>
  millis === undefined ? undefined : toIsoDate(millis)

/** Prints the result of a command: JSON with `--json`, else the text for people. */
export const print = (value: unknown, forPeople: string) =>
  Effect.flatMap(Json, (json) => Console.log(json ? JSON.stringify(value, undefined, 2) : forPeople))
