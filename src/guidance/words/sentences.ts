import type { LateDeposit } from "../../domain/Channel.ts"

/*
 * A text is data: sentences in which `{name}` stands for a part that the record tells, or for a phrase of several
 * sentences, and `{Name}` for the same with a capital. A name that its reader is not told of does not compile. Parts are
 * put in as they are, so that nothing in them is read as a name.
 */

/** What sentences can tell: parts of text by their names, and the facts that phrases depend on. */
export type Parts = Readonly<Record<string, string | boolean>>

/** The names of the parts that are text. */
type TextOf<Told> = { [Name in keyof Told]: string extends Told[Name] ? Name : never }[keyof Told]

/** A phrase for each of what a fact can be: `{ by: "isSeen", true: "…", false: "…" }`. */
type Choice<Told> = {
  [Name in keyof Told]: Told[Name] extends boolean | LateDeposit
    ? { readonly by: Name } & Readonly<Record<`${Told[Name]}`, string>>
    : never
}[keyof Told]

type Phrase = string | Readonly<Record<string, string>>

/** The names that a sentence has in it. */
type NamesIn<Sentence> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Uncapitalize<Name> | NamesIn<Rest>
  : never

/** The sentence, where it names nothing but these; else what nothing is, which says what it may not name. */
type Fitting<Sentence, Name> = NamesIn<Sentence> extends Name ? Sentence
  : { readonly unknownName: Exclude<NamesIn<Sentence>, Name> }

/** The same for each sentence of a list, or of a choice. */
type FittingEach<Sentences, Name> = Sentences extends string ? Fitting<Sentences, Name>
  : { readonly [At in keyof Sentences]: At extends "by" ? Sentences[At] : Fitting<Sentences[At], Name> }

/** A table of phrases for a reader who is told this. Phrases may name each other. */
export const phrasesOf =
  <Told extends Parts>() =>
  <const Table extends Readonly<Record<string, string | Choice<Told>>>>(
    table: Table & { readonly [Name in keyof Table]: FittingEach<Table[Name], TextOf<Told> | keyof Table> },
  ): Table => table

/** The text, where it names nothing but what this reader is told, and this reader's phrases. */
export type TextFor<Text, Told, Phrases> = Fitting<Text, TextOf<Told> | keyof Phrases>

/** Begins a sentence. */
const capital = (sentence: string): string => `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`

/** The sentence with what its names stand for. */
export const written = (
  sentence: string,
  told: Parts,
  phrases: Readonly<Record<string, Phrase>>,
): string => {
  const standsFor = (name: string): string => {
    const phrase = phrases[name]
    if (phrase === undefined) return `${told[name]}`
    const chosen = typeof phrase === "string" ? phrase : phrase[`${told[phrase.by ?? ""]}`]
    return written(chosen ?? "", told, phrases)
  }
  return sentence.replaceAll(/\{(\w)(\w*)\}/g, (_, first: string, rest: string) => {
    const small = first.toLowerCase()
    const text = standsFor(`${small}${rest}`)
    return first === small ? text : capital(text)
  })
}
