import type { FailedPhase } from "../../domain/Guidance.ts"
import { askHere, capital, type PayerTold, type PayerWords, payOnce, type Row, type Told } from "../told.ts"

const askProvider = (provider: string): string =>
  `Ask ${provider}, with the case file of this swap. If a refund follows it shows here by itself.`

/** The texts of an end in which the money is nowhere that the payer named. */
const unpaid = (text: string): PayerWords => ({
  state: "failed",
  text,
  whatYouCanDo: [`${capital(askHere)} If money goes back it shows here by itself.`, payOnce],
})

/** The beginning of a text about a refund that failed: what became of the rest of the deposit. */
const swappedPart = (
  { destinationAddress, isPaidOut, payout, payoutTransaction }: Told,
): string =>
  isPaidOut
    ? `A part of the deposit was swapped: ${payout} was paid to ${destinationAddress}${payoutTransaction}. The rest was not,`
    : "The deposit was not swapped,"

const swappedPartOfPayment = ({ isPaidOut, payout }: PayerTold): string =>
  isPaidOut
    ? `A part of your payment was swapped: ${payout} was paid to the destination address. The rest was not,`
    : "Your payment was not swapped,"

/** The end of a text about a payout that failed: what became of the part that was not swapped. */
const returnedPart = ({ isPaidBack, refund, refundAddress, refundTransaction }: Told): string =>
  isPaidBack ? ` The rest, ${refund}, went back to ${refundAddress}${refundTransaction}.` : ""

const returnedPartOfPayment = ({ isPaidBack, refund }: PayerTold): string =>
  isPaidBack ? ` The rest, ${refund}, went back to the refund address.` : ""

