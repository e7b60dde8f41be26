import { type Html } from "./jsx-runtime.ts"

/** What can be shown as a value; undefined where there is nothing to show. */
export type Value = Html | string | number | undefined

/** What is shown of a value where it is there. */
export const known = <A,>(value: A | undefined, show: (value: A) => Value): Value =>
  value === undefined ? undefined : show(value)

/**
 * What a card of 390 px does with a cell: `a` is the name, `b` the figure at the right, `all` takes a line, `x` is left
 * out. Others follow with their word before them. Those of the list of swaps are named by what they are: `cs` state,
 * `ci` id, `ct` age, `cp` paid in, `cq` paid out, `cv` value, `cw` provider.
 */
export type Place = "a" | "b" | "x" | "all" | "ci" | "cs" | "ct" | "cp" | "cp cq" | "cv" | "cw"

/** How a column is written: numbers are aligned by their last digit; a place of a card; both. */
export type ColumnKind = "number" | Place | `number ${Place}`

/**
 * A column of a table: its label, what it shows of a row, a dash where that is nothing, and its kind. Where no column is
 * `a`, the first is. `word` stands before the value in a card; without it the label does, and nothing where it is empty.
 */
export type Column<Row> = readonly [
  label: string,
  cell: (row: Row, index: number) => Value,
  kind?: ColumnKind | undefined,
  word?: string,
]

/** The columns of a kind of rows, in their order. */
export type Columns<Row> = ReadonlyArray<Column<Row>>

/** The label as it stands before a value, in small letters unless it is an abbreviation: `paid out`, `USD`. */
const wordOf = (label: string): string => label.replace(/^[A-Z](?=[a-z ])/, (first) => first.toLowerCase())

interface Cell {
  readonly look: string
  /** What stands before the value in a card. */
  readonly word: string
}

const cellOf = <Row,>([label, , kind, word = wordOf(label)]: Column<Row>, isName: boolean): Cell => {
  const place = isName ? "a" : kind?.replace(/^number ?/, "") ?? ""
  const look = [kind?.startsWith("number") === true ? "r" : "", place].filter((name) => name !== "").join(" ")
  return { look, word: place === "" ? word : "" }
}

/** What a card leaves out: a dash, a zero, none. */
const isNothing = (value: Value): boolean =>
  value === undefined || value === 0 || value === "0" || value === "none"

const plainCell: Cell = { look: "", word: "" }

/**
 * A table with its caption, which is also the name of the area that can be scrolled; `empty` says what will stand here
 * and what makes it appear. `totals` are those of the columns, the word of the row first. On a narrow screen its rows
 * are cards, but those of `figures`, which are numbers after the first column. A row whose `group` is another one than
 * that of the row before stands below its name.
 */
export const table = <Row,>(
  { caption, columns, rows, empty, totals, look, group = () => "" }: {
    readonly caption: string
    readonly columns: Columns<Row>
    readonly rows: ReadonlyArray<Row>
    readonly empty: Html | string
    readonly totals?: ReadonlyArray<Value>
    readonly look?: "swaps" | "figures"
    readonly group?: (row: Row) => string
  },
): Html => {
  if (rows.length === 0) return <div class="empty">{empty}</div>
  const hasName = columns.some(([, , kind]) => kind === "a" || kind?.startsWith("c"))
  const cells = columns.map((column, index) =>
    look === "figures" ? plainCell : cellOf(column, !hasName && index === 0)
  )
  const head = columns.map(([label], index) => (
    <th scope="col" class={/^r\b/.test(cells[index]?.look ?? "") && "r"}>{label}</th>
  ))
  const cellAt = (value: Value, index: number): Html => {
    const { look, word } = cells[index] ?? plainCell
    const names = word !== "" && isNothing(value) ? `${look} x`.trim() : look
    return <td class={names !== "" && names} data-l={word !== "" && word}>{value ?? "–"}</td>
  }
  const cellsOf = (row: Row, at: number) => columns.map(([, show], index) => cellAt(show(row, at), index))
  const rowOf = (row: Row, index: number): Html => {
    const name = group(row)
    const before = rows[index - 1]
    return (
      <>
        {name !== "" && (before === undefined || group(before) !== name) && (
          <tr class="group">
            <th scope="rowgroup" colspan={`${columns.length}`}>{name}</th>
          </tr>
        )}
        <tr>{cellsOf(row, index)}</tr>
      </>
    )
  }
  const total = (value: Value, index: number): Html =>
    index === 0 ? <th scope="row" class="a">{value}</th> : cellAt(value ?? "", index)
  const name = look === "figures" ? look : look === undefined ? "cards" : `cards ${look}`
  return (
    <div class="scroll" role="region" aria-label={caption} tabindex="0">
      <table class={name}>
        <caption class="un">{caption}</caption>
        <thead>
          <tr>{head}</tr>
        </thead>
        <tbody>{rows.map(rowOf)}</tbody>
        {totals !== undefined && (
          <tfoot>
            <tr>{totals.map(total)}</tr>
          </tfoot>
        )}
      </table>
    </div>
  )
}
