import type { TextValues } from "../textValues.ts"
import { linesOf, phrasesOf, type TextFor, written } from "./sentences.ts"

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
