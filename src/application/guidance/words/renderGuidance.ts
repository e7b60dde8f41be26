import type { TextValues } from "../textValues.ts"
import type { NamesIn } from "#domain/money/Money.ts"

/*
 * A text is data: sentences in which `{name}` is replaced by a value of the record or by a phrase, and `{Name}` by the same
 * with a capital. A name that its reader has no value for does not compile. Values are put in unchanged, so nothing in them
 * is read as a name.
 */

/** The values of sentences by their names, and the facts that phrases depend on. */
export type Parts<Part = never> = Readonly<Record<string, string | boolean | Part>>

/** Whether a fact has a few values, each of which can have a phrase. */
type IsFact<Value> = Value extends boolean ? true
  : Value extends string ? string extends Value ? false : true
  : false

/** The names of the parts that can stand in a sentence. */
type PartOf<Values> = {
  [Name in keyof Values]: IsFact<Values[Name]> extends false ? Name : never
}[keyof Values]

/** A phrase for each of what a fact can be: `{ by: "isSeen", true: "…", false: "…" }`. */
type Choice<Values> = {
  [Name in keyof Values]: Values[Name] extends string | boolean ? IsFact<Values[Name]> extends false ? never
    : { readonly by: Name } & Readonly<Record<`${Values[Name]}`, string>>
    : never
}[keyof Values]

/** A phrase, or one for each of what a fact can be. */
export type Phrase = string | Readonly<Record<string, string>>

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

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** The texts and the parts that a sentence is made of, in their order. */
export const piecesOf = <Part extends object = never>(
  sentence: string,
  values: Parts<Part>,
  phrases: Readonly<Record<string, Phrase>>,
): ReadonlyArray<string | Part> => {
  const valueOf = (name: string): ReadonlyArray<string | Part> => {
    const phrase = phrases[name]
    if (phrase === undefined) {
      const part = values[name]
      return [typeof part === "object" ? part : `${part}`]
    }
    const chosen = typeof phrase === "string" ? phrase : phrase[`${values[phrase.by ?? ""]}`]
    return piecesOf(chosen ?? "", values, phrases)
  }
  return sentence.split(/\{(\w+)\}/).flatMap((text, index) => {
    if (index % 2 === 0) return text === "" ? [] : [text]
    const name = `${text.charAt(0).toLowerCase()}${text.slice(1)}`
    const pieces = valueOf(name)
    const [first, ...others] = pieces
    return name !== text && typeof first === "string" ? [capital(first), ...others] : pieces
  })
}

/** The sentence with its values and phrases put in, where all are text. */
export const written = (
  sentence: string,
  values: Parts,
  phrases: Readonly<Record<string, Phrase>>,
): string => piecesOf(sentence, values, phrases).join("")

/** The lines of a text: the status, then the advice. */
export const linesOf = (text: string): ReadonlyArray<string> => text.split(/\n */)

/** Who reads: who made the swap with an API key, or who runs the service. Payers have texts of their own (`interfaces/payer/words`). */
export type Voice = "integrator" | "operator"

const phrases = phrasesOf<TextValues>()({
  noAction: "No action needed.",
  sendOnce: "Do not send a second deposit.",
  tryAgain: "To try again, request a new quote and open a new swap.",
  checkDeposit:
    "If a deposit was sent, compare its chain, asset, amount and address with these in an explorer of its chain.",
  lookUp: "If there is a transaction, look it up in an explorer of its chain.",
  lookDeposit:
    "Look up the transaction in an explorer of {sourceChain}. Its fee may be too low, or it was replaced.",
  raiseFee: "If your wallet can raise the fee of the transaction, do so.",
  askReindex: "If it lasts, ask the operator to have {provider} look for the deposit again.",
  askProvider: "Ask {provider} support and attach the case file. A later refund shows here.",
  askOperator: "If it lasts, write to the operator and attach the case file.",
  limit:
    "No action needed. Nothing is swapped below the minimum price of {minimumPrice}; the rest is then refunded to {refundAddress}.",
  late: {
    by: "lateDeposit",
    swapped: "A deposit that arrives now is still swapped.",
    refunded: "A deposit that arrives now is refunded.",
    lost: "A deposit that arrives after the expiry is lost.",
    untold: "It is unknown whether {provider} refunds a deposit that arrives now, so it may be lost.",
  },
  soLate: {
    by: "lateDeposit",
    swapped: "A late deposit is still swapped.",
    refunded: "A late deposit is refunded.",
    lost: "A late deposit is lost.",
    untold: "It is unknown whether {provider} refunds late deposits, so it may be lost.",
  },
  sendRest: {
    by: "takesRest",
    true: "Send the missing amount to the same address before {expiry}.",
    false: "Wait, and send nothing more. What is not swapped is refunded to {refundAddress}.",
  },
  orWait: {
    by: "takesRest",
    true: "Or wait. What is not swapped is refunded to {refundAddress} after the expiry.",
    false: "",
  },
  /** How the next swap begins: nothing is ever sent to an old address, or by an old payload. */
  another: {
    by: "hasChannel",
    true: "For another swap open a new channel. Do not send to the old address again.",
    false: "For another swap request a new payload. Do not send this transaction again.",
  },
  /** The beginning of a text about a refund that failed: the part of the deposit that was swapped. */
  swappedPart: {
    by: "isPaidOut",
    true:
      "Part of the deposit was swapped, and {payout} was paid to {destinationAddress}{payoutTransaction}. The rest was not.",
    false: "The deposit was not swapped.",
  },
  /** The refund of a deposit that the provider has given up. */
  givenBack: {
    by: "isRefundKnown",
    true: "{Refund} was refunded to {refundAddress}{refundTransaction}; the rest is unaccounted for.",
    false: "No refund to {refundAddress} is known. Amounts below the network fees are not refunded.",
  },
  /** The end of a text about a payout that failed: the part that was not swapped. */
  returnedPart: {
    by: "isPaidBack",
    true: " The rest, {refund}, was refunded to {refundAddress}{refundTransaction}.",
    false: "",
  },
})

/** What the operator reads in place of advice to whoever made or pays the swap. */
const phrasesOfVoice: Readonly<Record<Voice, Readonly<Record<string, Phrase>>>> = {
  integrator: phrases,
  operator: {
    ...phrases,
    sendOnce: "Tell the payer not to send a second deposit.",
    tryAgain: "No action needed.",
    raiseFee: "The payer's wallet may be able to raise the fee.",
    askReindex: "If it lasts, have {provider} look for the deposit again.",
    askOperator: "If it lasts, ask {provider} support and attach the case file.",
    another: "",
  },
}

/** A part of the table of texts: one for each phase. The first line is the status, the others are advice. */
export const rows = <const Table extends Readonly<Record<string, string>>>(
  table: Table & { readonly [Phase in keyof Table]: TextFor<Table[Phase], TextValues, typeof phrases> },
): Table => table

/** The texts of a phase. */
export interface Words {
  readonly text: string
  readonly whatYouCanDo: ReadonlyArray<string>
}

/** The text with its values put in. A line of which nothing is left is left out. */
export const renderGuidance = (lines: string, values: TextValues, voice: Voice = "integrator"): Words => {
  const [text = "", ...whatYouCanDo] = linesOf(lines).map((line) =>
    written(line, values, phrasesOfVoice[voice]).trim()
  )
  return { text, whatYouCanDo: whatYouCanDo.filter((line) => line !== "") }
}
