import type { EndPhase } from "../../domain/Guidance.ts"
import { capital, type Wording } from "../told.ts"

const askProvider = (provider: string): string =>
  `Ask ${provider}, with the case file of this swap. If a refund follows it shows here by itself.`

/** The texts of the ends. */
export const endedWords = {
  completed: ({ another, destinationAddress, payout, payoutTransaction }) => ({
    text: `Done: ${payout} was paid to ${destinationAddress}${payoutTransaction}.`,
    whatYouCanDo: [another],
  }),
  completed_promised: ({ another, destinationAddress, payout, payoutTransaction, provider }) => ({
    text:
      `Done: the output was paid to ${destinationAddress}${payoutTransaction}. ${
        capital(provider)
      } does not say how much: ` +
      `${payout} was promised, and less may have arrived, down to the price limit.`,
    whatYouCanDo: ["See what arrived in an explorer of the chain.", another],
  }),
  refunded: ({ another, refund, refundAddress, refundTransaction }) => ({
    text: `The deposit was not swapped. ${
      capital(refund)
    } went back to ${refundAddress}${refundTransaction}.`,
    whatYouCanDo: ["To try again, ask for a new quote and open a new swap.", another],
  }),
  refunded_for_price: ({ another, minimumPrice, refund, refundAddress, refundTransaction }) => ({
    text: `The deposit was not swapped, because the market stayed below the price limit of ${minimumPrice}. ${
      capital(refund)
    } went back to ${refundAddress}${refundTransaction}.`,
    whatYouCanDo: [
      "To try again, ask for a new quote, and allow more slippage tolerance or a longer retry duration.",
      another,
    ],
  }),
  refunded_partly: (
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
  late_deposit_refunded: ({ another, expiry, refund, refundAddress, refundTransaction }) => ({
    text:
      `The deposit came after the channel had expired (${expiry}), and was not swapped. ${
        capital(refund)
      } went back to ` +
      `${refundAddress}${refundTransaction}.`,
    whatYouCanDo: ["To try again, open a new swap and send soon after.", another],
  }),
  deposit_too_small: ({ deposit, provider, refundAddress }) => ({
    text: `${
      capital(deposit)
    } was ignored: it is below the smallest amount that ${provider} swaps. It does not go back to ${refundAddress}.`,
    whatYouCanDo: [
      `Money that is below the minimum is kept by the network. ${askProvider(provider)}`,
      "Open a new swap for at least the `minimumDeposit` of its answer. Sending more to this address does not help: deposits are not added up.",
    ],
  }),
  deposit_below_fees: ({ deposit, provider }) => ({
    text: `${
      capital(deposit)
    } was taken, but does not cover the fees of ${provider}'s network. Nothing is paid out or back.`,
    whatYouCanDo: ["Open a new swap for a larger amount.", askProvider(provider)],
  }),
  deposit_ignored: ({ another, deposit, provider }) => ({
    text: `${capital(deposit)} was ignored by ${provider}, and was not swapped.`,
    whatYouCanDo: [askProvider(provider), another],
  }),
  deposit_rejected: ({ another, deposit, provider, refundAddress }) => ({
    text: `${
      capital(deposit)
    } was not swapped: ${provider} has given up, and nothing is known to have gone back to ${refundAddress}.`,
    whatYouCanDo: [askProvider(provider), another],
  }),
  deposit_rejected_refunded: ({ another, deposit, provider, refund, refundAddress, refundTransaction }) => ({
    text: `${capital(deposit)} was rejected by ${provider}. ${
      capital(refund)
    } went back to ${refundAddress}${refundTransaction}.`,
    whatYouCanDo: [
      "Send from another wallet, if you swap again: the sender of a deposit is the usual reason.",
      another,
    ],
  }),
  deposit_under_review: ({ deposit, provider }) => ({
    text: `${
      capital(deposit)
    } is held by ${provider}: it has flagged an address of the swap, and reviews it.`,
    whatYouCanDo: [askProvider(provider)],
  }),
  refund_unproven: ({ provider, refundAddress, refundTransaction }) => ({
    text: `The deposit was not swapped. ${
      capital(provider)
    } says that it went back${refundTransaction}, but not how much of it.`,
    whatYouCanDo: [
      `See in an explorer of the chain what arrived at ${refundAddress}.`,
      askProvider(provider),
    ],
  }),
  refund_too_small: ({ another, provider, refundAddress }) => ({
    text:
      `The deposit was not swapped, and what is left of it after the fees is too little to be sent back to ${refundAddress}.`,
    whatYouCanDo: [askProvider(provider), another],
  }),
  refund_failed: ({ provider, refund, refundAddress }) => ({
    text: `The deposit was not swapped, and sending ${refund} back to ${refundAddress} failed. ${
      capital(provider)
    } holds the money.`,
    whatYouCanDo: [askProvider(provider)],
  }),
  payout_too_small: ({ destinationAddress, payout, provider }) => ({
    text:
      `The deposit was swapped, but ${payout} is too little to be sent to ${destinationAddress}: the network keeps it.`,
    whatYouCanDo: ["Swap a larger amount.", askProvider(provider)],
  }),
  payout_failed: ({ destinationAddress, payout, provider }) => ({
    text: `The deposit was swapped, but the payment of ${payout} to ${destinationAddress} failed. ${
      capital(provider)
    } holds the money.`,
    whatYouCanDo: [askProvider(provider)],
  }),
  payout_callable: ({ destinationAddress, payout, provider }) => ({
    text:
      `The deposit was swapped, but the payment of ${payout} to ${destinationAddress} was signed and not sent.`,
    whatYouCanDo: [
      "Anybody can send it: the call is in `swapEgress.transactionPayload`. It pays the destination address, whoever sends it.",
      askProvider(provider),
    ],
  }),
  fallback_paid: ({ another, fallback, fallbackTransaction }) => ({
    text: `The payment of the output could not be sent as planned. ${
      capital(fallback)
    } was paid another way${fallbackTransaction}.`,
    whatYouCanDo: ["Where it went is in `fallbackEgress.destinationAddress`.", another],
  }),
  fallback_failed: ({ fallback, provider }) => ({
    text: `The payment of ${fallback} could not be sent, neither as planned nor another way. ${
      capital(provider)
    } holds the money.`,
    whatYouCanDo: [askProvider(provider)],
  }),
  failed_unexplained: ({ provider }) => ({
    text: `${capital(provider)} has given the swap up, and does not say why.`,
    whatYouCanDo: [askProvider(provider)],
  }),
} as const satisfies Readonly<Record<EndPhase, Wording>>
