import type { TextValues } from "../textValues.ts"
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

/*
 * The voice for who made the swap with an API key, and for the operator. Who pays has another one, in each language of the
 * payer's page (`interfaces/payer/words`).
 */

const phrases = phrasesOf<TextValues>()({
  goesOn: "Nothing has to be done: it goes on by itself.",
  sendOnce: "Do not send a second deposit.",
  checkDeposit:
    "If a deposit was sent: compare its chain, asset, amount and address with those here, in an explorer of its chain.",
  lookUp: "If there is a transaction, look it up in an explorer of its chain.",
  lookDeposit:
    "Look the transaction up in an explorer of {sourceChain}: it may pay too low a fee, or have been replaced.",
  askProvider:
    "Ask {provider}, with the case file of this swap. If a refund follows it shows here by itself.",
  askOperator: "If it stays so: write to the operator, with the case file of this swap.",
  limit:
    "Nothing has to be done. Below the price limit of {minimumPrice} nothing is swapped: what is left then goes back to {refundAddress}.",
  late: {
    by: "lateDeposit",
    swapped: "A deposit that comes now is still swapped.",
    refunded: "A deposit that comes now goes back to the refund address.",
    lost: "A deposit that comes now is lost.",
    untold: "The provider does not say what becomes of a deposit that comes now: it may be lost.",
  },
  soLate: {
    by: "lateDeposit",
    swapped: "A deposit that comes so late is still swapped.",
    refunded: "A deposit that comes so late goes back to the refund address.",
    lost: "A deposit that comes so late is lost.",
    untold: "The provider does not say what becomes of a deposit that comes so late: it may be lost.",
  },
  sendRest: {
    by: "takesRest",
    true: "Send what is missing to the same address before {expiry}.",
    false: "Wait, and send nothing more: what is not swapped goes back to {refundAddress}.",
  },
  orWait: {
    by: "takesRest",
    true: "Or wait: what is not swapped goes back to {refundAddress} after the expiry.",
    false: "",
  },
  /** The beginning of a text about a refund that failed: what became of the rest of the deposit. */
  swappedPart: {
    by: "isPaidOut",
    true:
      "A part of the deposit was swapped: {payout} was paid to {destinationAddress}{payoutTransaction}. The rest was not,",
    false: "The deposit was not swapped,",
  },
  /** What went back of a deposit that the provider has given up. */
  givenBack: {
    by: "isRefundKnown",
    true: "{Refund} went back to {refundAddress}{refundTransaction}; nothing is known of the rest.",
    false: "Nothing is known to have gone back to {refundAddress}.",
  },
  /** The end of a text about a payout that failed: what became of the part that was not swapped. */
  returnedPart: {
    by: "isPaidBack",
    true: " The rest, {refund}, went back to {refundAddress}{refundTransaction}.",
    false: "",
  },
})

/** A part of the table of texts: one for each phase. The first line says where the swap stands, the others what can be done. */
export const rows = <const Table extends Readonly<Record<string, string>>>(
  table: Table & { readonly [Phase in keyof Table]: TextFor<Table[Phase], TextValues, typeof phrases> },
): Table => table

/** The texts of a phase. */
export interface Words {
  readonly text: string
  readonly whatYouCanDo: ReadonlyArray<string>
}

/** The text with what is told put in. A line of which nothing is left is left out. */
export const renderGuidance = (lines: string, told: TextValues): Words => {
  const [text = "", ...whatYouCanDo] = linesOf(lines).map((line) => written(line, told, phrases))
  return { text, whatYouCanDo: whatYouCanDo.filter((line) => line !== "") }
}