/** The texts of the ends in which something failed. */
export const failedWords = {
  deposit_too_small: {
    integrator: ({ deposit, provider, refundAddress }) => ({
      text: `${
        capital(deposit)
      } was ignored: it is below the smallest amount that ${provider} swaps. It does not go back to ${refundAddress}.`,
      whatYouCanDo: [
        `Money that is below the minimum is kept by the network. ${askProvider(provider)}`,
        "Open a new swap for at least the `minimumDeposit` of its answer. Sending more to this address does not help: deposits are not added up.",
      ],
    }),
    payer: ({ payment }) => ({
      state: "failed",
      text: `${
        capital(payment)
      } was ignored: it is below the smallest amount that is swapped. It does not go back to the refund address.`,
      whatYouCanDo: ["Do not send more: payments are not added up.", capital(askHere)],
    }),
  },
  deposit_below_fees: {
    integrator: ({ deposit, provider }) => ({
      text: `${
        capital(deposit)
      } was taken, but does not cover the fees of ${provider}'s network. Nothing is paid out or back.`,
      whatYouCanDo: ["Open a new swap for a larger amount.", askProvider(provider)],
    }),
    payer: ({ payment }) =>
      unpaid(
        `${
          capital(payment)
        } was taken, but does not cover the fees of the network. Nothing is paid out or back.`,
      ),
  },
  deposit_ignored: {
    integrator: ({ another, deposit, provider }) => ({
      text: `${capital(deposit)} was ignored by ${provider}, and was not swapped.`,
      whatYouCanDo: [askProvider(provider), another],
    }),
    payer: ({ payment }) =>
      unpaid(
        `${capital(payment)} was ignored, and was not swapped.`,
      ),
  },
  deposit_rejected: {
    integrator: ({ another, deposit, provider, refundAddress }) => ({
      text: `${
        capital(deposit)
      } was not swapped: ${provider} has given up, and nothing is known to have gone back to ${refundAddress}.`,
      whatYouCanDo: [askProvider(provider), another],
    }),
    payer: ({ payment }) =>
      unpaid(
        `${capital(payment)} was not swapped, and nothing is known to have gone back to the refund address.`,
      ),
  },
  deposit_rejected_refunded: {
    integrator: ({ another, deposit, provider, refund, refundAddress, refundTransaction }) => ({
      text: `${capital(deposit)} was rejected by ${provider}. ${
        capital(refund)
      } went back to ${refundAddress}${refundTransaction}.`,
      whatYouCanDo: [
        "Send from another wallet, if you swap again: the sender of a deposit is the usual reason.",
        another,
      ],
    }),
    payer: ({ another, payment, refund }) => ({
      state: "refunded",
      text: `${capital(payment)} was rejected. ${capital(refund)} went back to the refund address.`,
      whatYouCanDo: [
        "For another try pay from another wallet: the sender of a payment is the usual reason.",
        another,
      ],
    }),
  },
  deposit_under_review: {
    integrator: ({ deposit, provider }) => ({
      text: `${
        capital(deposit)
      } is held by ${provider}: it has flagged an address of the swap, and reviews it.`,
      whatYouCanDo: [askProvider(provider)],
    }),
    payer: ({ payment }) =>
      unpaid(
        `${capital(payment)} is held: an address of the swap was flagged, and is being reviewed.`,
      ),
  },
  refund_unproven: {
    integrator: ({ provider, refundAddress, refundTransaction }) => ({
      text: `The deposit was not swapped. ${
        capital(provider)
      } says that it went back${refundTransaction}, but not how much of it.`,
      whatYouCanDo: [
        `See in an explorer of the chain what arrived at ${refundAddress}.`,
        askProvider(provider),
      ],
    }),
    payer: () => ({
      state: "failed",
      text:
        `Your payment was not swapped. It is said to have gone back to the refund address, but not how much of it.`,
      whatYouCanDo: [
        "See in your wallet, or in an explorer of its chain, what arrived at the refund address.",
        `If it is too little: ${askHere}`,
      ],
    }),
  },
  refund_too_small: {
    integrator: (told) => ({
      text: `${
        swappedPart(told)
      } and what is left of it after the fees is too little to be sent back to ${told.refundAddress}.`,
      whatYouCanDo: [askProvider(told.provider), told.another],
    }),
    payer: (told) =>
      unpaid(
        `${
          swappedPartOfPayment(told)
        } and what is left of it after the fees is too little to be sent back to the refund address.`,
      ),
  },
  refund_failed: {
    integrator: (told) => ({
      text: `${swappedPart(told)} and sending ${told.refund} back to ${told.refundAddress} failed. ${
        capital(told.provider)
      } holds the money.`,
      whatYouCanDo: [askProvider(told.provider)],
    }),
    payer: (told) =>
      unpaid(
        `${swappedPartOfPayment(told)} and sending ${told.refund} back to the refund address failed.`,
      ),
  },
  payout_too_small: {
    integrator: (told) => ({
      text:
        `The deposit was swapped, but ${told.payout} is too little to be sent to ${told.destinationAddress}: the network keeps it.${
          returnedPart(told)
        }`,
      whatYouCanDo: ["Swap a larger amount.", askProvider(told.provider)],
    }),
    payer: (told) =>
      unpaid(
        `Your payment was swapped, but ${told.payout} is too little to be sent to the destination address: the network keeps it.${
          returnedPartOfPayment(told)
        }`,
      ),
  },
  payout_failed: {
    integrator: (told) => ({
      text:
        `The deposit was swapped, but the payment of ${told.payout} to ${told.destinationAddress} failed. ${
          capital(told.provider)
        } holds the money.${returnedPart(told)}`,
      whatYouCanDo: [askProvider(told.provider)],
    }),
    payer: (told) =>
      unpaid(
        `Your payment was swapped, but sending ${told.payout} to the destination address failed.${
          returnedPartOfPayment(told)
        }`,
      ),
  },
  payout_callable: {
    integrator: ({ destinationAddress, payout, provider }) => ({
      text:
        `The deposit was swapped, but the payment of ${payout} to ${destinationAddress} was signed and not sent.`,
      whatYouCanDo: [
        "Anybody can send it: the call is in `swapEgress.transactionPayload`. It pays the destination address, whoever sends it.",
        askProvider(provider),
      ],
    }),
    payer: ({ payout }) => ({
      state: "failed",
      text:
        `Your payment was swapped, but sending ${payout} to the destination address was prepared and not carried out.`,
      whatYouCanDo: [`It can still be sent: ${askHere}`, payOnce],
    }),
  },
  fallback_paid: {
    integrator: ({ another, fallback, fallbackTransaction }) => ({
      text: `The payment of the output could not be sent as planned. ${
        capital(fallback)
      } was paid another way${fallbackTransaction}.`,
      whatYouCanDo: ["Where it went is in `fallbackEgress.destinationAddress`.", another],
    }),
    payer: ({ another, fallback }) => ({
      state: "done",
      text: `The money could not be sent to the destination address as planned. ${
        capital(fallback)
      } was paid another way.`,
      whatYouCanDo: ["Its transaction below says where it went.", `If it is not yours: ${askHere}`, another],
    }),
  },
  fallback_failed: {
    integrator: ({ fallback, provider }) => ({
      text: `The payment of ${fallback} could not be sent, neither as planned nor another way. ${
        capital(provider)
      } holds the money.`,
      whatYouCanDo: [askProvider(provider)],
    }),
    payer: ({ fallback }) =>
      unpaid(
        `${capital(fallback)} could not be sent, neither as planned nor another way.`,
      ),
  },
  failed_unexplained: {
    integrator: ({ provider }) => ({
      text: `${capital(provider)} has given the swap up, and does not say why.`,
      whatYouCanDo: [askProvider(provider)],
    }),
    payer: () =>
      unpaid(
        "The swap has failed, and the reason is not known.",
      ),
  },
} as const satisfies Readonly<Record<FailedPhase, Row>>
