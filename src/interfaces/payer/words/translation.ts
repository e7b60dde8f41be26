import type { NamesIn } from "#domain/money/Money.ts"
import type { Phrase } from "#application/guidance/words/renderGuidance.ts"
import { warningWords } from "#domain/swaps/payment/warningWords.ts"
import { phases, phrases } from "./english/guidance.ts"
import { page } from "./english/page.ts"

/** All words of the payer's page in English, which those of other languages follow. */
export const english = { page, phrases, phases, warnings: warningWords } as const
type English = typeof english

/** The words of the page itself. */
export type PageKey = keyof English["page"]

/** The names that a word of the page has in it. */
export type NamesOf<Key extends PageKey> = NamesIn<English["page"][Key]>

/** All words of the payer's page in a language. */
export interface Words {
  readonly page: Readonly<Record<PageKey, string>>
  readonly phrases: Readonly<Record<keyof English["phrases"], Phrase>>
  readonly phases: Readonly<Record<keyof English["phases"], string>>
  readonly warnings: Readonly<Record<keyof English["warnings"], string>>
}

/** Some of the words of a language. */
type SomeWords = { readonly [Part in keyof Words]?: Partial<Words[Part]> }

/** A text that names all that the English one names, and nothing else; otherwise what no text is, and says which. */
type SameNames<Text, First> = [NamesIn<Text>] extends [NamesIn<First>]
  ? [NamesIn<First>] extends [NamesIn<Text>] ? Text
  : { readonly missingName: Exclude<NamesIn<First>, NamesIn<Text>> }
  : { readonly unknownName: Exclude<NamesIn<Text>, NamesIn<First>> }

/** The words, where each has the key of an English one and names the same. */
type Following<Table, First> = {
  readonly [Key in keyof Table]: Key extends keyof First
    ? Table[Key] extends string ? SameNames<Table[Key], First[Key]> : Following<Table[Key], First[Key]>
    : { readonly unknownKey: Key }
}

const phraseOver = (first: Phrase, phrase: Phrase): Phrase =>
  typeof first === "string" || typeof phrase === "string" ? phrase : { ...first, ...phrase }

const phrasesOver = (given: SomeWords["phrases"] = {}): Words["phrases"] => {
  const known: Readonly<Record<string, Phrase>> = phrases
  const merged = Object.entries(given).map(([name, phrase]) =>
    [name, phraseOver(known[name] ?? phrase, phrase)] as const
  )
  return { ...phrases, ...Object.fromEntries(merged) }
}

/** Makes a part of the words of a language, which may lack some; one that does not fit the English ones does not compile. */
const partOf =
  <Part extends keyof Words>() =>
  <const Table extends Partial<Words[Part]>>(table: Table & Following<Table, English[Part]>): Table => table

/** Words of the page. As in the others, a key that there is not, or another name than in English, does not compile. */
export const pageIn = partOf<"page">()
export const warningsIn = partOf<"warnings">()
export const phasesIn = partOf<"phases">()
/** Phrases; those that depend on a fact leave out `by`. */
export const phrasesIn = partOf<"phrases">()

/** The words of a language over the English ones, which stand wherever a word is missing. */
export const wordsOf = ({ page, phases, phrases, warnings }: SomeWords): Words => ({
  page: { ...english.page, ...page },
  phrases: phrasesOver(phrases),
  phases: { ...english.phases, ...phases },
  warnings: { ...english.warnings, ...warnings },
})
