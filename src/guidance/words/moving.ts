import type { MovingPhase } from "../../domain/Guidance.ts"
import { capital, goesOn, type Row, type Told } from "../told.ts"

const limit = ({ minimumPrice, refundAddress }: Told): string =>
  `Nothing has to be done. Below the price limit of ${minimumPrice} nothing is swapped: what is left then goes back to ${refundAddress}.`

const unlessPrice = "What cannot be swapped at the agreed price goes back to the refund address."
const waitAndLook = "Wait. If there is a transaction below, look it up in an explorer of its chain."

/** The texts from crediting a deposit to the payments. */
export const movingWords = {
  swapping: {
    integrator: ({ deposit, destination }) => ({
      text: `${capital(deposit)} was credited, and is being swapped to ${destination}.`,
      whatYouCanDo: [goesOn],
    }),
    payer: ({ destination, payment }) => ({
      state: "swapping",
      text: `${capital(payment)} has arrived, and is being swapped to ${destination}.`,
      whatYouCanDo: [goesOn, unlessPrice],
    }),
  },
  swapping_boosted: {
    integrator: ({ deposit, destination }) => ({
      text: `${
        capital(deposit)
      } was boosted: it was credited ahead of its confirmations, and is being swapped to ${destination}.`,
      whatYouCanDo: [goesOn],
    }),
    payer: ({ destination, payment }) => ({
      state: "swapping",
      text: `${
        capital(payment)
      } was taken up ahead of its confirmations, and is being swapped to ${destination}.`,
      whatYouCanDo: [goesOn, unlessPrice],
    }),
  },
  swap_late: {
    integrator: ({ deposit, destination, provider }) => ({
      text: `${
        capital(deposit)
      } is being swapped to ${destination}, which takes ${provider} longer than it estimated.`,
      whatYouCanDo: ["Wait. It is either swapped, or goes back to the refund address."],
    }),
    payer: ({ destination, payment }) => ({
      state: "delayed",
      text: `${capital(payment)} is being swapped to ${destination}, which takes longer than estimated.`,
      whatYouCanDo: ["Wait: it is either swapped, or goes back to the refund address."],
    }),
  },
  swap_paused: {
    integrator: ({ deposit, provider }) => ({
      text: `${
        capital(deposit)
      } was credited, but ${provider} has paused all swaps for safety. It is swapped once they go on.`,
      whatYouCanDo: ["Wait. The deposit is safe with the network, and the price limit still holds."],
    }),
    payer: ({ payment }) => ({
      state: "delayed",
      text: `${
        capital(payment)
      } has arrived, but all swaps are paused for safety. It is swapped once they go on.`,
      whatYouCanDo: ["Wait: it goes on by itself then, and the agreed price limit still holds."],
    }),
  },
  swap_retrying: {
    integrator: (told) => ({
      text: `${capital(told.deposit)} could not be swapped at the first try, and is tried again.`,
      whatYouCanDo: [limit(told)],
    }),
    payer: ({ payment }) => ({
      state: "swapping",
      text: `${capital(payment)} could not be swapped at the first try, and is tried again.`,
      whatYouCanDo: [goesOn, unlessPrice],
    }),
  },
  swap_waits_for_network: {
    integrator: ({ deposit, destination, provider }) => ({
      text: `${
        capital(deposit)
      } was credited, but ${provider} pays out no ${destination} at present. The swap waits until it does.`,
      whatYouCanDo: ["Wait. The deposit is with the network, which goes on with it by itself."],
    }),
    payer: ({ destination, payment }) => ({
      state: "delayed",
      text: `${
        capital(payment)
      } has arrived, but ${destination} is not paid out at present. The swap waits until it is.`,
      whatYouCanDo: ["Wait: it goes on by itself then."],
    }),
  },
  waiting_for_price: {
    integrator: (told) => ({
      text:
        `${
          capital(told.deposit)
        } is not swapped yet: the market is below the price limit of ${told.minimumPrice}. ` +
        `It is tried again for ${told.retryFor}, then goes back to ${told.refundAddress}.`,
      whatYouCanDo: [
        "Wait: the swap is done as soon as the market reaches the limit. The limit of an open swap cannot be changed.",
        "If it goes back: ask for a new quote, and allow more slippage tolerance or a longer retry duration.",
      ],
    }),
    payer: ({ payment, retryFor }) => ({
      state: "delayed",
      text: `${
        capital(payment)
      } is not swapped yet: the market is below the agreed price limit. It is tried again for ${retryFor}, then goes back to the refund address.`,
      whatYouCanDo: [
        "Wait: it is swapped as soon as the market reaches the limit, which cannot be changed any more.",
      ],
    }),
  },
  waiting_for_liquidity: {
    integrator: (told) => ({
      text:
        `${
          capital(told.deposit)
        } is not swapped yet: it would move the price too far. It is tried again for ` +
        `${told.retryFor}, then goes back to ${told.refundAddress}.`,
      whatYouCanDo: [
        "Wait: liquidity often comes back within minutes.",
        "If it goes back: swap a smaller amount, or in chunks (DCA).",
      ],
    }),
    payer: ({ payment, retryFor }) => ({
      state: "delayed",
      text: `${
        capital(payment)
      } is not swapped yet: so much at once would move the price too far. It is tried again for ${retryFor}, then goes back to the refund address.`,
      whatYouCanDo: [
        "Wait: this often resolves itself within minutes.",
        "If it goes back: swap a smaller amount.",
      ],
    }),
  },
  dca_starting: {
    integrator: ({ chunks, deposit, destination }) => ({
      text: `${
        capital(deposit)
      } was credited, and is being swapped to ${destination} in ${chunks.all} chunks.`,
      whatYouCanDo: [goesOn],
    }),
    payer: ({ chunks, destination, payment }) => ({
      state: "swapping",
      text: `${capital(payment)} has arrived, and is being swapped to ${destination} in ${chunks.all} parts.`,
      whatYouCanDo: [goesOn, unlessPrice],
    }),
  },
  dca_between_chunks: {
    integrator: ({ chunks, destination, progress }) => ({
      text:
        `${chunks.done} of ${chunks.all} chunks were swapped to ${destination}: ${progress.swapped}, and ${progress.remaining} ` +
        "to go. The output is paid after the last one.",
      whatYouCanDo: [goesOn],
    }),
    payer: ({ chunks, destination, progress }) => ({
      state: "swapping",
      text:
        `${chunks.done} of ${chunks.all} parts were swapped to ${destination}: ${progress.swapped}, and ${progress.remaining} to go. The money is paid out after the last one.`,
      whatYouCanDo: [goesOn, unlessPrice],
    }),
  },
  dca_waiting_for_price: {
    integrator: (told) => ({
      text:
        `${told.chunks.done} of ${told.chunks.all} chunks were swapped. The next one waits, as the market is below the price ` +
        `limit of ${told.minimumPrice}: it is tried again for ${told.retryFor}. If that fails the output so far is paid out, and ` +
        `the other ${told.progress.remaining} go back to ${told.refundAddress}.`,
      whatYouCanDo: ["Wait. The limit of an open swap cannot be changed."],
    }),
    payer: ({ chunks, progress, retryFor }) => ({
      state: "delayed",
      text:
        `${chunks.done} of ${chunks.all} parts were swapped. The next one waits, as the market is below the agreed price limit: it is tried again for ${retryFor}. If that fails what was swapped is paid out, and the other ${progress.remaining} go back to the refund address.`,
      whatYouCanDo: ["Wait: the price limit cannot be changed any more."],
    }),
  },
  payout_scheduled: {
    integrator: ({ destinationAddress, payout }) => ({
      text: `The swap is done: ${payout} will be sent to ${destinationAddress}.`,
      whatYouCanDo: [goesOn],
    }),
    payer: ({ payout }) => ({
      state: "on its way",
      text: `The swap is done: ${payout} will be sent to the destination address.`,
      whatYouCanDo: [goesOn],
    }),
  },
  payout_sent: {
    integrator: ({ destinationAddress, payout, payoutTransaction }) => ({
      text: `${
        capital(payout)
      } was sent to ${destinationAddress}${payoutTransaction}, and waits for its confirmations.`,
      whatYouCanDo: [goesOn],
    }),
    payer: ({ payout }) => ({
      state: "on its way",
      text: `${capital(payout)} was sent to the destination address, and waits for its confirmations.`,
      whatYouCanDo: [goesOn],
    }),
  },
  payout_late: {
    integrator: ({ destinationAddress, payout, payoutTransaction, provider }) => ({
      text:
        `The swap is done, but the payment of ${payout} to ${destinationAddress}${payoutTransaction} takes ${provider} longer ` +
        "than it estimated.",
      whatYouCanDo: ["Wait. If there is a transaction, look it up in an explorer of its chain."],
    }),
    payer: ({ payout }) => ({
      state: "delayed",
      text: `The swap is done, but sending ${payout} to the destination address takes longer than estimated.`,
      whatYouCanDo: [waitAndLook],
    }),
  },
  refund_scheduled: {
    integrator: ({ refund, refundAddress }) => ({
      text: `The deposit was not swapped: ${refund} will be sent back to ${refundAddress}.`,
      whatYouCanDo: [goesOn],
    }),
    payer: ({ refund }) => ({
      state: "going back",
      text: `Your payment was not swapped: ${refund} will be sent back to the refund address.`,
      whatYouCanDo: [goesOn],
    }),
  },
  refund_sent: {
    integrator: ({ refund, refundAddress, refundTransaction }) => ({
      text:
        `The deposit was not swapped: ${refund} was sent back to ${refundAddress}${refundTransaction}, and waits for its confirmations.`,
      whatYouCanDo: [goesOn],
    }),
    payer: ({ refund }) => ({
      state: "going back",
      text:
        `Your payment was not swapped: ${refund} was sent back to the refund address, and waits for its confirmations.`,
      whatYouCanDo: [goesOn],
    }),
  },
  refund_late: {
    integrator: ({ provider, refund, refundAddress, refundTransaction }) => ({
      text:
        `The deposit was not swapped. Sending ${refund} back to ${refundAddress}${refundTransaction} takes ${provider} longer ` +
        "than it should.",
      whatYouCanDo: ["Wait. If there is a transaction, look it up in an explorer of its chain."],
    }),
    payer: ({ refund }) => ({
      state: "delayed",
      text:
        `Your payment was not swapped. Sending ${refund} back to the refund address takes longer than it should.`,
      whatYouCanDo: [waitAndLook],
    }),
  },
  both_payments_under_way: {
    integrator: ({ destinationAddress, payout, refund, refundAddress }) => ({
      text:
        `A part of the deposit was swapped: ${payout} goes to ${destinationAddress}, and the rest, ${refund}, back to ${refundAddress}.`,
      whatYouCanDo: [goesOn],
    }),
    payer: ({ payout, refund }) => ({
      state: "on its way",
      text:
        `A part of your payment was swapped: ${payout} goes to the destination address, and the rest, ${refund}, back to the refund address.`,
      whatYouCanDo: [goesOn],
    }),
  },
  fallback_under_way: {
    integrator: ({ fallback, provider }) => ({
      text: `The payment of the output could not be sent as planned. ${
        capital(provider)
      } sends ${fallback} another way.`,
      whatYouCanDo: ["Wait. Where it went is in `fallbackEgress`, once it is there."],
    }),
    payer: ({ fallback }) => ({
      state: "delayed",
      text: `The money could not be sent to the destination address as planned. ${
        capital(fallback)
      } is sent another way.`,
      whatYouCanDo: ["Wait: its transaction shows below once there is one, and says where it went."],
    }),
  },
} as const satisfies Readonly<Record<MovingPhase, Row>>
