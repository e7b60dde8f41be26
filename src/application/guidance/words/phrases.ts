import type { PayerTold, TextValues } from "../textValues.ts"
import { type Phrases, phrasesOf, type TextFor } from "./sentences.ts"

/** What payers and integrators read alike, in the payer's page and in `guidance`. */
export const sharedPhrases = phrasesOf<PayerTold>()({
  source: "{sourceTicker} on {sourceChain}",
  destination: "{destinationTicker} on {destinationChain}",
  swapped: { by: "swappedAmount", true: "{swappedAmount}", false: "a part" },
  remaining: { by: "remainingAmount", true: "{remainingAmount}", false: "the rest" },
  expiry: { by: "expiryTime", true: "{expiryTime}", false: "its expiry" },
  retryFor: {
    by: "retryUnit",
    minute: "{retryNumber} minute",
    minutes: "{retryNumber} minutes",
    hours: "{retryNumber} hours",
  },
  noAction: "No action needed.",
})

/** The phrases of integrators. */
export const phrases = phrasesOf<TextValues>()({
  ...sharedPhrases,
  // What is told of the swap.
  expected: { by: "expectedAmount", true: "{expectedAmount}", false: "expected amount" },
  /** What the payer sends: the amount where one was named, else the asset alone. */
  toSend: { by: "expectedAmount", true: "{expectedAmount} on {sourceChain}", false: "{source}" },
  deposit: { by: "depositAmount", true: "the deposit of {depositAmount}", false: "the deposit" },
  /** The minimum of a deposit that is below it, where it is on record. */
  minimumSaid: { by: "minimumAmount", true: ", {minimumAmount}", false: "" },
  whyRefunded: {
    by: "isPricedOut",
    true: "The deposit was not swapped, because the market stayed below the minimum price of {minimumPrice}.",
    false: "{Provider} gave no reason for the refund.",
  },
  payout: { by: "payoutAmount", true: "{payoutAmount}", false: "the output" },
  refund: { by: "refundAmount", true: "{refundAmount}", false: "the deposit" },
  fallback: { by: "fallbackAmount", true: "{fallbackAmount}", false: "the output" },
  minimumPrice: { by: "priceLimit", true: "{priceLimit} {destinationTicker} per {sourceTicker}", false: "0" },
  confirmed: {
    by: "confirmations",
    both: "{confirmationsSeen} of {confirmationsNeeded}",
    seen: "{confirmationsSeen} so far",
    needed: "{confirmationsNeeded} needed",
    unknown: "unknown",
  },
  memo: { by: "memoText", true: "{memoText}", false: "of the record" },
  depositAddress: { by: "payTo", true: "{payTo}", false: "the deposit address" },
  destinationAddress: { by: "payOutTo", true: "{payOutTo}", false: "the destination address" },
  refundAddress: { by: "refundTo", true: "{refundTo}", false: "the refund address" },
  depositTransaction: { by: "depositReference", true: " in transaction {depositReference}", false: "" },
  payoutTransaction: { by: "payoutReference", true: " in transaction {payoutReference}", false: "" },
  refundTransaction: { by: "refundReference", true: " in transaction {refundReference}", false: "" },
  fallbackTransaction: { by: "fallbackReference", true: " in transaction {fallbackReference}", false: "" },
  // What can be done.
  sendOnce: "Do not send a second deposit.",
  tryAgain: "To try again, request a new quote and open a new swap.",
  checkDeposit:
    "If a deposit was sent, compare its chain, asset, amount and address with these in an explorer of its chain.",
  lookUp: "If there is a transaction, look it up in an explorer of its chain.",
  lookDeposit:
    "Look up the transaction in an explorer of {sourceChain}. Its fee may be too low, or it was replaced.",
  raiseFee: "If your wallet can raise the fee of the transaction, do so.",
  askReindex: "If it lasts, ask the operator to have {provider} look for the deposit again.",
  askProvider: "Ask {provider} support and attach the case file. A later refund shows here.",
  askOperator: "If it lasts, write to the operator and attach the case file.",
  limit:
    "No action needed. Nothing is swapped below the minimum price of {minimumPrice}; the rest is then refunded to {refundAddress}.",
  late: {
    by: "lateDeposit",
    swapped: "A deposit that arrives now is still swapped.",
    refunded: "A deposit that arrives now is refunded.",
    lost: "A deposit that arrives after the expiry is lost.",
    untold: "It is unknown whether {provider} refunds a deposit that arrives now, so it may be lost.",
  },
  soLate: {
    by: "lateDeposit",
    swapped: "A late deposit is still swapped.",
    refunded: "A late deposit is refunded.",
    lost: "A late deposit is lost.",
    untold: "It is unknown whether {provider} refunds late deposits, so it may be lost.",
  },
  sendRest: {
    by: "takesRest",
    true: "Send the missing amount to the same address before {expiry}.",
    false: "Wait, and send nothing more. What is not swapped is refunded to {refundAddress}.",
  },
  orWait: {
    by: "takesRest",
    true: "Or wait. What is not swapped is refunded to {refundAddress} after the expiry.",
    false: "",
  },
  /** How the next swap begins: nothing is ever sent to an old address, or by an old payload. */
  another: {
    by: "hasChannel",
    true: "For another swap open a new channel. Do not send to the old address again.",
    false: "For another swap request a new payload. Do not send this transaction again.",
  },
  /** The beginning of a text about a refund that failed: the part of the deposit that was swapped. */
  swappedPart: {
    by: "isPaidOut",
    true:
      "Part of the deposit was swapped, and {payout} was paid to {destinationAddress}{payoutTransaction}. The rest was not.",
    false: "The deposit was not swapped.",
  },
  /** The refund of a deposit that the provider has given up. */
  givenBack: {
    by: "refundAmount",
    true: "{Refund} was refunded to {refundAddress}{refundTransaction}; the rest is unaccounted for.",
    false: "No refund to {refundAddress} is known. Amounts below the network fees are not refunded.",
  },
  /** The end of a text about a payout that failed: the part that was not swapped. */
  returnedPart: {
    by: "isPaidBack",
    true: " The rest, {refund}, was refunded to {refundAddress}{refundTransaction}.",
    false: "",
  },
})

/** What the operator reads instead. */
export const operatorPhrases: Phrases = {
  ...phrases,
  sendOnce: "Tell the payer not to send a second deposit.",
  tryAgain: "No action needed.",
  raiseFee: "The payer's wallet may be able to raise the fee.",
  askReindex: "If it lasts, have {provider} look for the deposit again.",
  askOperator: "If it lasts, ask {provider} support and attach the case file.",
  another: "",
}

/** A part of the table of texts: one for each phase. The first line is the status, the others are advice. */
export const rows = <const Table extends Readonly<Record<string, string>>>(
  table: Table & { readonly [Phase in keyof Table]: TextFor<Table[Phase], TextValues, typeof phrases> },
): Table => table
