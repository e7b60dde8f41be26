import { rows } from "./phrases.ts"

/** The operator's own texts, in place of those for integrators. The page shows amounts, addresses and transactions beside them. */
export const operatorWords = rows({
  waiting_for_deposit: "Waiting for the deposit of {toSend}, until {expiry}.\n{noAction}",
  waiting_for_exact_deposit:
    "Waiting for a deposit of exactly {exactAmount}, until {expiry}. Any other amount is lost.\n{noAction}",
  waiting_for_deposit_with_memo:
    `Waiting for the deposit of {toSend} with its memo, until {expiry}. Without the memo the money is lost.
      If it was sent without the memo, ask {provider} support with the transaction.`,
  channel_closing:
    "The channel expires at {expiry}. A deposit sent now may arrive too late.\nNo action needed. {late}",
  channel_expired: `The channel expired at {expiry} and no deposit was seen. {late}
      If the payer reports a deposit, look up its transaction on {sourceChain} and find its block. A deposit made before the expiry will still appear here.`,
  provider_switched_off: `{Provider} is switched off for new swaps. No deposit has been seen.
      Switch {provider} on again to accept swaps. A deposit already sent is still followed.`,
  network_halted: `{Provider} is not accepting deposits of {source}. No deposit has been seen.
      Wait for {provider} to resume. It credits a deposit already sent after that.`,
  deposit_incomplete:
    `{Deposit} was seen, less than the {expected} that the swap was opened for. It may be too little to swap.
      No action needed. What is not swapped is refunded.`,
  deposit_stalled: `{Deposit} is over {provider}'s usual time. Confirmations: {confirmed}.
      {lookDeposit}
      {askReindex}
      {askOperator}`,
  swap_stalled: `{Provider} is far over its usual time to swap {deposit} to {destination}.
      Check the status now.
      {askOperator}`,
  payout_stalled: `The swap is done, but {provider} is far over its usual time to pay out {payout}.
      {lookUp}
      {askOperator}`,
  refund_stalled: `The refund of {refund} is over {provider}'s usual time. {whyRefunded}
      {lookUp}
      {askOperator}`,
  provider_contradicts:
    `{Provider}'s latest status contradicts the opening or earlier statuses. This is the last consistent status.
      Compare {provider}'s response with our record, and look up the payments on their chains.
      Ask {provider} support and attach the case file. Tell the payer not to send anything for now.`,
  provider_not_followed: `Status checks at {provider} are switched off. This is the last known status.
      Switch status checks at {provider} on again. A swap in progress continues there, and then shows here.`,
  provider_silent: `{Provider} is not responding to status checks. This is the last known status.
      See on the page of {provider} whether only this swap is affected.
      {askOperator}`,
  refunded_for_price:
    `The deposit was not swapped, because the market stayed below the minimum price of {minimumPrice}. {Refund} was refunded.
      No action needed. To make this rarer, the account can allow more slippage tolerance or a longer retry duration.`,
  refunded_partly:
    `Only a part was swapped: {swapped}. The rest was refunded. {Provider} gave no reason; the minimum price was {minimumPrice}.
      No action needed.`,
  late_deposit_refunded: `The deposit arrived after the channel had expired ({expiry}). {Refund} was refunded.
      No action needed.`,
  deposit_too_small:
    `{Deposit} was ignored, because it is below the minimum deposit of {provider}{minimumSaid}. {Provider} usually keeps such deposits.
      {askProvider}
      Tell the account to open swaps for at least their minimum deposit.`,
  deposit_below_fees:
    `{Deposit} arrived, but does not cover the network fees of {provider}. Nothing is paid out or refunded.
      {askProvider}`,
  deposit_rejected_refunded: `{Provider} rejected {deposit}. {Refund} was refunded.
      No action needed. The sender of a deposit is the usual reason.`,
  payout_too_small:
    `The deposit was swapped, but {payout} is too little to pay out. The network keeps it.{returnedPart}
      {askProvider}`,
  opening_requested: "Opening a deposit channel at {provider}.\n{noAction}",
  opening_unknown: `No valid reply came from {provider}. No address was given out, so no deposit is expected.
      No action needed. Each check looks for unmatched channels at {provider}, and links the swap to its channel once found.
      If it lasts, ask {provider} support whether a channel was opened, and attach the case file.`,
  opening_refused: `{Provider} refused to open a channel. There is no address, so nothing can be sent.
      See the reason. The account has it in its response.`,
})
