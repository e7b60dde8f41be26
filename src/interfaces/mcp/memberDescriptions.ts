/**
 * Words for members in the list of tools, in place of those of the contract: a model reads all of them before its first
 * call. They go by the member's name, or by `tool.name` for one tool alone. An empty text says that the name is enough.
 */
type Words = Readonly<Record<string, string>>

const affiliates: Words = Object.fromEntries([2, 3, 4].flatMap((number) => [
  [`affiliate${number}`, ""],
  [`affiliate${number}CommissionBps`, ""],
]))

export const argumentDescriptions: Words = {
  sourceAsset: "Id of the asset to swap from.",
  destinationAsset: "Id of the asset to swap to.",
  amount: "What is sent, in human units: a plain decimal.",
  amountNative: "In place of amount: in the smallest unit, as digits.",
  amountOut: "In place of amount: what is to arrive, to the unit, in human units.",
  amountOutNative: "The same in the smallest unit.",
  rank:
    "Sort by net (most output; the default), fastest, guaranteed (most at the minimum price) or reliable (most, weighed by past success).",
  start:
    "How the swap begins: channel (the default, for prepare_swap), transaction of the sender's own wallet, or any.",
  commissionBps: "Broker commission in basis points; raised to the account's default.",
  sourceAddress: "Sender of the transaction; some providers need it.",
  "get_quotes.destinationAddress": "Recipient; some providers quote for one address only.",
  boostFee: "Highest boost fee accepted for a Bitcoin deposit, in basis points; 0: no boost.",
  refundAddress: "Address for a refund on the source chain: the human's own.",
  retryDurationInBlocks:
    "How long to wait for the minimum price, in blocks of 6 seconds, before the deposit is refunded.",
  numberOfChunks: "DCA: number of parts to split the swap into.",
  affiliate1:
    "An affiliate: ss58 broker account, or the operator's name for it. Each goes with its affiliateNCommissionBps.",
  affiliate1CommissionBps: "Its commission in basis points, added to what the user pays.",
  ...affiliates,
  "list_swaps.offset": "Swap id to start from, itself included.",
  transaction: "Hash, or block-index reference, of the deposit transaction.",
}

/** Of answers. Amounts with `Native` at the end of their names are explained once, when an agent connects. */
export const answerDescriptions: Words = {
  enabled: "Whether a provider swaps it now.",
  direction: "Whether it can be swapped from (ingress), to (egress), or both.",
  ticker: "",
  minimalAmount: "Lowest minimum deposit of all providers.",
  usdPrice: "Some minutes old.",
  ingressAmount: "What is sent.",
  egressAmount: "What arrives, after all fees.",
  recommendedSlippageTolerancePercent: "The provider's recommendation.",
  slippageTolerancePercent: "The tolerance to suggest for the minimum price.",
  highSlippageWarning:
    "The provider recommends a larger tolerance: within the suggested one the swap may be refunded.",
  priceImpactPercent:
    "How far the price is below that of a small amount, without fees. Above 5: lowLiquidityWarning.",
  estimatedPrice: "Destination units for one source unit.",
  "get_quotes.expiresAt": "",
  Rank: "",
  position: "",
  policy: "",
  net: "Output less the typical cost of making the deposit. No order depends on it.",
  relativeToBestBps: "How far net is below the best, in basis points: 0 or less.",
  reasons: "Why it ranks behind the offer before it.",
  Fee: "broker: the operator's and affiliates'.",
  purpose: "provider: what it keeps; refund: what a refund costs.",
  isEstimate: "Worked out from basis points.",
  estimateSeconds: "",
  estimatedDurationSeconds: "From the deposit to the payout.",
  observedP50: "",
  observedP90: "",
  Reliability: "Of the latest swaps of this broker with this provider between these two chains.",
  lowerBound: "Of the share that completed (95 % interval).",
  completed: "",
  n: "",
  id: "",
  "open_swap.id": "The swapId for other tools.",
  "open_swap.address": "Deposit address on `network`.",
  "open_swap.expiresAt": "When the address stops taking deposits. What comes later may be lost.",
  "open_swap.platform": "",
  refundsTo: "",
  Payment: "",
  scheme: "Form of uri. address: there is no link; copy the address.",
  maximumBoostFeeBps: "",
  uri: "Link for wallets. Absent where a payment by link could be lost.",
  "get_payment.expiresAt": "",
  warnings: "Show all of them to the human.",
  memo: "The payment must carry it, else the money is lost.",
  exactAmount: "The only amount that counts, to the last digit.",
  openedAt: "",
  changedAt: "When state changed last.",
  Guidance: "",
  phase: "For programs.",
  since: "When the phase began.",
  expectedBy: "When the phase should be over; absent at the end, and when overdue.",
  text: "For the human.",
  whatYouCanDo: "Advice, the most useful first.",
  whomToAsk: "",
  WhomToAsk: "",
  Contact: "",
  contacts: "",
  name: "",
  support: "",
  terms: "",
  warning: "Show it to the human.",
  at: "",
}
