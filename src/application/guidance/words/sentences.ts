import type { NamesIn } from "#domain/money/Money.ts"

/*
 * A text is data: sentences in which `{name}` is replaced by a value of the record or by a phrase, and `{Name}` by the same
 * with a capital. A name that its reader has no value for does not compile. Values are put in unchanged, so nothing in them
 * is read as a name.
 */

/** The values of sentences by their names, those that can be absent among them, and the facts that phrases depend on. */
export type Parts<Part = never> = Readonly<Record<string, string | boolean | Part | undefined>>

/** Whether a fact has a few values, each of which can have a phrase. */
type IsFact<Value> = Value extends boolean ? true
  : Value extends string ? string extends Value ? false : true
  : false

/** The names of the parts that can stand in a sentence. */
type PartOf<Values> = {
  [Name in keyof Values]: IsFact<Values[Name]> extends false ? Name : never
}[keyof Values]

/** A phrase for each of what a fact can be, or of a value that can be absent: `{ by: "isSeen", true: "…", false: "…" }`. */
type Choice<Values> = {
  [Name in keyof Values]: undefined extends Values[Name]
    ? { readonly by: Name } & Readonly<Record<"true" | "false", string>>
    : Values[Name] extends string | boolean ? IsFact<Values[Name]> extends false ? never
      : { readonly by: Name } & Readonly<Record<`${Values[Name]}`, string>>
    : never
}[keyof Values]

/** A phrase, or one for each of what a fact can be. */
export type Phrase = string | Readonly<Record<string, string>>
export type Phrases = Readonly<Record<string, Phrase>>

/** The sentence, where it names only these; else a type that names the others. */
type Fitting<Sentence, Name> = NamesIn<Sentence> extends Name ? Sentence
  : { readonly unknownName: Exclude<NamesIn<Sentence>, Name> }

/** The same for each sentence of a list, or of a choice. */
type FittingEach<Sentences, Name> = Sentences extends string ? Fitting<Sentences, Name>
  : { readonly [At in keyof Sentences]: At extends "by" ? Sentences[At] : Fitting<Sentences[At], Name> }

/** A table of phrases for a reader with these values. Phrases may name each other. */
export const phrasesOf =
  <Values>() =>
  <const Table extends Readonly<Record<string, string | Choice<Values>>>>(
    table: Table & { readonly [Name in keyof Table]: FittingEach<Table[Name], PartOf<Values> | keyof Table> },
  ): Table => table

/** The text, where it names only values and phrases of its reader. */
export type TextFor<Text, Values, Phrases> = Fitting<Text, PartOf<Values> | keyof Phrases>

/** The sentence of a phrase for what its fact is. */
const chosen = (phrase: Phrase, values: Parts<object>): string => {
  if (typeof phrase === "string") return phrase
  const fact = values[phrase.by ?? ""]
  const key = phrase.true === undefined ? `${fact}` : `${fact !== undefined && fact !== false}`
  return phrase[key] ?? ""
}

const uncapital = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`
const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** The texts and the parts that a sentence is made of, in their order. */
export const piecesOf = <Part extends object = never>(
  sentence: string,
  values: Parts<Part>,
  phrases: Phrases,
): ReadonlyArray<string | Part> => {
  const valueOf = (name: string): ReadonlyArray<string | Part> => {
    const phrase = phrases[name]
    if (phrase === undefined) {
      const part = values[name]
      return [typeof part === "object" ? part : `${part}`]
    }
    return piecesOf(chosen(phrase, values), values, phrases)
  }
  return sentence.split(/\{(\w+)\}/).flatMap((text, index) => {
    if (index % 2 === 0) return text === "" ? [] : [text]
    const name = uncapital(text)
    const pieces = valueOf(name)
    const [first, ...others] = pieces
    return name !== text && typeof first === "string" ? [capital(first), ...others] : pieces
  })
}

/** The sentences of a phrase by what its fact can be; one where it is always the same, none where it is missing. */
export const casesOf = (phrase: Phrase = {}): Readonly<Record<string, string>> => {
  if (typeof phrase === "string") return { always: phrase }
  const { by: _, ...cases } = phrase
  return cases
}

/** The phrases of a translation, which leaves out the facts that they depend on, over the English ones. */
export const phrasesOver = <Name extends string>(
  known: Readonly<Record<Name, Phrase>>,
  given: Phrases,
): Readonly<Record<Name, Phrase>> => {
  const first: Phrases = known
  const over = Object.entries(given).map(([name, phrase]) => {
    const before = first[name]
    return [
      name,
      typeof before === "object" && typeof phrase === "object" ? { ...before, ...phrase } : phrase,
    ]
  })
  return { ...known, ...Object.fromEntries(over) }
}

/** The names in a sentence, of values and phrases, in small letters. */
export const namesOf = (sentence: string): ReadonlyArray<string> =>
  sentence.split(/\{(\w+)\}/).filter((_, index) => index % 2 === 1).map(uncapital)

/** The lines of a text: the status, then the advice. */
export const linesOf = (text: string): ReadonlyArray<string> => text.split(/\n */)
