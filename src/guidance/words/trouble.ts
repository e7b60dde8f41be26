import type { TroublePhase } from "../../domain/Guidance.ts"
import { capital, type Wording } from "../told.ts"

const askOperator = "If it stays so: write to the operator, with the case file of this swap."
const again = "Do not send a second deposit."

/** The texts of swaps that do not go on, or of which nothing new is known. */
export const troubleWords = {
  stalled: ({ provider }) => ({
    text: `The swap stayed in its state longer than that may last with ${provider}.`,
    whatYouCanDo: [askOperator],
  }),
  deposit_stalled: ({ deposit, depositTransaction, provider, sourceChain }) => ({
    text: `${
      capital(deposit)
    } was seen${depositTransaction}, but ${provider} has not credited it for far longer than that may take.`,
    whatYouCanDo: [
      `Look the transaction up in an explorer of ${sourceChain}: it may pay too low a fee, or have been replaced.`,
      `${again} ${askOperator}`,
    ],
  }),
  swap_stalled: ({ deposit, destination, provider }) => ({
    text: `${
      capital(deposit)
    } was credited, but ${provider} has been swapping it to ${destination} for far longer than that may take.`,
    whatYouCanDo: [`${again} ${askOperator}`],
  }),
  payout_stalled: ({ destinationAddress, payout, payoutTransaction, provider }) => ({
    text:
      `The swap is done, but the payment of ${payout} to ${destinationAddress}${payoutTransaction} takes ${provider} far ` +
      "longer than it may.",
    whatYouCanDo: ["If there is a transaction, look it up in an explorer of its chain.", askOperator],
  }),
  refund_stalled: ({ provider, refund, refundAddress, refundTransaction }) => ({
    text:
      `The deposit was not swapped, and sending ${refund} back to ${refundAddress}${refundTransaction} takes ${provider} far ` +
      "longer than it may.",
    whatYouCanDo: ["If there is a transaction, look it up in an explorer of its chain.", askOperator],
  }),
  provider_contradicts: ({ provider }) => ({
    text:
      `What ${provider} says of this swap contradicts itself, or what was opened. It is not believed: shown is the last ` +
      "status that could be true.",
    whatYouCanDo: [
      "Do not send anything for now: the address and terms here are those that the swap was opened with, but the provider may act on others.",
      askOperator,
    ],
  }),
  provider_not_followed: ({ provider }) => ({
    text: `The service does not ask ${provider} about open swaps at present. Shown is what was known before.`,
    whatYouCanDo: [
      `${again} A swap that is under way goes on with the provider all the same, and shows here once it is asked again.`,
    ],
  }),
  provider_silent: ({ provider }) => ({
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
} as const satisfies Readonly<Record<TroublePhase, Wording>>
