import type { LateDeposit } from "../../domain/Channel.ts"
import type { DepositPhase } from "../../domain/Guidance.ts"
import { capital, type Wording } from "../told.ts"

const late: Readonly<Record<LateDeposit, string>> = {
  swapped: "A deposit that comes now is still swapped.",
  refunded: "A deposit that comes now goes back to the refund address.",
  lost: "A deposit that comes now is lost.",
  untold: "The provider does not say what becomes of a deposit that comes now: it may be lost.",
}

const nothing = "Nothing has to be done: it goes on by itself."
const checkDeposit =
  "If a deposit was sent: compare its chain, asset, amount and address with those here, in an explorer of its chain."

/** The texts from the opening of a channel to the deposit. */
export const depositWords = {
  opening_requested: ({ provider }) => ({
    text: `${capital(provider)} is being asked for a deposit channel.`,
    whatYouCanDo: ["Wait some seconds. Nothing can be sent yet: there is no address so far."],
  }),
  opening_unknown: ({ provider }) => ({
    text:
      `Whether ${provider} has opened a channel is not known: its answer was lost. No address was handed out.`,
    whatYouCanDo: [
      "Repeat the request with the same Idempotency-Key: it is looked up, and no second channel is opened unless there is provably none.",
      "Without such a key, open a new swap: money cannot be lost in a channel whose address nobody has.",
    ],
  }),
  opening_refused: ({ provider }) => ({
    text: `${capital(provider)} has refused to open a channel. There is no address, and nothing can be sent.`,
    whatYouCanDo: [
      "Correct what the answer to the request named, or ask for quotes again and open another swap.",
    ],
  }),
  waiting_for_deposit: ({ depositAddress, expiry, toSend }) => ({
    text: `The swap waits for its deposit: ${toSend} to ${depositAddress}, before ${expiry}.`,
    whatYouCanDo: [
      `Send ${toSend} to ${depositAddress}. It has to be in a block before ${expiry}: do not send it shortly before.`,
      checkDeposit,
    ],
  }),
  waiting_for_exact_deposit: ({ depositAddress, exactAmount, expiry }) => ({
    text: `The swap waits for exactly ${exactAmount} at ${depositAddress}, before ${expiry}. ` +
      "Another amount does not count, and is lost.",
    whatYouCanDo: [
      `Send exactly ${exactAmount} to ${depositAddress}, to the last digit, without taking the fee of your wallet off it.`,
      checkDeposit,
    ],
  }),
  waiting_for_deposit_with_memo: ({ depositAddress, expiry, memo, toSend }) => ({
    text:
      `The swap waits for its deposit: ${toSend} to ${depositAddress} with the memo ${memo}, before ${expiry}. ` +
      "Without this memo the money is lost.",
    whatYouCanDo: [
      `Send ${toSend} to ${depositAddress}, and enter ${memo} as the memo, letter by letter. Do not send from a wallet or exchange that takes no memo.`,
      "If it was sent without the memo: the provider alone can tell whose it is. Ask it with the transaction.",
    ],
  }),
  channel_closing: ({ expiry, lateDeposit, provider }) => ({
    text:
      `The channel expires at ${expiry}, too soon for another deposit. A deposit sent now may come too late.`,
    whatYouCanDo: [
      "Do not send now: open a new swap.",
      `If it was already sent: wait. ${late[lateDeposit]} That is what ${provider} does with late ones.`,
    ],
  }),
  channel_expired: ({ expiry, lateDeposit, sourceChain }) => ({
    text:
      `The channel expired at ${expiry}, and no deposit to it was seen. Do not send to its address any more. ` +
      late[lateDeposit],
    whatYouCanDo: [
      "Open a new swap for a new address.",
      `If a deposit was sent: look its transaction up on ${sourceChain}. A deposit that was in a block before the expiry still shows here.`,
    ],
  }),
  provider_switched_off: ({ provider }) => ({
    text: `The operator has taken ${provider} out of service for new swaps. No deposit has been seen.`,
    whatYouCanDo: [
      "Do not send for now: open a swap with another provider, or wait until this one is back.",
      "If it was already sent: it is followed all the same, and shows here.",
    ],
  }),
  network_halted: ({ provider, source }) => ({
    text: `${capital(provider)} takes no deposits of ${source} at present. No deposit has been seen.`,
    whatYouCanDo: [
      "Do not send for now: it may be held until the network goes on. Open a swap with another provider, or wait.",
      "If it was already sent: it is taken up once the network goes on, and shows here.",
    ],
  }),
  deposit_unnoticed: ({ deposit, depositTransaction, provider }) => ({
    text: `${capital(deposit)} was seen${depositTransaction}, but ${provider} has not taken it up yet.`,
    whatYouCanDo: [
      "Wait for some minutes: this mostly resolves itself.",
      "If it does not: ask the operator to have the provider look for the deposit again.",
    ],
  }),
  deposit_seen: ({ confirmations, deposit, depositTransaction, requiredConfirmations, sourceChain }) => ({
    text:
      `${
        capital(deposit)
      } was seen on ${sourceChain}${depositTransaction}, and gathers confirmations: ${confirmations}` +
      `${requiredConfirmations === undefined ? " so far" : ` of ${requiredConfirmations}`}.`,
    whatYouCanDo: [nothing],
  }),
  deposit_late: ({ confirmations, deposit, depositTransaction, requiredConfirmations, sourceChain }) => ({
    text:
      `${
        capital(deposit)
      } was seen on ${sourceChain}${depositTransaction}, but is confirmed more slowly than usual: ` +
      `${confirmations}${requiredConfirmations === undefined ? " so far" : ` of ${requiredConfirmations}`}.`,
    whatYouCanDo: [
      `Look the transaction up in an explorer of ${sourceChain}: it may pay too low a fee, or have been replaced.`,
      "If your wallet can raise the fee of the transaction, do so. Do not send a second deposit.",
    ],
  }),
  deposit_incomplete: ({ deposit, expected, expiry, refundAddress }) => ({
    text:
      `${
        capital(deposit)
      } was seen, which is less than the ${expected} that this swap was opened for. So little may not ` +
      "be swapped as it is.",
    whatYouCanDo: [
      `Send what is missing to the same address before ${expiry}.`,
      `Or wait: what is not swapped goes back to ${refundAddress} after the expiry.`,
    ],
  }),
  deposit_confirmed: ({ deposit, depositTransaction, provider }) => ({
    text: `${
      capital(deposit)
    } has all its confirmations${depositTransaction}, and is about to be credited by ${provider}.`,
    whatYouCanDo: [nothing],
  }),
  deposit_waits_for_network: ({ deposit, depositTransaction, provider, source }) => ({
    text:
      `${
        capital(deposit)
      } was seen${depositTransaction}, but ${provider} credits no deposits of ${source} at present. ` +
      "It waits until the network goes on.",
    whatYouCanDo: ["Wait. Do not send a second deposit: the first one is taken up once the network goes on."],
  }),
  late_deposit_seen: ({ deposit, depositTransaction, expiry, lateDeposit }) => ({
    text: `${capital(deposit)} was seen${depositTransaction} after the channel had expired (${expiry}). ${
      late[lateDeposit].replace("that comes now", "that comes so late")
    }`,
    whatYouCanDo: ["Wait. For another swap open a new channel: do not send to this address again."],
  }),
  boost_pending: ({ deposit, depositTransaction, provider }) => ({
    text:
      `${capital(deposit)} was seen${depositTransaction}. ${
        capital(provider)
      } may credit it ahead of its confirmations, ` +
      "as a boost was asked for.",
    whatYouCanDo: [nothing],
  }),
  boost_skipped: ({ deposit, requiredConfirmations, confirmations }) => ({
    text:
      `${
        capital(deposit)
      } was not boosted, as nobody lent it within the fee that was asked for. It is swapped once it ` +
      `is confirmed: ${confirmations} of ${
        requiredConfirmations ?? "the necessary"
      } confirmations. No boost fee is charged.`,
    whatYouCanDo: [nothing],
  }),
  transaction_unknown: () => ({
    text: "No swap with this transaction is known yet. A transaction is found some blocks after it was sent.",
    whatYouCanDo: [
      "Wait for a few blocks of its chain, and ask again.",
      "If it stays unknown: compare address, amount and data of the transaction with the payload or the channel that it was made for, in an explorer of its chain.",
    ],
  }),
} as const satisfies Readonly<Record<DepositPhase, Wording>>
