import { rows } from "./voices.ts"

/** The texts from crediting a deposit to the payments. */
export const movingWords = rows({
  swapping: {
    integrator: `{Deposit} was credited, and is being swapped to {destination}.
      {goesOn}`,
    state: "swapping",
    payer: `{Payment} has arrived, and is being swapped to {destination}.
      {goesOn}
      {unlessPrice}`,
  },
  swapping_boosted: {
    integrator:
      `{Deposit} was boosted: it was credited ahead of its confirmations, and is being swapped to {destination}.
      {goesOn}`,
    state: "swapping",
    payer: `{Payment} was taken up ahead of its confirmations, and is being swapped to {destination}.
      {goesOn}
      {unlessPrice}`,
  },
  swap_late: {
    integrator: `{Deposit} is being swapped to {destination}, which takes {provider} longer than it estimated.
      Wait. It is either swapped, or goes back to the refund address.`,
    state: "delayed",
    payer: `{Payment} is being swapped to {destination}, which takes longer than estimated.
      Wait: it is either swapped, or goes back to the refund address.`,
  },
  swap_paused: {
    integrator:
      `{Deposit} was credited, but {provider} has paused all swaps for safety. It is swapped once they go on.
      Wait. The deposit is safe with the network, and the price limit still holds.`,
    state: "delayed",
    payer: `{Payment} has arrived, but all swaps are paused for safety. It is swapped once they go on.
      Wait: it goes on by itself then, and the agreed price limit still holds.`,
  },
  swap_retrying: {
    integrator: `{Deposit} could not be swapped at the first try, and is tried again.
      {limit}`,
    state: "swapping",
    payer: `{Payment} could not be swapped at the first try, and is tried again.
      {goesOn}
      {unlessPrice}`,
  },
  swap_waits_for_network: {
    integrator:
      `{Deposit} was credited, but {provider} pays out no {destination} at present. The swap waits until it does.
      Wait. The deposit is with the network, which goes on with it by itself.`,
    state: "delayed",
    payer: `{Payment} has arrived, but {destination} is not paid out at present. The swap waits until it is.
      Wait: it goes on by itself then.`,
  },
  waiting_for_price: {
    integrator:
      `{Deposit} is not swapped yet: the market is below the price limit of {minimumPrice}. It is tried again for {retryFor}, then goes back to {refundAddress}.
      Wait: the swap is done as soon as the market reaches the limit. The limit of an open swap cannot be changed.
      If it goes back: ask for a new quote, and allow more slippage tolerance or a longer retry duration.`,
    state: "delayed",
    payer:
      `{Payment} is not swapped yet: the market is below the agreed price limit. It is tried again for {retryFor}, then goes back to the refund address.
      Wait: it is swapped as soon as the market reaches the limit, which cannot be changed any more.`,
  },
  waiting_for_liquidity: {
    integrator:
      `{Deposit} is not swapped yet: it would move the price too far. It is tried again for {retryFor}, then goes back to {refundAddress}.
      Wait: liquidity often comes back within minutes.
      If it goes back: swap a smaller amount, or in chunks (DCA).`,
    state: "delayed",
    payer:
      `{Payment} is not swapped yet: so much at once would move the price too far. It is tried again for {retryFor}, then goes back to the refund address.
      Wait: this often resolves itself within minutes.
      If it goes back: swap a smaller amount.`,
  },
  dca_starting: {
    integrator: `{Deposit} was credited, and is being swapped to {destination} in {chunksAll} chunks.
      {goesOn}`,
    state: "swapping",
    payer: `{Payment} has arrived, and is being swapped to {destination} in {chunksAll} parts.
      {goesOn}
      {unlessPrice}`,
  },
  dca_between_chunks: {
    integrator:
      `{chunksDone} of {chunksAll} chunks were swapped to {destination}: {swapped}, and {remaining} to go. The output is paid after the last one.
      {goesOn}`,
    state: "swapping",
    payer:
      `{chunksDone} of {chunksAll} parts were swapped to {destination}: {swapped}, and {remaining} to go. The money is paid out after the last one.
      {goesOn}
      {unlessPrice}`,
  },
  dca_waiting_for_price: {
    integrator:
      `{chunksDone} of {chunksAll} chunks were swapped. The next one waits, as the market is below the price limit of {minimumPrice}: it is tried again for {retryFor}. If that fails the output so far is paid out, and the other {remaining} go back to {refundAddress}.
      Wait. The limit of an open swap cannot be changed.`,
    state: "delayed",
    payer:
      `{chunksDone} of {chunksAll} parts were swapped. The next one waits, as the market is below the agreed price limit: it is tried again for {retryFor}. If that fails what was swapped is paid out, and the other {remaining} go back to the refund address.
      Wait: the price limit cannot be changed any more.`,
  },
  payout_scheduled: {
    integrator: `The swap is done: {payout} will be sent to {destinationAddress}.
      {goesOn}`,
    state: "on its way",
    payer: `The swap is done: {payout} will be sent to the destination address.
      {goesOn}`,
  },
  payout_sent: {
    integrator:
      `{Payout} was sent to {destinationAddress}{payoutTransaction}, and waits for its confirmations.
      {goesOn}`,
    state: "on its way",
    payer: `{Payout} was sent to the destination address, and waits for its confirmations.
      {goesOn}`,
  },
  payout_late: {
    integrator:
      `The swap is done, but the payment of {payout} to {destinationAddress}{payoutTransaction} takes {provider} longer than it estimated.
      Wait. {lookUp}`,
    state: "delayed",
    payer: `The swap is done, but sending {payout} to the destination address takes longer than estimated.
      Wait. {lookUp}`,
  },
  refund_scheduled: {
    integrator: `The deposit was not swapped: {refund} will be sent back to {refundAddress}.
      {goesOn}`,
    state: "going back",
    payer: `Your payment was not swapped: {refund} will be sent back to the refund address.
      {goesOn}`,
  },
  refund_sent: {
    integrator:
      `The deposit was not swapped: {refund} was sent back to {refundAddress}{refundTransaction}, and waits for its confirmations.
      {goesOn}`,
    state: "going back",
    payer:
      `Your payment was not swapped: {refund} was sent back to the refund address, and waits for its confirmations.
      {goesOn}`,
  },
  refund_late: {
    integrator:
      `The deposit was not swapped. Sending {refund} back to {refundAddress}{refundTransaction} takes {provider} longer than it should.
      Wait. {lookUp}`,
    state: "delayed",
    payer:
      `Your payment was not swapped. Sending {refund} back to the refund address takes longer than it should.
      Wait. {lookUp}`,
  },
  both_payments_under_way: {
    integrator:
      `A part of the deposit was swapped: {payout} goes to {destinationAddress}, and the rest, {refund}, back to {refundAddress}.
      {goesOn}`,
    state: "on its way",
    payer:
      `A part of your payment was swapped: {payout} goes to the destination address, and the rest, {refund}, back to the refund address.
      {goesOn}`,
  },
  fallback_under_way: {
    integrator:
      `The payment of the output could not be sent as planned. {Provider} sends {fallback} another way.
      Wait. Where it went is in \`fallbackEgress\`, once it is there.`,
    state: "delayed",
    payer: `The money could not be sent to the destination address as planned. {Fallback} is sent another way.
      Wait: its transaction shows below once there is one, and says where it went.`,
  },
})
