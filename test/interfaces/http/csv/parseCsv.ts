const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y

/** Reads CSV strictly as RFC 4180 writes it: lines of cells, each line ended by CRLF. */
export const parseCsv = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const lines: Array<Array<string>> = []
  let line: Array<string> = []
  cell.lastIndex = 0
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex
    const found = cell.exec(text)
    if (found === null) throw new Error(`Not CSV from ${at}: ${text.slice(at, at + 80)}`)
    const [, quoted, plain = "", end] = found
    line.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === ",") continue
    lines.push(line)
    line = []
  }
  return lines
}

/** Its lines by the names of the columns in the first one. */
export const parseRows = (text: string): ReadonlyArray<Readonly<Record<string, string>>> => {
  const [head = [], ...lines] = parseCsv(text)
  return lines.map((line) => {
    if (line.length !== head.length) throw new Error(`A line of ${line.length} cells: ${line.join(" | ")}`)
    return Object.fromEntries(head.map((name, column) => [name, line[column] ?? ""]))
  })
}
