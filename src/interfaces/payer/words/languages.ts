import { weightsOf } from "../../requests/compressible.ts"
import german from "./german.json" with { type: "json" }
import spanish from "./spanish.json" with { type: "json" }
import { english, type Words, wordsOf } from "./translation.ts"

/** A language that the page can be read in. */
export interface Language {
  /** Its name in BCP 47. */
  readonly tag: string
  /** Its name in itself. */
  readonly name: string
  /** What separates decimals. */
  readonly point: "." | ","
  /** Writes a time in UTC, to the minute. */
  readonly dates: Intl.DateTimeFormat
  readonly words: Words
}

const datesIn = (locale: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" })

const first: Language = {
  tag: "en",
  name: "English",
  point: ".",
  dates: datesIn("en-GB"),
  words: english,
}

/** Every language of the page. Another one is a JSON file beside this one, and its line here. */
export const languages: ReadonlyArray<Language> = [
  first,
  {
    tag: "de",
    name: "Deutsch",
    point: ",",
    dates: datesIn("de"),
    words: wordsOf(german),
  },
  {
    tag: "es",
    name: "Español",
    point: ",",
    dates: datesIn("es"),
    words: wordsOf(spanish),
  },
]

const languageOf = (tag: string): Language | undefined => languages.find((language) => language.tag === tag)

/** The part of a range before its first hyphen: a reader of `de-AT` reads `de` (RFC 4647 3.4). */
const primary = (range: string): string => range.split("-", 1)[0] ?? ""

/**
 * The language with the highest weight in an `Accept-Language`, the first named one among equals (RFC 9110 12.5.4).
 * English where none of ours is wanted. A language that was asked for by its name goes before.
 */
export const languageFor = (accepted: string | undefined, asked?: string): Language => {
  const wanted = asked === undefined ? undefined : languageOf(asked)
  if (wanted !== undefined) return wanted
  const weights = [...weightsOf(accepted ?? "")]
  const refused = weights.flatMap(([range, weight]) => weight === 0 ? [primary(range)] : [])
  for (const [range, weight] of weights.toSorted(([, one], [, other]) => other - one)) {
    if (weight === 0) break
    const found = range === "*"
      ? languages.find(({ tag }) => !refused.includes(tag))
      : languageOf(primary(range))
    if (found !== undefined) return found
  }
  return first
}
