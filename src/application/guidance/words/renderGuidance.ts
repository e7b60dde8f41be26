import { factsOf } from "#domain/chains/Asset.ts"
import { grouped } from "#domain/figures.ts"
import { type Language, notations, usualLanguage } from "#domain/Language.ts"
import { formatUnits } from "#domain/money/Amount.ts"
import type { Money } from "#domain/money/Money.ts"
import { strangersWarning } from "#domain/operations/Contact.ts"
import type { GuidancePhase, SwapPhase } from "#domain/swaps/Guidance.ts"
import { type Figure, type Moment, type Reader, type Subject, textValues } from "../textValues.ts"
import { depositWords } from "./deposit.ts"
import { endedWords } from "./ended.ts"
import german from "./german.json" with { type: "json" }
import { movingWords } from "./moving.ts"
import { operatorWords } from "./operator.ts"
import { operatorPhrases, phrases } from "./phrases.ts"
import { casesOf, linesOf, namesOf, type Parts, type Phrases, phrasesOver, piecesOf } from "./sentences.ts"
import spanish from "./spanish.json" with { type: "json" }
import { recordlessWords, troubleWords } from "./trouble.ts"

/** The table of texts of swaps in English, for integrators. A phase without a text does not compile. */
export const words: Readonly<Record<SwapPhase, string>> = {
  ...depositWords,
  ...movingWords,
  ...endedWords,
  ...troubleWords,
}

const english: Readonly<Record<GuidancePhase, string>> = { ...words, ...recordlessWords }

/** A translation, in the form of its JSON file: a phase is a list of lines, and a phrase that depends on a fact leaves out `by`. */
export interface Translation {
  /** What whoever asks for help is warned of. */
  readonly strangers?: string
  /** Phrases that the payer's page has, too. */
  readonly shared?: Phrases
  readonly phrases?: Phrases
  readonly phases?: Readonly<Record<string, ReadonlyArray<string>>>
}

/** The translations, each of which may lack words. */
export const translations = { de: german, es: spanish } satisfies Partial<Record<Language, Translation>>

/** The words for a reader. A phase without a text of its own is told in English. */
interface Words {
  readonly language: Language
  readonly strangers: string
  readonly phrases: Phrases
  readonly texts: Readonly<Record<string, string>>
}

/** The words of a translation. A text that names a phrase which is missing is left out: no sentence is in two languages. */
export const wordsIn = (
  language: Language,
  { phases = {}, phrases: own, shared, strangers = strangersWarning }: Translation,
): Words => {
  const [known, given]: [Phrases, Phrases] = [phrases, { ...shared, ...own }]
  const isWhole = (text: string | undefined): boolean =>
    text !== undefined &&
    namesOf(text).every((name) =>
      !(name in known) || Object.keys(casesOf(known[name])).every((key) => isWhole(casesOf(given[name])[key]))
    )
  const texts = Object.entries(phases).filter(([, lines]) => lines.every(isWhole))
    .map(([phase, lines]) => [phase, lines.join("\n")])
  return { language, strangers, phrases: phrasesOver(known, given), texts: Object.fromEntries(texts) }
}

const inEnglish = { language: usualLanguage, strangers: strangersWarning, phrases, texts: english }

const wordsOf: Readonly<Record<Reader, Words>> = {
  en: inEnglish,
  de: wordsIn("de", translations.de),
  es: wordsIn("es", translations.es),
  operator: { ...inEnglish, phrases: operatorPhrases, texts: { ...english, ...operatorWords } },
}

/** `16,180.25`: every digit. Only English has something between thousands, which the others would read as decimals. */
const figureText = (decimal: string, language: Language): string =>
  language === usualLanguage ? grouped(decimal) : decimal.replace(".", notations[language].point)

/** `2026-07-29 14:04 UTC`; rounded down, so no deadline is shown too late. */
const timeText = ({ at }: Moment, language: Language): string =>
  language === usualLanguage
    ? `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`
    : `${notations[language].dates.format(at)} UTC`

const pieceText = (piece: string | Money | Moment | Figure, language: Language): string => {
  if (typeof piece === "string") return piece
  if ("at" in piece) return timeText(piece, language)
  if ("decimal" in piece) return figureText(piece.decimal, language)
  return `${figureText(formatUnits(piece.asset, piece.native), language)} ${factsOf(piece.asset).ticker}`
}

/** The texts of a phase. */
export interface PhaseText {
  readonly text: string
  readonly whatYouCanDo: ReadonlyArray<string>
}

/** The text of a phase about a swap, in words for a reader. A line of which nothing is left is left out. */
export const renderGuidance = (
  phase: GuidancePhase,
  subject: Subject,
  reader: Reader,
  own: Words = wordsOf[reader],
): PhaseText => {
  const values: Parts<Money | Moment | Figure> = textValues(subject, reader)
  const { language, phrases, texts } = phase in own.texts ? own : inEnglish
  const [text = "", ...whatYouCanDo] = linesOf(texts[phase] ?? english[phase]).map((line) =>
    piecesOf(line, values, phrases).map((piece) => pieceText(piece, language)).join("").trim()
  )
  return { text, whatYouCanDo: whatYouCanDo.filter((line) => line !== "") }
}

/** What a reader who asks for help is warned of. */
export const strangersText = (reader: Reader): string => wordsOf[reader].strangers
