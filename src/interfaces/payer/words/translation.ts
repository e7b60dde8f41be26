import { Record } from "effect"
import type { NamesIn } from "#domain/money/Money.ts"
import { type Phrase, type Phrases, phrasesOver } from "#application/guidance/words/sentences.ts"
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

/** A translation, in the form of its JSON file: a phase is a list of lines, and a phrase that depends on a fact leaves out `by`. */
export interface Translation {
  readonly page?: Partial<Words["page"]>
  readonly phrases?: Partial<Words["phrases"]>
  readonly phases?: Readonly<Record<string, ReadonlyArray<string>>>
  readonly warnings?: Partial<Words["warnings"]>
}

/** The words of a language, and those that `guidance` shares, over the English ones, which are used wherever a word is missing. */
export const wordsOf = (
  { page, phases = {}, phrases, warnings }: Translation,
  shared: Phrases = {},
): Words => ({
  page: { ...english.page, ...page },
  phrases: phrasesOver(english.phrases, { ...shared, ...phrases }),
  phases: { ...english.phases, ...Record.map(phases, (lines) => lines.join("\n")) },
  warnings: { ...english.warnings, ...warnings },
})
