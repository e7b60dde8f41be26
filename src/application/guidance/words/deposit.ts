import { rows } from "./phrases.ts"

/** The texts until a deposit is credited. */
export const depositWords = rows({
  waiting_for_deposit: `Waiting for the deposit: {toSend} to {depositAddress}, before {expiry}.
      Send {toSend} to {depositAddress}. It must be in a block before {expiry}, so send it well ahead.
      {checkDeposit}`,
  waiting_for_exact_deposit:
    `Waiting for exactly {exactAmount} at {depositAddress}, before {expiry}. Any other amount is lost.
      Send exactly {exactAmount} to {depositAddress}, to the last digit. The wallet's own fee comes on top.
      {checkDeposit}`,
  waiting_for_deposit_with_memo:
    `Waiting for the deposit: {toSend} to {depositAddress} with the memo {memo}, before {expiry}. Without this memo the money is lost.
      Send {toSend} to {depositAddress} and enter {memo} as the memo, letter by letter. Do not use a wallet or exchange without a memo field.
      If it was sent without the memo, ask {provider} with the transaction. Only {provider} can identify it.`,
  channel_closing:
    `The channel expires at {expiry}, too soon for a new deposit. A deposit sent now may arrive too late.
      Do not send now. Open a new swap.
      If it was already sent, wait. {late}`,
  channel_expired:
    `The channel expired at {expiry} and no deposit was seen. Do not send to its address any more. {late}
      Open a new swap to get a new address.
      If a deposit was sent, look up its transaction on {sourceChain}. A deposit in a block before the expiry still shows here.`,
  provider_switched_off: `The operator has switched {provider} off for new swaps. No deposit has been seen.
      Do not send for now. Open a swap with another provider, or wait until this one is back.
      If it was already sent, it is still followed and shows here.`,
  network_halted: `{Provider} is not accepting deposits of {source}. No deposit has been seen.
      Do not send for now, because it may be held until {provider} resumes. Open a swap with another provider, or wait.
      If it was already sent, {provider} credits it after resuming, and it shows here.`,
  deposit_unnoticed: `{Deposit} was seen{depositTransaction}, but {provider} has not registered it yet.
      Wait some minutes. This usually resolves without action.
      {askReindex}`,
  deposit_seen: `{Deposit} was seen on {sourceChain}{depositTransaction}. Confirmations: {confirmed}.
      {noAction}`,
  deposit_late:
    `{Deposit} was seen on {sourceChain}{depositTransaction}, but confirms more slowly than usual. Confirmations: {confirmed}.
      {lookDeposit}
      {raiseFee} {sendOnce}`,
  deposit_incomplete:
    `{Deposit} was seen, less than the {expected} that this swap was opened for. It may be too little to swap.
      {sendRest}
      {orWait}`,
  deposit_confirmed: `{Deposit} is fully confirmed{depositTransaction}. {Provider} is about to credit it.
      {noAction}`,
  deposit_waits_for_network:
    `{Deposit} was seen{depositTransaction}, but {provider} is not crediting deposits of {source}. It waits until {provider} resumes.
      Wait. {sendOnce} {Provider} credits this one after resuming.`,
  late_deposit_seen:
    `{Deposit} was seen{depositTransaction} after the channel had expired ({expiry}). {soLate}
      Wait. {another}`,
  boost_pending:
    `{Deposit} was seen{depositTransaction}. The swap allows a boost, so {provider} may credit it before it is confirmed.
      {noAction}`,
  boost_skipped:
    `{Deposit} was not boosted, because no lender accepted the maximum boost fee. It is swapped once it is confirmed, without a boost fee. Confirmations: {confirmed}.
      {noAction}`,
})
