import type { RecordlessPhase, TroublePhase } from "../../domain/Guidance.ts"
import {
  askHere,
  capital,
  type PayerState,
  type PayerTold,
  payOnce,
  type Row,
  type Wording,
} from "../told.ts"

const askOperator = "If it stays so: write to the operator, with the case file of this swap."
const again = "Do not send a second deposit."

const lookBelow = "If there is a transaction below, look it up in an explorer of its chain."

/** What can be done while nothing is heard of a swap. */
const unheard = ({ isSeen }: PayerTold): string =>
  isSeen
    ? `${payOnce} Your payment goes on all the same, and shows here once something is heard of it.`
    : "Do not pay for now. If you have paid, your payment goes on all the same, and shows here once something is heard of it."

/** A payment that was seen is under way, whatever is not known of it. */
const heldUp = ({ isSeen }: PayerTold): PayerState => isSeen ? "delayed" : "do not pay"

/** The texts of swaps that do not go on, or of which nothing new is known. */
export const troubleWords = {
  deposit_stalled: {
    integrator: ({ deposit, depositTransaction, provider, sourceChain }) => ({
      text: `${
        capital(deposit)
      } was seen${depositTransaction}, but ${provider} has not credited it for far longer than that may take.`,
      whatYouCanDo: [
        `Look the transaction up in an explorer of ${sourceChain}: it may pay too low a fee, or have been replaced.`,
        `${again} ${askOperator}`,
      ],
    }),
    payer: ({ payment, sourceChain }) => ({
      state: "delayed",
      text: `${capital(payment)} was seen, but is not taken up for far longer than that may take.`,
      whatYouCanDo: [
        `Look your transaction up in an explorer of ${sourceChain}: it may pay too low a fee, or have been replaced.`,
        `${payOnce} ${capital(askHere)}`,
      ],
    }),
  },
  swap_stalled: {
    integrator: ({ deposit, destination, provider }) => ({
      text: `${
        capital(deposit)
      } was credited, but ${provider} has been swapping it to ${destination} for far longer than that may take.`,
      whatYouCanDo: [`${again} ${askOperator}`],
    }),
    payer: ({ destination, payment }) => ({
      state: "delayed",
      text: `${
        capital(payment)
      } has arrived, but is being swapped to ${destination} for far longer than that may take.`,
      whatYouCanDo: [`${payOnce} ${capital(askHere)}`],
    }),
  },
  payout_stalled: {
    integrator: ({ destinationAddress, payout, payoutTransaction, provider }) => ({
      text:
        `The swap is done, but the payment of ${payout} to ${destinationAddress}${payoutTransaction} takes ${provider} far ` +
        "longer than it may.",
      whatYouCanDo: ["If there is a transaction, look it up in an explorer of its chain.", askOperator],
    }),
    payer: ({ payout }) => ({
      state: "delayed",
      text:
        `The swap is done, but sending ${payout} to the destination address takes far longer than it may.`,
      whatYouCanDo: [lookBelow, capital(askHere)],
    }),
  },
  refund_stalled: {
    integrator: ({ provider, refund, refundAddress, refundTransaction }) => ({
      text:
        `The deposit was not swapped, and sending ${refund} back to ${refundAddress}${refundTransaction} takes ${provider} far ` +
        "longer than it may.",
      whatYouCanDo: ["If there is a transaction, look it up in an explorer of its chain.", askOperator],
    }),
    payer: ({ refund }) => ({
      state: "delayed",
      text:
        `Your payment was not swapped, and sending ${refund} back to the refund address takes far longer than it may.`,
      whatYouCanDo: [lookBelow, capital(askHere)],
    }),
  },
  provider_contradicts: {
    integrator: ({ provider }) => ({
      text:
        `What ${provider} says of this swap contradicts itself, or what was opened. It is not believed: shown is the last ` +
        "status that could be true.",
      whatYouCanDo: [
        "Do not send anything for now: the address and terms here are those that the swap was opened with, but the provider may act on others.",
        askOperator,
      ],
    }),
    payer: (told) => ({
      state: heldUp(told),
      text:
        "What is reported of this swap contradicts itself, or what was agreed. It is not believed: shown is the last that could be true.",
      whatYouCanDo: ["Do not send anything for now.", `If you have paid: ${askHere}`],
    }),
  },
  provider_not_followed: {
    integrator: ({ provider }) => ({
      text:
        `The service does not ask ${provider} about open swaps at present. Shown is what was known before.`,
      whatYouCanDo: [
        `${again} A swap that is under way goes on with the provider all the same, and shows here once it is asked again.`,
      ],
    }),
    payer: (told) => ({
      state: heldUp(told),
      text: "This swap is not looked up at present. Shown is what was known before.",
      whatYouCanDo: [unheard(told)],
    }),
  },
  provider_silent: {
    integrator: ({ provider }) => ({
      text:
        `${
          capital(provider)
        } does not say anything of this swap at present, though it is asked again and again. Shown is ` +
        "what was known before.",
      whatYouCanDo: [
        `${again} A swap that is under way goes on with the provider all the same.`,
        askOperator,
      ],
    }),
    payer: (told) => ({
      state: heldUp(told),
      text:
        "Nothing is heard of this swap at present, though it is looked up again and again. Shown is what was known before.",
      whatYouCanDo: [unheard(told), `If it stays so: ${askHere}`],
    }),
  },
} as const satisfies Readonly<Record<TroublePhase, Row>>

/** The texts of phases without a swap on record. No payer reads them: there is no page of what is not there. */
export const recordlessWords = {
  opening_requested: ({ provider }) => ({
    text: `${capital(provider)} is being asked for a deposit channel.`,
    whatYouCanDo: ["Wait some seconds. Nothing can be sent yet: there is no address so far."],
  }),
  opening_unknown: ({ provider }) => ({
    text:
      `Whether ${provider} has opened a channel is not known: its answer was lost. No address was handed out.`,
    whatYouCanDo: [
      "Repeat the request with the same Idempotency-Key: it is looked up, and no second channel is opened unless there is provably none.",
      "Without such a key, open a new swap: money cannot be lost in a channel whose address nobody has.",
    ],
  }),
  opening_refused: ({ provider }) => ({
    text: `${capital(provider)} has refused to open a channel. There is no address, and nothing can be sent.`,
    whatYouCanDo: [
      "Correct what the answer to the request named, or ask for quotes again and open another swap.",
    ],
  }),
  transaction_unknown: () => ({
    text: "No swap with this transaction is known yet. A transaction is found some blocks after it was sent.",
    whatYouCanDo: [
      "Wait for a few blocks of its chain, and ask again.",
      "If it stays unknown: compare address, amount and data of the transaction with the payload or the channel that it was made for, in an explorer of its chain.",
    ],
  }),
  stalled: ({ provider }) => ({
    text: `The swap stayed in its state longer than that may last with ${provider}.`,
    whatYouCanDo: [askOperator],
  }),
} as const satisfies Readonly<Record<RecordlessPhase, Wording>>
