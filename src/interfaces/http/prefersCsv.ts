/** A media range of an `Accept`, with its quality from 0 to 1. */
interface Range {
  readonly type: string
  readonly quality: number
}

const weight = /^q=(?:(0(?:\.\d{0,3})?)|(1(?:\.0{0,3})?))$/i

const readRange = (text: string): Range => {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim())
  const given = parameters.find((parameter) => /^q=/i.test(parameter))
  const [, below, one] = weight.exec(given ?? "q=1") ?? []
  return { type: type.toLowerCase(), quality: Number(below ?? one ?? 0) }
}

/** The quality of a media type, by the most exact range that covers it (RFC 9110 12.5.1). */
const wanted = (ranges: ReadonlyArray<Range>, [main, sub]: readonly [main: string, sub: string]): number => {
  for (const type of [`${main}/${sub}`, `${main}/*`, "*/*"]) {
    const range = ranges.find((range) => range.type === type)
    if (range !== undefined) return range.quality
  }
  return 0
}

/** The most media ranges that are read of an `Accept`: no client has nearly so many. */
const mostRanges = 100

/** Whether an `Accept` prefers a kind of text to JSON. JSON is the default. */
const prefers = (sub: string) => (accept: string | undefined): boolean => {
  if (accept === undefined) return false
  const ranges = accept.split(",", mostRanges).map(readRange)
  return wanted(ranges, ["text", sub]) > wanted(ranges, ["application", "json"])
}

export const prefersCsv = prefers("csv")
export const prefersHtml = prefers("html")
