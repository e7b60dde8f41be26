/** Words for members in the list of tools, by name or `tool.name`: a model reads all of them. */
export type Words = Readonly<Record<string, string>>

/** Names that say enough. */
const evident = (names: string): Words => Object.fromEntries(names.split(" ").map((name) => [name, ""]))

export const argumentDescriptions: Words = {
  sourceAsset: "Id of the asset to swap from.",
  destinationAsset: "Id of the asset to swap to.",
  amount: "What is sent, in human units: a plain decimal.",
  amountNative: "In place of amount: in the smallest unit, as digits.",
  amountOut: "In place of amount: what is to arrive, to the unit, in human units.",
  amountOutNative: "The same in the smallest unit.",
  rank:
    "By net (most output; the default), fastest, guaranteed (most at the minimum price) or reliable (most, weighed by past success).",
  start:
    "How the swap begins: channel (the default, for prepare_swap), transaction of the sender's own wallet, or any.",
  commissionBps: "Broker commission in basis points, at least the account's.",
  sourceAddress: "Sender of the transaction; some providers need it.",
  "get_quotes.destinationAddress": "Recipient; some providers quote for one address only.",
  boostFee: "Highest boost fee accepted for a Bitcoin deposit, in basis points; 0: no boost.",
  refundAddress: "Address for a refund on the source chain: the human's own.",
  minimumPrice: "Minimum price that the human accepts, above 0: destination units for one source unit.",
  minimumReceived: "Or the minimum that may arrive, in destination units. Not with DCA.",
  slippageTolerancePercent: "Or how far the minimum price may be below the estimatedPrice.",
  quoteId: "From get_quotes: prepares exactly that offer. One quote opens one swap, until it expires.",
  retryDurationInBlocks:
    "How long the minimum price is waited for before the refund, in blocks of 6 seconds.",
  numberOfChunks: "DCA: number of parts to split the swap into.",
  affiliate1:
    "An affiliate's broker account (ss58), or the operator's name for it; each with its affiliateNCommissionBps.",
  affiliate1CommissionBps: "Its commission in basis points, added to what the user pays.",
  ...evident(
    "affiliate2 affiliate2CommissionBps affiliate3 affiliate3CommissionBps affiliate4 affiliate4CommissionBps",
  ),
  "list_swaps.offset": "Swap id to start from, itself included.",
  transaction: "Hash, or block-index reference, of the deposit transaction.",
}

/** Of answers. Amounts with `Native` at the end of their names are explained once, when an agent connects. */
export const answerDescriptions: Words = {
  ...evident(
    "ticker get_quotes.expiresAt type time reliability payment rank estimateSecondsAfterDeposit " +
      "estimateSecondsAfterConfirmation observedP50SecondsAfterConfirmation " +
      "observedP90SecondsAfterConfirmation completed n id open_swap.platform refundsTo " +
      "maximumDeposit Payment maximumBoostFeeBps get_payment.expiresAt openedAt Guidance whomToAsk " +
      "WhomToAsk Contact contacts name support terms at isEstimate Reliability",
  ),
  enabled: "Whether a provider swaps it now.",
  direction: "Whether it can be swapped from (ingress), to (egress), or both.",
  minimalAmount: "Lowest minimum deposit of all providers.",
  usdPrice: "Some minutes old.",
  usdPriceAtDate: "",
  valueUsd: "",
  valueUsdAtDate: "",
  ingressValueUsd: "",
  egressValueUsd: "",
  ingressAmount: "What is sent.",
  egressAmount: "What arrives, after all fees.",
  recommendedSlippageTolerancePercent: "The provider's recommendation.",
  slippageTolerancePercent: "The tolerance to suggest for the minimum price.",
  highSlippageWarning:
    "The provider recommends more: within the suggested tolerance the swap may be refunded.",
  priceImpactPercent: "How far the price is below that of a small amount. Above 5: lowLiquidityWarning.",
  estimatedPrice: "Destination units for one source unit.",
  relativeToBestBps: "How far below the best, less the cost of the deposit: in basis points, 0 or less.",
  reasons: "Why it ranks behind the offer before it.",
  Fee: "broker: the operator's and affiliates'.",
  purpose: "provider: what it keeps; refund: what a refund costs.",
  lowerBound: "Of the share that completed (95 % interval).",
  "open_swap.id": "The swapId for other tools.",
  "open_swap.address": "Deposit address on `network`.",
  "open_swap.expiresAt": "Later deposits may be lost.",
  minimumDeposit: "A smaller one can be lost.",
  depositUntil: "Later deposits may be lost.",
  scheme: "Form of uri. address: there is no link; copy the address.",
  uri: "Link for wallets. Absent where a payment by link could be lost.",
  warnings: "Show all of them to the human.",
  memo: "The payment must carry it, else the money is lost.",
  exactAmount: "The only amount that counts, to the last digit.",
  changedAt: "When state changed last.",
  phase: "For programs.",
  since: "When the phase began.",
  expectedBy: "When the phase should be over; absent when it is, or overdue.",
  text: "For the human.",
  whatYouCanDo: "Advice, the most useful first.",
  warning: "Show it to the human.",
}
