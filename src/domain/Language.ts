import { Schema } from "effect"

/** A language that swaps are explained in, by its name in BCP 47. English is the first: it is read where none is asked for. */
export const Language = Schema.Literals(["en", "de", "es"])
export type Language = typeof Language.Type

/** The language of whoever asks for none. */
export const usualLanguage: Language = "en"

const notation = (name: string, point: "." | ",", locale: string) => ({
  /** Its name in itself. */
  name,
  /** What separates decimals. */
  point,
  /** Writes a time in UTC, to the minute. */
  dates: new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" }),
})

/** What a language is called, and how it writes numbers and times. */
export type Notation = ReturnType<typeof notation>

export const notations: Readonly<Record<Language, Notation>> = {
  en: notation("English", ".", "en-GB"),
  de: notation("Deutsch", ",", "de"),
  es: notation("Español", ",", "es"),
}
