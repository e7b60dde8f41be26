import { rows } from "./renderGuidance.ts"

/** The texts until a deposit is credited. */
export const depositWords = rows({
  waiting_for_deposit: `The swap waits for its deposit: {toSend} to {depositAddress}, before {expiry}.
      Send {toSend} to {depositAddress}. It has to be in a block before {expiry}: do not send it shortly before.
      {checkDeposit}`,
  waiting_for_exact_deposit:
    `The swap waits for exactly {exactAmount} at {depositAddress}, before {expiry}. Another amount does not count, and is lost.
      Send exactly {exactAmount} to {depositAddress}, to the last digit, without taking the fee of your wallet off it.
      {checkDeposit}`,
  waiting_for_deposit_with_memo:
    `The swap waits for its deposit: {toSend} to {depositAddress} with the memo {memo}, before {expiry}. Without this memo the money is lost.
      Send {toSend} to {depositAddress}, and enter {memo} as the memo, letter by letter. Do not send from a wallet or exchange that takes no memo.
      If it was sent without the memo: the provider alone can tell whose it is. Ask it with the transaction.`,
  channel_closing:
    `The channel expires at {expiry}, too soon for another deposit. A deposit sent now may come too late.
      Do not send now: open a new swap.
      If it was already sent: wait. {late} That is what {provider} does with late ones.`,
  channel_expired:
    `The channel expired at {expiry}, and no deposit to it was seen. Do not send to its address any more. {late}
      Open a new swap for a new address.
      If a deposit was sent: look its transaction up on {sourceChain}. A deposit that was in a block before the expiry still shows here.`,
  provider_switched_off:
    `The operator has taken {provider} out of service for new swaps. No deposit has been seen.
      Do not send for now: open a swap with another provider, or wait until this one is back.
      If it was already sent: it is followed all the same, and shows here.`,
  network_halted: `{Provider} takes no deposits of {source} at present. No deposit has been seen.
      Do not send for now: it may be held until the network goes on. Open a swap with another provider, or wait.
      If it was already sent: it is taken up once the network goes on, and shows here.`,
  deposit_unnoticed: `{Deposit} was seen{depositTransaction}, but {provider} has not taken it up yet.
      Wait for some minutes: this mostly resolves itself.
      If it does not: ask the operator to have the provider look for the deposit again.`,
  deposit_seen:
    `{Deposit} was seen on {sourceChain}{depositTransaction}, and gathers confirmations: {confirmed}.
      {goesOn}`,
  deposit_late:
    `{Deposit} was seen on {sourceChain}{depositTransaction}, but is confirmed more slowly than usual: {confirmed}.
      {lookDeposit}
      If your wallet can raise the fee of the transaction, do so. {sendOnce}`,
  deposit_incomplete:
    `{Deposit} was seen, which is less than the {expected} that this swap was opened for. So little may not be swapped as it is.
      {sendRest}
      {orWait}`,
  deposit_confirmed:
    `{Deposit} has all its confirmations{depositTransaction}, and is about to be credited by {provider}.
      {goesOn}`,
  deposit_waits_for_network:
    `{Deposit} was seen{depositTransaction}, but {provider} credits no deposits of {source} at present. It waits until the network goes on.
      Wait. Do not send a second deposit: the first one is taken up once the network goes on.`,
  late_deposit_seen:
    `{Deposit} was seen{depositTransaction} after the channel had expired ({expiry}). {soLate}
      Wait. For another swap open a new channel: do not send to this address again.`,
  boost_pending:
    `{Deposit} was seen{depositTransaction}. {Provider} may credit it ahead of its confirmations, as a boost was asked for.
      {goesOn}`,
  boost_skipped:
    `{Deposit} was not boosted, as nobody lent it within the fee that was asked for. It is swapped once it is confirmed: {confirmed}. No boost fee is charged.
      {goesOn}`,
})
