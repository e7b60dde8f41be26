/** What a spreadsheet takes for the beginning of a formula, spaces before it and full-width forms included. */
const beginsFormula = /^[\s\u00a0\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/

/** What cannot stand in a cell without quotes (RFC 4180). */
const needsQuotes = /[",\r\n]|^\s|\s$/

/** Text from elsewhere must never be run: with an apostrophe before it, a spreadsheet takes it for text. */
const harmless = (text: string): string => beginsFormula.test(text) ? `'${text}` : text

const cell = (text: string): string => {
  const shown = harmless(text)
  return needsQuotes.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown
}

/** A line of CSV as RFC 4180 writes it, its end included; a value that is absent is an empty cell. */
export const csvLine = (values: ReadonlyArray<string | number | undefined>): string =>
  `${values.map((value) => value === undefined ? "" : cell(`${value}`)).join(",")}\r\n`
