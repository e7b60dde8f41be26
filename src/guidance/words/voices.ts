import type { PayerState, PayerTold, Told } from "../told.ts"
import { phrasesOf, type TextFor, written } from "./sentences.ts"

/*
 * Two voices: one for who made the swap with an API key, and for the operator; one for who pays, and has nothing but the
 * page: no key, no account and no provider.
 */

const goesOn = "Nothing has to be done: it goes on by itself."

const integratorPhrases = phrasesOf<Told>()({
  goesOn,
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
  /** The end of a text about a payout that failed: what became of the part that was not swapped. */
  returnedPart: {
    by: "isPaidBack",
    true: " The rest, {refund}, went back to {refundAddress}{refundTransaction}.",
    false: "",
  },
})

const payerPhrases = phrasesOf<PayerTold>()({
  goesOn,
  payOnce: "Do not pay again.",
  /** In small letters, as it can stand after a colon. */
  askHere: "ask where you got this page, and name the transaction of your payment.",
  moneyBack: "{AskHere} If money goes back it shows here by itself.",
  newAddress: "ask for a new address where you got this page.",
  compareAddresses:
    'Before you pay, compare the addresses under "Where the money goes" with your own: nobody can change them afterwards.',
  payAndWait:
    "Pay once. If you have paid: wait. If nothing shows here for long, look your transaction up in an explorer of {sourceChain}: network, asset, amount and address must be those below. If they are not, or nothing changes: {askHere}",
  lookUp: "If there is a transaction below, look it up in an explorer of its chain.",
  lookPayment:
    "Look your transaction up in an explorer of {sourceChain}: it may pay too low a fee, or have been replaced.",
  unlessPrice: "What cannot be swapped at the agreed price goes back to the refund address.",
  late: {
    by: "lateDeposit",
    swapped: "A payment that comes now is still swapped.",
    refunded: "A payment that comes now goes back to the refund address.",
    lost: "A payment that comes now is lost.",
    untold: "A payment that comes now may be lost.",
  },
  soLate: {
    by: "lateDeposit",
    swapped: "A payment that comes so late is still swapped.",
    refunded: "A payment that comes so late goes back to the refund address.",
    lost: "A payment that comes so late is lost.",
    untold: "A payment that comes so late may be lost.",
  },
  sendRest: {
    by: "takesRest",
    true: "Send {missing}, once, to the address that you paid to. It has to be in a block before {expiry}.",
    false: "Wait, and send nothing more: what is not swapped goes back to the refund address.",
  },
  orWait: {
    by: "takesRest",
    true: "Or wait: what is not swapped goes back to the refund address.",
    false: "",
  },
  swappedPart: {
    by: "isPaidOut",
    true:
      "A part of your payment was swapped: {payout} was paid to the destination address. The rest was not,",
    false: "Your payment was not swapped,",
  },
  returnedPart: {
    by: "isPaidBack",
    true: " The rest, {refund}, went back to the refund address.",
    false: "",
  },
  /** What can be done while nothing is heard of a swap. */
  unheard: {
    by: "isSeen",
    true: "{payOnce} Your payment goes on all the same, and shows here once something is heard of it.",
    false:
      "Do not pay for now. If you have paid, your payment goes on all the same, and shows here once something is heard of it.",
  },
})

/**
 * A row of the table of texts: the same phase in the voice for each reader. The first line says where the swap stands,
 * the others what can be done.
 */
export interface Row {
  readonly integrator: string
  readonly payer: string
  /** How far the swap is; two where it is not known whether the payment was seen. */
  readonly state: PayerState | { readonly seen: PayerState; readonly unseen: PayerState }
}

type IntegratorText<Text> = TextFor<Text, Told, typeof integratorPhrases>
type PayerText<Text> = TextFor<Text, PayerTold, typeof payerPhrases>

/** A part of the table of texts. What a reader is not told of cannot be named in that reader's text. */
export const rows = <const Table extends Readonly<Record<string, Row>>>(
  table:
    & Table
    & {
      readonly [Phase in keyof Table]: {
        readonly integrator: IntegratorText<Table[Phase]["integrator"]>
        readonly payer: PayerText<Table[Phase]["payer"]>
      }
    },
): Table => table

/** Texts that no payer reads. */
export const integratorRows = <const Table extends Readonly<Record<string, string>>>(
  table: Table & { readonly [Phase in keyof Table]: IntegratorText<Table[Phase]> },
): Table => table

/** The texts of a phase. */
export interface Words {
  readonly text: string
  readonly whatYouCanDo: ReadonlyArray<string>
}

/** The texts of a phase for who pays. */
export interface PayerWords extends Words {
  readonly state: PayerState
}

/** The texts of the lines, written one by one. One of which nothing is left is left out. */
const wordsOf = (lines: string, write: (line: string) => string): Words => {
  const [text = "", ...whatYouCanDo] = lines.split(/\n */).map(write)
  return { text, whatYouCanDo: whatYouCanDo.filter((line) => line !== "") }
}

/** The texts for the integrator and the operator. */
export const tellIntegrator = (text: string, told: Told): Words =>
  wordsOf(text, (line) => written(line, told, integratorPhrases))

/** The texts for who pays. */
export const tellPayer = ({ payer, state }: Row, told: PayerTold): PayerWords => ({
  state: typeof state === "string" ? state : told.isSeen ? state.seen : state.unseen,
  ...wordsOf(payer, (line) => written(line, told, payerPhrases)),
})
