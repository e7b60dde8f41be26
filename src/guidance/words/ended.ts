import type { EndPhase } from "../../domain/Guidance.ts"
import { capital, type Row } from "../told.ts"

/** The texts of the ends. */
export const endedWords = {
  completed: {
    integrator: ({ another, destinationAddress, payout, payoutTransaction }) => ({
      text: `Done: ${payout} was paid to ${destinationAddress}${payoutTransaction}.`,
      whatYouCanDo: [another],
    }),
    payer: ({ another, payout }) => ({
      state: "done",
      text: `Done: ${payout} was paid to the destination address.`,
      whatYouCanDo: [another],
    }),
  },
  completed_promised: {
    integrator: ({ another, destinationAddress, payout, payoutTransaction, provider }) => ({
      text:
        `Done: the output was paid to ${destinationAddress}${payoutTransaction}. ${
          capital(provider)
        } does not say how much: ` +
        `${payout} was promised, and less may have arrived, down to the price limit.`,
      whatYouCanDo: ["See what arrived in an explorer of the chain.", another],
    }),
    payer: ({ another, payout }) => ({
      state: "done",
      text:
        `Done: the money was paid to the destination address. How much arrived is not told: ${payout} was promised, and it may be less, down to the agreed price limit.`,
      whatYouCanDo: ["See in your wallet, or in an explorer of its chain, what arrived.", another],
    }),
  },
  refunded: {
    integrator: ({ another, refund, refundAddress, refundTransaction }) => ({
      text: `The deposit was not swapped. ${
        capital(refund)
      } went back to ${refundAddress}${refundTransaction}.`,
      whatYouCanDo: ["To try again, ask for a new quote and open a new swap.", another],
    }),
    payer: ({ another, refund }) => ({
      state: "refunded",
      text: `Your payment was not swapped. ${capital(refund)} went back to the refund address.`,
      whatYouCanDo: [another],
    }),
  },
  refunded_for_price: {
    integrator: ({ another, minimumPrice, refund, refundAddress, refundTransaction }) => ({
      text:
        `The deposit was not swapped, because the market stayed below the price limit of ${minimumPrice}. ${
          capital(refund)
        } went back to ${refundAddress}${refundTransaction}.`,
      whatYouCanDo: [
        "To try again, ask for a new quote, and allow more slippage tolerance or a longer retry duration.",
        another,
      ],
    }),
    payer: ({ another, refund }) => ({
      state: "refunded",
      text: `Your payment was not swapped, because the market stayed below the agreed price limit. ${
        capital(refund)
      } went back to the refund address.`,
      whatYouCanDo: [another],
    }),
  },
  refunded_partly: {
    integrator: (
      {
        another,
        destinationAddress,
        payout,
        payoutTransaction,
        progress,
        refund,
        refundAddress,
        refundTransaction,
      },
    ) => ({
      text:
        `Only a part was swapped (${progress.swapped}): ${payout} was paid to ${destinationAddress}${payoutTransaction}. ` +
        `The rest, ${refund}, went back to ${refundAddress}${refundTransaction}.`,
      whatYouCanDo: ["To swap the rest, ask for a new quote and open a new swap.", another],
    }),
    payer: ({ another, payout, progress, refund }) => ({
      state: "done",
      text:
        `Only a part was swapped (${progress.swapped}): ${payout} was paid to the destination address. The rest, ${refund}, went back to the refund address.`,
      whatYouCanDo: [another],
    }),
  },
  late_deposit_refunded: {
    integrator: ({ another, expiry, refund, refundAddress, refundTransaction }) => ({
      text:
        `The deposit came after the channel had expired (${expiry}), and was not swapped. ${
          capital(refund)
        } went back to ` +
        `${refundAddress}${refundTransaction}.`,
      whatYouCanDo: ["To try again, open a new swap and send soon after.", another],
    }),
    payer: ({ another, expiry, refund }) => ({
      state: "refunded",
      text:
        `Your payment came after ${expiry}, when the address had stopped taking any, and was not swapped. ${
          capital(refund)
        } went back to the refund address.`,
      whatYouCanDo: ["For another try pay soon after you got the new address.", another],
    }),
  },
} as const satisfies Readonly<Record<EndPhase, Row>>
