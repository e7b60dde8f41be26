import { Language, type Notation, notations } from "#domain/Language.ts"
import { translations } from "#application/guidance/words/renderGuidance.ts"
import german from "./german.json" with { type: "json" }
import spanish from "./spanish.json" with { type: "json" }
import { english, type Words, wordsOf } from "./translation.ts"

/** A language that the page can be read in. */
export interface PageLanguage extends Notation {
  readonly tag: Language
  readonly words: Words
}

/** The page in each language. The JSON file of another one is beside this. */
export const languageOf: Readonly<Record<Language, PageLanguage>> = {
  en: { tag: "en", ...notations.en, words: english },
  de: { tag: "de", ...notations.de, words: wordsOf(german, translations.de.shared) },
  es: { tag: "es", ...notations.es, words: wordsOf(spanish, translations.es.shared) },
}

export const languages: ReadonlyArray<PageLanguage> = Language.literals.map((tag) => languageOf[tag])
