import { rows } from "./voices.ts"

/** The texts until a deposit is credited. */
export const depositWords = rows({
  waiting_for_deposit: {
    integrator: `The swap waits for its deposit: {toSend} to {depositAddress}, before {expiry}.
      Send {toSend} to {depositAddress}. It has to be in a block before {expiry}: do not send it shortly before.
      {checkDeposit}`,
    state: "waiting for the payment",
    payer:
      `Send the payment as it stands below. This page tells when it is seen: that takes as long as its chain does.
      {compareAddresses}
      {payAndWait}`,
  },
  waiting_for_exact_deposit: {
    integrator:
      `The swap waits for exactly {exactAmount} at {depositAddress}, before {expiry}. Another amount does not count, and is lost.
      Send exactly {exactAmount} to {depositAddress}, to the last digit, without taking the fee of your wallet off it.
      {checkDeposit}`,
    state: "waiting for the payment",
    payer:
      `Send exactly {exactAmount}, to the last digit, as it stands below: another amount does not count, and is lost.
      {compareAddresses}
      {payAndWait}`,
  },
  waiting_for_deposit_with_memo: {
    integrator:
      `The swap waits for its deposit: {toSend} to {depositAddress} with the memo {memo}, before {expiry}. Without this memo the money is lost.
      Send {toSend} to {depositAddress}, and enter {memo} as the memo, letter by letter. Do not send from a wallet or exchange that takes no memo.
      If it was sent without the memo: the provider alone can tell whose it is. Ask it with the transaction.`,
    state: "waiting for the payment",
    payer: `Send the payment as it stands below, with its memo: without the memo the money is lost.
      {compareAddresses}
      {payAndWait}
      If you have paid without the memo: {askHere}`,
  },
  channel_closing: {
    integrator:
      `The channel expires at {expiry}, too soon for another deposit. A deposit sent now may come too late.
      Do not send now: open a new swap.
      If it was already sent: wait. {late} That is what {provider} does with late ones.`,
    state: "do not pay",
    payer:
      `It is too late to pay: the address takes payments until {expiry} only, and one sent now may not be in a block by then.
      Do not pay any more: {newAddress}
      If you have paid: wait. The payment shows here once it is seen.`,
  },
  channel_expired: {
    integrator:
      `The channel expired at {expiry}, and no deposit to it was seen. Do not send to its address any more. {late}
      Open a new swap for a new address.
      If a deposit was sent: look its transaction up on {sourceChain}. A deposit that was in a block before the expiry still shows here.`,
    state: "expired",
    payer:
      `No payment was seen by {expiry}, when the address stopped taking any. Do not send anything to it any more. {late}
      {NewAddress}
      If you have paid: look your transaction up in an explorer of {sourceChain}. One that was in a block in time still shows here. Otherwise {askHere}`,
  },
  provider_switched_off: {
    integrator: `The operator has taken {provider} out of service for new swaps. No deposit has been seen.
      Do not send for now: open a swap with another provider, or wait until this one is back.
      If it was already sent: it is followed all the same, and shows here.`,
    state: "do not pay",
    payer: `Payments to this address are stopped for now. None has been seen.
      Do not pay until this page asks for the payment again. If you cannot wait: {newAddress}
      If you have paid: wait. The payment is followed all the same, and shows here.`,
  },
  network_halted: {
    integrator: `{Provider} takes no deposits of {source} at present. No deposit has been seen.
      Do not send for now: it may be held until the network goes on. Open a swap with another provider, or wait.
      If it was already sent: it is taken up once the network goes on, and shows here.`,
    state: "do not pay",
    payer: `Payments of {source} are not taken at present. None has been seen.
      Do not pay until this page asks for the payment again: it could be held until then. If you cannot wait: {newAddress}
      If you have paid: wait. The payment is taken up once they are taken again, and shows here.`,
  },
  deposit_unnoticed: {
    integrator: `{Deposit} was seen{depositTransaction}, but {provider} has not taken it up yet.
      Wait for some minutes: this mostly resolves itself.
      If it does not: ask the operator to have the provider look for the deposit again.`,
    state: "payment seen",
    payer: `{Payment} was seen, but is not taken up yet.
      Wait for some minutes: this mostly resolves itself. {payOnce}
      If it does not: {askHere}`,
  },
  deposit_seen: {
    integrator:
      `{Deposit} was seen on {sourceChain}{depositTransaction}, and gathers confirmations: {confirmed}.
      {goesOn}`,
    state: "payment seen",
    payer: `{Payment} was seen on {sourceChain}, and gathers confirmations: {confirmed}.
      {goesOn} {payOnce}`,
  },
  deposit_late: {
    integrator:
      `{Deposit} was seen on {sourceChain}{depositTransaction}, but is confirmed more slowly than usual: {confirmed}.
      {lookDeposit}
      If your wallet can raise the fee of the transaction, do so. {sendOnce}`,
    state: "delayed",
    payer: `{Payment} was seen on {sourceChain}, but is confirmed more slowly than usual: {confirmed}.
      {lookPayment}
      If your wallet can raise the fee of the transaction, do so. {payOnce}`,
  },
  deposit_incomplete: {
    integrator:
      `{Deposit} was seen, which is less than the {expected} that this swap was opened for. So little may not be swapped as it is.
      {sendRest}
      {orWait}`,
    state: "payment seen",
    payer:
      `{Payment} was seen, which is less than the {expected} that were agreed. So little may not be swapped as it is.
      {sendRest}
      {orWait}`,
  },
  deposit_confirmed: {
    integrator:
      `{Deposit} has all its confirmations{depositTransaction}, and is about to be credited by {provider}.
      {goesOn}`,
    state: "payment seen",
    payer: `{Payment} has all its confirmations, and is about to be swapped.
      {goesOn} {payOnce}`,
  },
  deposit_waits_for_network: {
    integrator:
      `{Deposit} was seen{depositTransaction}, but {provider} credits no deposits of {source} at present. It waits until the network goes on.
      Wait. Do not send a second deposit: the first one is taken up once the network goes on.`,
    state: "delayed",
    payer: `{Payment} was seen, but payments of {source} are not taken up at present. It waits until they are.
      Wait: it goes on by itself then. {payOnce}`,
  },
  late_deposit_seen: {
    integrator: `{Deposit} was seen{depositTransaction} after the channel had expired ({expiry}). {soLate}
      Wait. For another swap open a new channel: do not send to this address again.`,
    state: "payment seen",
    payer: `{Payment} was seen, but only after {expiry}, when the address had stopped taking any. {soLate}
      Wait: what becomes of it shows here.
      {another}`,
  },
  boost_pending: {
    integrator:
      `{Deposit} was seen{depositTransaction}. {Provider} may credit it ahead of its confirmations, as a boost was asked for.
      {goesOn}`,
    state: "payment seen",
    payer: `{Payment} was seen, and may be swapped ahead of its confirmations.
      {goesOn} {payOnce}`,
  },
  boost_skipped: {
    integrator:
      `{Deposit} was not boosted, as nobody lent it within the fee that was asked for. It is swapped once it is confirmed: {confirmed}. No boost fee is charged.
      {goesOn}`,
    state: "payment seen",
    payer: `{Payment} was seen, and is swapped once it is confirmed: {confirmed}.
      {goesOn} {payOnce}`,
  },
})
