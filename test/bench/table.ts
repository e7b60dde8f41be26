/** Cells of a line, the first of which names it. */
export type Row = readonly [string, ...ReadonlyArray<string>]

/** Columns as wide as they have to be; the first row is the head and has all of them. */
export const table = (rows: ReadonlyArray<Row>): string => {
  const [head = [""]] = rows
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map(([name, ...cells]) =>
    [
      name.padEnd(widths[0] ?? 0),
      ...cells.map((cell, column) => cell.padStart(widths[column + 1] ?? 0)),
    ].join("  ").trimEnd()
  ).join("\n")
}
