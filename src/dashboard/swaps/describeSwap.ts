import { type AssetId, factsOf } from "../../domain/Asset.ts"
import type { AccountSwap } from "../../domain/Business.ts"
import {
  type Deposit,
  type Egress,
  type Failure,
  isSettled,
  type SwapState,
  type SwapStatus,
} from "../../domain/Swap.ts"
import { EpochMillis } from "../../domain/Time.ts"
import { type Html, html, nothing } from "../../pages/html.ts"
import { amount } from "../../pages/amounts.ts"
import { copyable, foreign, kv, pill, type Tone } from "../../pages/parts.ts"
import { time } from "../../pages/times.ts"

const tones: Readonly<Record<SwapState, Tone>> = {
  waiting: "plain",
  receiving: "info",
  swapping: "info",
  sending: "info",
  sent: "info",
  completed: "good",
  failed: "bad",
}

/** The word of a state. A refund is its own word: the money went back. */
export const stateBadge = ({ refundEgress, state, swapEgress }: SwapStatus): Html =>
  state === "completed" && refundEgress !== undefined && swapEgress === undefined
    ? pill("refunded", "warn")
    : pill(state, tones[state])

export const stalledBadge = ({ stalledSince }: AccountSwap): Html =>
  stalledSince === undefined ? nothing : pill("stalled", "bad")

/** The pair: `BTC → ETH`, with the full ids where tickers are alike on several chains. */
export const pair = ({ destinationAsset, sourceAsset }: SwapStatus): Html =>
  html`
    <span
      class="am"><abbr title="${sourceAsset}">${factsOf(sourceAsset)
        .ticker}</abbr> → <abbr title="${destinationAsset}">${factsOf(destinationAsset).ticker}</abbr></span>
  `

/** What was deposited, or else what was expected. */
export const amountIn = ({ deposit, depositChannel, sourceAsset }: SwapStatus): Html | undefined => {
  if (deposit !== undefined) return amount(sourceAsset, deposit.amount)
  const expected = depositChannel?.expectedDepositAmount
  return expected === undefined ? undefined : html`${amount(sourceAsset, expected)} <small>expected</small>`
}

/** What was paid out, or else what is expected while the swap goes on. */
export const amountOut = (status: SwapStatus): Html | undefined => {
  const { depositChannel, destinationAsset, swapEgress } = status
  if (swapEgress !== undefined) return amount(destinationAsset, swapEgress.amount)
  const expected = isSettled(status) ? undefined : depositChannel?.expectedOutputAmount
  return expected === undefined
    ? undefined
    : html`${amount(destinationAsset, expected)} <small>expected</small>`
}

/** The failures of a swap, with the payment that each is of. */
export const failuresOf = (status: SwapStatus): ReadonlyArray<readonly [of: string, failure: Failure]> => {
  const payments: ReadonlyArray<readonly [string, Pick<Egress, "failure"> | undefined]> = [
    ["The deposit", status.deposit],
    ["The payment of the output", status.swapEgress],
    ["The refund", status.refundEgress],
    ["The payment to the fallback address", status.fallbackEgress],
  ]
  return payments.flatMap(([of, payment]) =>
    payment?.failure === undefined ? [] : [[of, payment.failure] as const]
  )
}

/** What an upstream gives as the reason of a failure. */
export const failureText = ({ mode, reason }: Failure): Html =>
  html`${foreign(mode, 60)}: ${foreign(reason.message, 300)} <small>(${foreign(reason.code, 60)})</small>`

const payment = (title: string, asset: AssetId, paid: Deposit | Egress | undefined, now: EpochMillis): Html =>
  paid === undefined ? nothing : html`<h3>${title}</h3>${
    kv([
      ["Amount", amount(asset, paid.amount)],
      [
        "Transaction",
        paid.transactionReference === undefined
          ? "not known yet"
          : copyable(paid.transactionReference, "transaction"),
      ],
      ["Seen", paid.witnessedAt === undefined ? undefined : time(paid.witnessedAt, now)],
      ["Failed", paid.failedAt === undefined ? undefined : time(paid.failedAt, now)],
    ])
  }`

/** Now as the record's times mean it: a simulated network can be days ahead, and what it told has happened. */
export const nowOf = ({ lastStateChainUpdateAt }: SwapStatus, now: EpochMillis): EpochMillis =>
  EpochMillis.make(Math.max(now, lastStateChainUpdateAt ?? now))

/** What was paid of a swap, and when it was seen. */
export const payments = (status: SwapStatus, ourNow: EpochMillis): Html => {
  const now = nowOf(status, ourNow)
  const { deposit, destinationAsset, fallbackEgress, refundEgress, sourceAsset, swapEgress } = status
  if (deposit === undefined && swapEgress === undefined && refundEgress === undefined) {
    return html`<p class="soft">No payment was seen yet. The deposit shows here as soon as its transaction is in a block.</p>`
  }
  return html`${payment("Deposit", sourceAsset, deposit, now)}${
    payment("Output", destinationAsset, swapEgress, now)
  }${payment("Refund", sourceAsset, refundEgress, now)}${
    payment("To the fallback address", destinationAsset, fallbackEgress, now)
  }`
}
