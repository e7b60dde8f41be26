import type { DepositPhase } from "../../domain/Guidance.ts"
import { askHere, capital, goesOn, late, latePayment, payOnce, type Row } from "../told.ts"

const soLate = (text: string): string => text.replace("that comes now", "that comes so late")

const goesOnAlone = [`${goesOn} ${payOnce}`]

/** The texts from the first sight of a deposit until it is credited. */
export const depositWords = {
  deposit_unnoticed: {
    integrator: ({ deposit, depositTransaction, provider }) => ({
      text: `${capital(deposit)} was seen${depositTransaction}, but ${provider} has not taken it up yet.`,
      whatYouCanDo: [
        "Wait for some minutes: this mostly resolves itself.",
        "If it does not: ask the operator to have the provider look for the deposit again.",
      ],
    }),
    payer: ({ payment }) => ({
      state: "payment seen",
      text: `${capital(payment)} was seen, but is not taken up yet.`,
      whatYouCanDo: [
        `Wait for some minutes: this mostly resolves itself. ${payOnce}`,
        `If it does not: ${askHere}`,
      ],
    }),
  },
  deposit_seen: {
    integrator: ({ confirmed, deposit, depositTransaction, sourceChain }) => ({
      text: `${
        capital(deposit)
      } was seen on ${sourceChain}${depositTransaction}, and gathers confirmations: ${confirmed}.`,
      whatYouCanDo: [goesOn],
    }),
    payer: ({ confirmed, payment, sourceChain }) => ({
      state: "payment seen",
      text: `${capital(payment)} was seen on ${sourceChain}, and gathers confirmations: ${confirmed}.`,
      whatYouCanDo: goesOnAlone,
    }),
  },
  deposit_late: {
    integrator: ({ confirmed, deposit, depositTransaction, sourceChain }) => ({
      text: `${
        capital(deposit)
      } was seen on ${sourceChain}${depositTransaction}, but is confirmed more slowly than usual: ${confirmed}.`,
      whatYouCanDo: [
        `Look the transaction up in an explorer of ${sourceChain}: it may pay too low a fee, or have been replaced.`,
        "If your wallet can raise the fee of the transaction, do so. Do not send a second deposit.",
      ],
    }),
    payer: ({ confirmed, payment, sourceChain }) => ({
      state: "delayed",
      text: `${
        capital(payment)
      } was seen on ${sourceChain}, but is confirmed more slowly than usual: ${confirmed}.`,
      whatYouCanDo: [
        `Look your transaction up in an explorer of ${sourceChain}: it may pay too low a fee, or have been replaced.`,
        `If your wallet can raise the fee of the transaction, do so. ${payOnce}`,
      ],
    }),
  },
  deposit_incomplete: {
    integrator: ({ deposit, expected, expiry, refundAddress, takesRest }) => ({
      text:
        `${
          capital(deposit)
        } was seen, which is less than the ${expected} that this swap was opened for. So little may not ` +
        "be swapped as it is.",
      whatYouCanDo: takesRest
        ? [
          `Send what is missing to the same address before ${expiry}.`,
          `Or wait: what is not swapped goes back to ${refundAddress} after the expiry.`,
        ]
        : [`Wait, and send nothing more: what is not swapped goes back to ${refundAddress}.`],
    }),
    payer: ({ expected, expiry, missing, payment, takesRest }) => ({
      state: "payment seen",
      text: `${
        capital(payment)
      } was seen, which is less than the ${expected} that were agreed. So little may not be swapped as it is.`,
      whatYouCanDo: takesRest
        ? [
          `Send ${missing}, once, to the address that you paid to. It has to be in a block before ${expiry}.`,
          "Or wait: what is not swapped goes back to the refund address.",
        ]
        : ["Wait, and send nothing more: what is not swapped goes back to the refund address."],
    }),
  },
  deposit_confirmed: {
    integrator: ({ deposit, depositTransaction, provider }) => ({
      text: `${
        capital(deposit)
      } has all its confirmations${depositTransaction}, and is about to be credited by ${provider}.`,
      whatYouCanDo: [goesOn],
    }),
    payer: ({ payment }) => ({
      state: "payment seen",
      text: `${capital(payment)} has all its confirmations, and is about to be swapped.`,
      whatYouCanDo: goesOnAlone,
    }),
  },
  deposit_waits_for_network: {
    integrator: ({ deposit, depositTransaction, provider, source }) => ({
      text:
        `${
          capital(deposit)
        } was seen${depositTransaction}, but ${provider} credits no deposits of ${source} at present. ` +
        "It waits until the network goes on.",
      whatYouCanDo: [
        "Wait. Do not send a second deposit: the first one is taken up once the network goes on.",
      ],
    }),
    payer: ({ payment, source }) => ({
      state: "delayed",
      text: `${
        capital(payment)
      } was seen, but payments of ${source} are not taken up at present. It waits until they are.`,
      whatYouCanDo: [`Wait: it goes on by itself then. ${payOnce}`],
    }),
  },
  late_deposit_seen: {
    integrator: ({ deposit, depositTransaction, expiry, lateDeposit }) => ({
      text: `${capital(deposit)} was seen${depositTransaction} after the channel had expired (${expiry}). ${
        soLate(late[lateDeposit])
      }`,
      whatYouCanDo: ["Wait. For another swap open a new channel: do not send to this address again."],
    }),
    payer: ({ another, expiry, lateDeposit, payment }) => ({
      state: "payment seen",
      text: `${
        capital(payment)
      } was seen, but only after ${expiry}, when the address had stopped taking any. ${
        soLate(latePayment[lateDeposit])
      }`,
      whatYouCanDo: ["Wait: what becomes of it shows here.", another],
    }),
  },
  boost_pending: {
    integrator: ({ deposit, depositTransaction, provider }) => ({
      text:
        `${capital(deposit)} was seen${depositTransaction}. ${
          capital(provider)
        } may credit it ahead of its confirmations, ` +
        "as a boost was asked for.",
      whatYouCanDo: [goesOn],
    }),
    payer: ({ payment }) => ({
      state: "payment seen",
      text: `${capital(payment)} was seen, and may be swapped ahead of its confirmations.`,
      whatYouCanDo: goesOnAlone,
    }),
  },
  boost_skipped: {
    integrator: ({ confirmed, deposit }) => ({
      text:
        `${
          capital(deposit)
        } was not boosted, as nobody lent it within the fee that was asked for. It is swapped once it ` +
        `is confirmed: ${confirmed}. No boost fee is charged.`,
      whatYouCanDo: [goesOn],
    }),
    payer: ({ confirmed, payment }) => ({
      state: "payment seen",
      text: `${capital(payment)} was seen, and is swapped once it is confirmed: ${confirmed}.`,
      whatYouCanDo: goesOnAlone,
    }),
  },
} as const satisfies Readonly<Record<DepositPhase, Row>>
