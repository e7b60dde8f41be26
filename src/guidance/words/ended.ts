import { rows } from "./voices.ts"

/** The texts of the ends, those in which something failed among them. */
export const endedWords = rows({
  completed: {
    integrator: `Done: {payout} was paid to {destinationAddress}{payoutTransaction}.
      {another}`,
    state: "done",
    payer: `Done: {payout} was paid to the destination address.
      {another}`,
  },
  completed_promised: {
    integrator:
      `Done: the output was paid to {destinationAddress}{payoutTransaction}. {Provider} does not say how much: {payout} was promised, and less may have arrived, down to the price limit.
      See what arrived in an explorer of the chain.
      {another}`,
    state: "done",
    payer:
      `Done: the money was paid to the destination address. How much arrived is not told: {payout} was promised, and it may be less, down to the agreed price limit.
      See in your wallet, or in an explorer of its chain, what arrived.
      {another}`,
  },
  refunded: {
    integrator: `The deposit was not swapped. {Refund} went back to {refundAddress}{refundTransaction}.
      To try again, ask for a new quote and open a new swap.
      {another}`,
    state: "refunded",
    payer: `Your payment was not swapped. {Refund} went back to the refund address.
      {another}`,
  },
  refunded_for_price: {
    integrator:
      `The deposit was not swapped, because the market stayed below the price limit of {minimumPrice}. {Refund} went back to {refundAddress}{refundTransaction}.
      To try again, ask for a new quote, and allow more slippage tolerance or a longer retry duration.
      {another}`,
    state: "refunded",
    payer:
      `Your payment was not swapped, because the market stayed below the agreed price limit. {Refund} went back to the refund address.
      {another}`,
  },
  completed_rest_refunded: {
    integrator:
      `Done: {payout}, as was asked for, was paid to {destinationAddress}{payoutTransaction}. What it did not need, {refund}, went back to {refundAddress}{refundTransaction}.
      There is nothing to do.
      {another}`,
    state: "done",
    payer:
      `Done: {payout}, as was asked for, was paid to the destination address. What it did not need, {refund}, went back to the refund address.
      {another}`,
  },
  refunded_partly: {
    integrator:
      `Only a part was swapped ({swapped}): {payout} was paid to {destinationAddress}{payoutTransaction}. The rest, {refund}, went back to {refundAddress}{refundTransaction}.
      To swap the rest, ask for a new quote and open a new swap.
      {another}`,
    state: "done",
    payer:
      `Only a part was swapped ({swapped}): {payout} was paid to the destination address. The rest, {refund}, went back to the refund address.
      {another}`,
  },
  late_deposit_refunded: {
    integrator:
      `The deposit came after the channel had expired ({expiry}), and was not swapped. {Refund} went back to {refundAddress}{refundTransaction}.
      To try again, open a new swap and send soon after.
      {another}`,
    state: "refunded",
    payer:
      `Your payment came after {expiry}, when the address had stopped taking any, and was not swapped. {Refund} went back to the refund address.
      For another try pay soon after you got the new address.
      {another}`,
  },
  deposit_too_small: {
    integrator:
      `{Deposit} was ignored: it is below the smallest amount that {provider} swaps. It does not go back to {refundAddress}.
      Money that is below the minimum is kept by the network. {askProvider}
      Open a new swap for at least the \`minimumDeposit\` of its answer. Sending more to this address does not help: deposits are not added up.`,
    state: "failed",
    payer:
      `{Payment} was ignored: it is below the smallest amount that is swapped. It does not go back to the refund address.
      Do not send more: payments are not added up.
      {AskHere}`,
  },
  deposit_below_fees: {
    integrator:
      `{Deposit} was taken, but does not cover the fees of {provider}'s network. Nothing is paid out or back.
      Open a new swap for a larger amount.
      {askProvider}`,
    state: "failed",
    payer: `{Payment} was taken, but does not cover the fees of the network. Nothing is paid out or back.
      {moneyBack}
      {payOnce}`,
  },
  deposit_ignored: {
    integrator: `{Deposit} was ignored by {provider}, and was not swapped.
      {askProvider}
      {another}`,
    state: "failed",
    payer: `{Payment} was ignored, and was not swapped.
      {moneyBack}
      {payOnce}`,
  },
  deposit_rejected: {
    integrator:
      `{Deposit} was not swapped: {provider} has given up, and nothing is known to have gone back to {refundAddress}.
      {askProvider}
      {another}`,
    state: "failed",
    payer: `{Payment} was not swapped, and nothing is known to have gone back to the refund address.
      {moneyBack}
      {payOnce}`,
  },
  deposit_rejected_refunded: {
    integrator:
      `{Deposit} was rejected by {provider}. {Refund} went back to {refundAddress}{refundTransaction}.
      Send from another wallet, if you swap again: the sender of a deposit is the usual reason.
      {another}`,
    state: "refunded",
    payer: `{Payment} was rejected. {Refund} went back to the refund address.
      For another try pay from another wallet: the sender of a payment is the usual reason.
      {another}`,
  },
  deposit_under_review: {
    integrator: `{Deposit} is held by {provider}: it has flagged an address of the swap, and reviews it.
      {askProvider}`,
    state: "failed",
    payer: `{Payment} is held: an address of the swap was flagged, and is being reviewed.
      {moneyBack}
      {payOnce}`,
  },
  refund_unproven: {
    integrator:
      `The deposit was not swapped. {Provider} says that it went back{refundTransaction}, but not how much of it.
      See in an explorer of the chain what arrived at {refundAddress}.
      {askProvider}`,
    state: "failed",
    payer:
      `Your payment was not swapped. It is said to have gone back to the refund address, but not how much of it.
      See in your wallet, or in an explorer of its chain, what arrived at the refund address.
      If it is too little: {askHere}`,
  },
  refund_too_small: {
    integrator:
      `{swappedPart} and what is left of it after the fees is too little to be sent back to {refundAddress}.
      {askProvider}
      {another}`,
    state: "failed",
    payer:
      `{swappedPart} and what is left of it after the fees is too little to be sent back to the refund address.
      {moneyBack}
      {payOnce}`,
  },
  refund_failed: {
    integrator:
      `{swappedPart} and sending {refund} back to {refundAddress} failed. {Provider} holds the money.
      {askProvider}`,
    state: "failed",
    payer: `{swappedPart} and sending {refund} back to the refund address failed.
      {moneyBack}
      {payOnce}`,
  },
  payout_too_small: {
    integrator:
      `The deposit was swapped, but {payout} is too little to be sent to {destinationAddress}: the network keeps it.{returnedPart}
      Swap a larger amount.
      {askProvider}`,
    state: "failed",
    payer:
      `Your payment was swapped, but {payout} is too little to be sent to the destination address: the network keeps it.{returnedPart}
      {moneyBack}
      {payOnce}`,
  },
  payout_failed: {
    integrator:
      `The deposit was swapped, but the payment of {payout} to {destinationAddress} failed. {Provider} holds the money.{returnedPart}
      {askProvider}`,
    state: "failed",
    payer: `Your payment was swapped, but sending {payout} to the destination address failed.{returnedPart}
      {moneyBack}
      {payOnce}`,
  },
  payout_callable: {
    integrator:
      `The deposit was swapped, but the payment of {payout} to {destinationAddress} was signed and not sent.
      Anybody can send it: the call is in \`swapEgress.transactionPayload\`. It pays the destination address, whoever sends it.
      {askProvider}`,
    state: "failed",
    payer:
      `Your payment was swapped, but sending {payout} to the destination address was prepared and not carried out.
      It can still be sent: {askHere}
      {payOnce}`,
  },
  fallback_paid: {
    integrator:
      `The payment of the output could not be sent as planned. {Fallback} was paid another way{fallbackTransaction}.
      Where it went is in \`fallbackEgress.destinationAddress\`.
      {another}`,
    state: "done",
    payer:
      `The money could not be sent to the destination address as planned. {Fallback} was paid another way.
      Its transaction below says where it went.
      If it is not yours: {askHere}
      {another}`,
  },
  fallback_failed: {
    integrator:
      `The payment of {fallback} could not be sent, neither as planned nor another way. {Provider} holds the money.
      {askProvider}`,
    state: "failed",
    payer: `{Fallback} could not be sent, neither as planned nor another way.
      {moneyBack}
      {payOnce}`,
  },
  failed_unexplained: {
    integrator: `{Provider} has given the swap up, and does not say why.
      {askProvider}`,
    state: "failed",
    payer: `The swap has failed, and the reason is not known.
      {moneyBack}
      {payOnce}`,
  },
})
