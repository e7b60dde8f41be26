import { displayWidth } from "effect/cli/CliOutput"

/** The columns of a terminal that every table fits. */
const mostColumns = 100

const gap = "  "

/** The longest word that is shown whole. An id of ours is shorter; an address or a hash is longer. */
const longestWord = 20

/** How far words are shortened where the table does not fit otherwise. */
const shortestWord = 12

/** Figures, which are never shortened: a part of one would be another amount. */
const figure = /^[(+-]*[0-9][0-9.,)]*$/

/** The characters of a text, of which each is as wide as the terminal shows it. */
const clippedTo = (characters: ReadonlyArray<string>, width: number): string => {
  let taken = ""
  for (const character of characters) {
    if (displayWidth(taken + character) > width) break
    taken += character
  }
  return taken
}

/** A word with its middle left out, so that both ends can be compared. */
const shortened = (word: string, width: number): string => {
  if (figure.test(word) || displayWidth(word) <= width) return word
  const characters = [...word]
  const before = clippedTo(characters, Math.ceil((width - 1) / 2))
  const after = clippedTo(characters.toReversed(), Math.floor((width - 1) / 2))
  return `${before}…${[...after].toReversed().join("")}`
}

/** The lines of a text: broken between words, with words that are too wide shortened. */
export const linesOf = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of text.split(" ")) {
    const shown = shortened(word, width)
    const last = lines.at(-1)
    if (last !== undefined && displayWidth(`${last} ${shown}`) <= width) {
      lines[lines.length - 1] = `${last} ${shown}`
    } else lines.push(shown)
  }
  return lines
}

/** The least width of a cell, with words of at most so many characters and whole figures. */
const leastWidth = (text: string, most: number): number =>
  Math.max(
    ...text.split(" ").map((word) => figure.test(word) ? word.length : Math.min(displayWidth(word), most)),
  )

/** The ways to make a table narrower, in order. The first column names its row, and is shortened last. */
const narrowings = [
  { longest: mostColumns, from: 1 },
  { longest: longestWord, from: 1 },
  { longest: shortestWord, from: 1 },
  { longest: shortestWord, from: 0 },
]

/** The widths of columns: as wide as their cells, or where they do not fit, with the widest made narrower. */
const widthsOf = (columns: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<number> => {
  const widths = columns.map((cells) => Math.min(mostColumns, Math.max(...cells.map(displayWidth))))
  const space = mostColumns - gap.length * (columns.length - 1)
  for (const { from, longest } of narrowings) {
    const least = columns.map((cells) => Math.max(...cells.map((cell) => leastWidth(cell, longest))))
    while (widths.reduce((total, width) => total + width, 0) > space) {
      const wide = widths.map((width, column) => column >= from && width > (least[column] ?? 0) ? width : 0)
      const widest = Math.max(...wide)
      if (widest === 0) break
      widths[wide.indexOf(widest)] = widest - 1
    }
  }
  return widths
}

const padded = (text: string, width: number): string =>
  text + " ".repeat(Math.max(0, width - displayWidth(text)))

/** Lays rows of cells out below their headings and a line, in as many lines as the widest cells need. */
export const laidOut = (
  headings: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
): string => {
  const widths = widthsOf(
    headings.map((heading, column) => [heading, ...rows.map((row) => row[column] ?? "")]),
  )
  const linesOfRow = (cells: ReadonlyArray<string>): ReadonlyArray<string> => {
    const lines = cells.map((cell, column) => linesOf(cell, widths[column] ?? 0))
    return Array.from(
      { length: Math.max(...lines.map(({ length }) => length)) },
      (_, index) =>
        widths.map((width, column) => padded(lines[column]?.[index] ?? "", width)).join(gap).trimEnd(),
    )
  }
  return [
    ...linesOfRow(headings),
    widths.map((width) => "-".repeat(width)).join(gap),
    ...rows.flatMap(linesOfRow),
  ].join("\n")
}
