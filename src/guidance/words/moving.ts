import type { MovingPhase } from "../../domain/Guidance.ts"
import { capital, type Told, type Wording } from "../told.ts"

const nothing = "Nothing has to be done: it goes on by itself."
const limit = ({ minimumPrice, refundAddress }: Told): string =>
  `Nothing has to be done. Below the price limit of ${minimumPrice} nothing is swapped: what is left then goes back to ${refundAddress}.`

/** The texts from crediting a deposit to the payments. */
export const movingWords = {
  swapping: ({ deposit, destination }) => ({
    text: `${capital(deposit)} was credited, and is being swapped to ${destination}.`,
    whatYouCanDo: [nothing],
  }),
  swapping_boosted: ({ deposit, destination }) => ({
    text: `${
      capital(deposit)
    } was boosted: it was credited ahead of its confirmations, and is being swapped to ${destination}.`,
    whatYouCanDo: [nothing],
  }),
  swap_late: ({ deposit, destination, provider }) => ({
    text: `${
      capital(deposit)
    } is being swapped to ${destination}, which takes ${provider} longer than it estimated.`,
    whatYouCanDo: ["Wait. It is either swapped, or goes back to the refund address."],
  }),
  swap_paused: ({ deposit, provider }) => ({
    text: `${
      capital(deposit)
    } was credited, but ${provider} has paused all swaps for safety. It is swapped once they go on.`,
    whatYouCanDo: ["Wait. The deposit is safe with the network, and the price limit still holds."],
  }),
  swap_retrying: (told) => ({
    text: `${capital(told.deposit)} could not be swapped at the first try, and is tried again.`,
    whatYouCanDo: [limit(told)],
  }),
  swap_waits_for_network: ({ deposit, destination, provider }) => ({
    text: `${
      capital(deposit)
    } was credited, but ${provider} pays out no ${destination} at present. The swap waits until it does.`,
    whatYouCanDo: ["Wait. The deposit is with the network, which goes on with it by itself."],
  }),
  waiting_for_price: (told) => ({
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
  waiting_for_liquidity: (told) => ({
    text:
      `${capital(told.deposit)} is not swapped yet: it would move the price too far. It is tried again for ` +
      `${told.retryFor}, then goes back to ${told.refundAddress}.`,
    whatYouCanDo: [
      "Wait: liquidity often comes back within minutes.",
      "If it goes back: swap a smaller amount, or in chunks (DCA).",
    ],
  }),
  dca_starting: ({ chunks, deposit, destination }) => ({
    text: `${capital(deposit)} was credited, and is being swapped to ${destination} in ${chunks.all} chunks.`,
    whatYouCanDo: [nothing],
  }),
  dca_between_chunks: ({ chunks, destination, progress }) => ({
    text:
      `${chunks.done} of ${chunks.all} chunks were swapped to ${destination}: ${progress.swapped}, and ${progress.remaining} ` +
      "to go. The output is paid after the last one.",
    whatYouCanDo: [nothing],
  }),
  dca_waiting_for_price: (told) => ({
    text:
      `${told.chunks.done} of ${told.chunks.all} chunks were swapped. The next one waits, as the market is below the price ` +
      `limit of ${told.minimumPrice}: it is tried again for ${told.retryFor}. If that fails the output so far is paid out, and ` +
      `the other ${told.progress.remaining} go back to ${told.refundAddress}.`,
    whatYouCanDo: ["Wait. The limit of an open swap cannot be changed."],
  }),
  payout_scheduled: ({ destinationAddress, payout }) => ({
    text: `The swap is done: ${payout} will be sent to ${destinationAddress}.`,
    whatYouCanDo: [nothing],
  }),
  payout_sent: ({ destinationAddress, payout, payoutTransaction }) => ({
    text: `${
      capital(payout)
    } was sent to ${destinationAddress}${payoutTransaction}, and waits for its confirmations.`,
    whatYouCanDo: [nothing],
  }),
  payout_late: ({ destinationAddress, payout, payoutTransaction, provider }) => ({
    text:
      `The swap is done, but the payment of ${payout} to ${destinationAddress}${payoutTransaction} takes ${provider} longer ` +
      "than it estimated.",
    whatYouCanDo: ["Wait. If there is a transaction, look it up in an explorer of its chain."],
  }),
  refund_scheduled: ({ refund, refundAddress }) => ({
    text: `The deposit was not swapped: ${refund} will be sent back to ${refundAddress}.`,
    whatYouCanDo: [nothing],
  }),
  refund_sent: ({ refund, refundAddress, refundTransaction }) => ({
    text:
      `The deposit was not swapped: ${refund} was sent back to ${refundAddress}${refundTransaction}, and waits for its confirmations.`,
    whatYouCanDo: [nothing],
  }),
  refund_late: ({ provider, refund, refundAddress, refundTransaction }) => ({
    text:
      `The deposit was not swapped. Sending ${refund} back to ${refundAddress}${refundTransaction} takes ${provider} longer ` +
      "than it should.",
    whatYouCanDo: ["Wait. If there is a transaction, look it up in an explorer of its chain."],
  }),
  both_payments_under_way: ({ destinationAddress, payout, refund, refundAddress }) => ({
    text:
      `A part of the deposit was swapped: ${payout} goes to ${destinationAddress}, and the rest, ${refund}, back to ${refundAddress}.`,
    whatYouCanDo: [nothing],
  }),
  fallback_under_way: ({ fallback, provider }) => ({
    text: `The payment of the output could not be sent as planned. ${
      capital(provider)
    } sends ${fallback} another way.`,
    whatYouCanDo: ["Wait. Where it went is in `fallbackEgress`, once it is there."],
  }),
} as const satisfies Readonly<Record<MovingPhase, Wording>>
