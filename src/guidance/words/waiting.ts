import type { WaitingPhase } from "../../domain/Guidance.ts"
import { askHere, capital, late, latePayment, newAddress, type PayerTold, type Row } from "../told.ts"

const checkDeposit =
  "If a deposit was sent: compare its chain, asset, amount and address with those here, in an explorer of its chain."

/** Until when to pay, and what else to mind, stands beside the address. */
const toPay = ({ sourceChain }: PayerTold): ReadonlyArray<string> => [
  'Before you pay, compare the addresses under "Where the money goes" with your own: nobody can change them afterwards.',
  `Pay once. If you have paid: wait. If nothing shows here for long, look your transaction up in an explorer of ${sourceChain}: network, asset, amount and address must be those below. If they are not, or nothing changes: ${askHere}`,
]

/** The texts while a swap waits for its deposit. */
export const waitingWords = {
  waiting_for_deposit: {
    integrator: ({ depositAddress, expiry, toSend }) => ({
      text: `The swap waits for its deposit: ${toSend} to ${depositAddress}, before ${expiry}.`,
      whatYouCanDo: [
        `Send ${toSend} to ${depositAddress}. It has to be in a block before ${expiry}: do not send it shortly before.`,
        checkDeposit,
      ],
    }),
    payer: (told) => ({
      state: "waiting for the payment",
      text:
        "Send the payment as it stands below. This page tells when it is seen: that takes as long as its chain does.",
      whatYouCanDo: toPay(told),
    }),
  },
  waiting_for_exact_deposit: {
    integrator: ({ depositAddress, exactAmount, expiry }) => ({
      text: `The swap waits for exactly ${exactAmount} at ${depositAddress}, before ${expiry}. ` +
        "Another amount does not count, and is lost.",
      whatYouCanDo: [
        `Send exactly ${exactAmount} to ${depositAddress}, to the last digit, without taking the fee of your wallet off it.`,
        checkDeposit,
      ],
    }),
    payer: (told) => ({
      state: "waiting for the payment",
      text:
        `Send exactly ${told.exactAmount}, to the last digit, as it stands below: another amount does not count, and is lost.`,
      whatYouCanDo: toPay(told),
    }),
  },
  waiting_for_deposit_with_memo: {
    integrator: ({ depositAddress, expiry, memo, toSend }) => ({
      text:
        `The swap waits for its deposit: ${toSend} to ${depositAddress} with the memo ${memo}, before ${expiry}. ` +
        "Without this memo the money is lost.",
      whatYouCanDo: [
        `Send ${toSend} to ${depositAddress}, and enter ${memo} as the memo, letter by letter. Do not send from a wallet or exchange that takes no memo.`,
        "If it was sent without the memo: the provider alone can tell whose it is. Ask it with the transaction.",
      ],
    }),
    payer: (told) => ({
      state: "waiting for the payment",
      text: "Send the payment as it stands below, with its memo: without the memo the money is lost.",
      whatYouCanDo: [...toPay(told), `If you have paid without the memo: ${askHere}`],
    }),
  },
  channel_closing: {
    integrator: ({ expiry, lateDeposit, provider }) => ({
      text:
        `The channel expires at ${expiry}, too soon for another deposit. A deposit sent now may come too late.`,
      whatYouCanDo: [
        "Do not send now: open a new swap.",
        `If it was already sent: wait. ${late[lateDeposit]} That is what ${provider} does with late ones.`,
      ],
    }),
    payer: ({ expiry }) => ({
      state: "do not pay",
      text:
        `It is too late to pay: the address takes payments until ${expiry} only, and one sent now may not be in a block by then.`,
      whatYouCanDo: [
        `Do not pay any more: ${newAddress}`,
        "If you have paid: wait. The payment shows here once it is seen.",
      ],
    }),
  },
  channel_expired: {
    integrator: ({ expiry, lateDeposit, sourceChain }) => ({
      text:
        `The channel expired at ${expiry}, and no deposit to it was seen. Do not send to its address any more. ` +
        late[lateDeposit],
      whatYouCanDo: [
        "Open a new swap for a new address.",
        `If a deposit was sent: look its transaction up on ${sourceChain}. A deposit that was in a block before the expiry still shows here.`,
      ],
    }),
    payer: ({ expiry, lateDeposit, sourceChain }) => ({
      state: "expired",
      text:
        `No payment was seen by ${expiry}, when the address stopped taking any. Do not send anything to it any more. ${
          latePayment[lateDeposit]
        }`,
      whatYouCanDo: [
        capital(newAddress),
        `If you have paid: look your transaction up in an explorer of ${sourceChain}. One that was in a block in time still shows here. Otherwise ${askHere}`,
      ],
    }),
  },
  provider_switched_off: {
    integrator: ({ provider }) => ({
      text: `The operator has taken ${provider} out of service for new swaps. No deposit has been seen.`,
      whatYouCanDo: [
        "Do not send for now: open a swap with another provider, or wait until this one is back.",
        "If it was already sent: it is followed all the same, and shows here.",
      ],
    }),
    payer: () => ({
      state: "do not pay",
      text: "Payments to this address are stopped for now. None has been seen.",
      whatYouCanDo: [
        `Do not pay until this page asks for the payment again. If you cannot wait: ${newAddress}`,
        "If you have paid: wait. The payment is followed all the same, and shows here.",
      ],
    }),
  },
  network_halted: {
    integrator: ({ provider, source }) => ({
      text: `${capital(provider)} takes no deposits of ${source} at present. No deposit has been seen.`,
      whatYouCanDo: [
        "Do not send for now: it may be held until the network goes on. Open a swap with another provider, or wait.",
        "If it was already sent: it is taken up once the network goes on, and shows here.",
      ],
    }),
    payer: ({ source }) => ({
      state: "do not pay",
      text: `Payments of ${source} are not taken at present. None has been seen.`,
      whatYouCanDo: [
        `Do not pay until this page asks for the payment again: it could be held until then. If you cannot wait: ${newAddress}`,
        "If you have paid: wait. The payment is taken up once they are taken again, and shows here.",
      ],
    }),
  },
} as const satisfies Readonly<Record<WaitingPhase, Row>>
