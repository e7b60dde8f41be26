import type { NamesIn } from "#domain/money/Money.ts"

/*
 * A text is data: sentences in which `{name}` stands for a part that the record tells, or for a phrase of several
 * sentences, and `{Name}` for the same with a capital. A name that its reader is not told of does not compile. Parts are
 * put in as they are, so that nothing in them is read as a name.
 */

/** What sentences can tell: parts by their names, and the facts that phrases depend on. */
export type Parts<Part = never> = Readonly<Record<string, string | boolean | Part>>

/** Whether a fact has a few values, each of which can have a phrase. */
type IsFact<Value> = Value extends boolean ? true
  : Value extends string ? string extends Value ? false : true
  : false

/** The names of the parts that can stand in a sentence. */
type PartOf<Told> = { [Name in keyof Told]: IsFact<Told[Name]> extends false ? Name : never }[keyof Told]

/** A phrase for each of what a fact can be: `{ by: "isSeen", true: "…", false: "…" }`. */
type Choice<Told> = {
  [Name in keyof Told]: Told[Name] extends string | boolean ? IsFact<Told[Name]> extends false ? never
    : { readonly by: Name } & Readonly<Record<`${Told[Name]}`, string>>
    : never
}[keyof Told]

/** A phrase, or one for each of what a fact can be. */
export type Phrase = string | Readonly<Record<string, string>>

/** The sentence, where it names nothing but these; else what nothing is, which says what it may not name. */
type Fitting<Sentence, Name> = NamesIn<Sentence> extends Name ? Sentence
  : { readonly unknownName: Exclude<NamesIn<Sentence>, Name> }

/** The same for each sentence of a list, or of a choice. */
type FittingEach<Sentences, Name> = Sentences extends string ? Fitting<Sentences, Name>
  : { readonly [At in keyof Sentences]: At extends "by" ? Sentences[At] : Fitting<Sentences[At], Name> }

/** A table of phrases for a reader who is told this. Phrases may name each other. */
export const phrasesOf = <Told>() =>
<const Table extends Readonly<Record<string, string | Choice<Told>>>>(
  table: Table & { readonly [Name in keyof Table]: FittingEach<Table[Name], PartOf<Told> | keyof Table> },
): Table => table

/** The text, where it names nothing but what this reader is told, and this reader's phrases. */
export type TextFor<Text, Told, Phrases> = Fitting<Text, PartOf<Told> | keyof Phrases>

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** The texts and the parts that a sentence is made of, in their order. */
export const piecesOf = <Part extends object = never>(
  sentence: string,
  told: Parts<Part>,
  phrases: Readonly<Record<string, Phrase>>,
): ReadonlyArray<string | Part> => {
  const standsFor = (name: string): ReadonlyArray<string | Part> => {
    const phrase = phrases[name]
    if (phrase === undefined) {
      const part = told[name]
      return [typeof part === "object" ? part : `${part}`]
    }
    const chosen = typeof phrase === "string" ? phrase : phrase[`${told[phrase.by ?? ""]}`]
    return piecesOf(chosen ?? "", told, phrases)
  }
  return sentence.split(/\{(\w+)\}/).flatMap((text, index) => {
    if (index % 2 === 0) return text === "" ? [] : [text]
    const name = `${text.charAt(0).toLowerCase()}${text.slice(1)}`
    const pieces = standsFor(name)
    const [first, ...others] = pieces
    return name !== text && typeof first === "string" ? [capital(first), ...others] : pieces
  })
}

/** The sentence with what its names stand for, where all of that is text. */
export const written = (
  sentence: string,
  told: Parts,
  phrases: Readonly<Record<string, Phrase>>,
): string => piecesOf(sentence, told, phrases).join("")

/** The sentences of a text, each a line of it: where the swap stands, then what can be done. */
export const linesOf = (text: string): ReadonlyArray<string> => text.split(/\n */)
