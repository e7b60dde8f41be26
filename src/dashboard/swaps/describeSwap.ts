import { factsOf } from "../../domain/Asset.ts"
import type { AccountSwap } from "../../domain/Business.ts"
import { type Egress, type Failure, isSettled, type SwapState, type SwapStatus } from "../../domain/Swap.ts"
import { type Html, html, nothing } from "../../pages/html.ts"
import { amount, badge, foreign, type Tone } from "../../pages/parts.ts"

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
    ? badge("refunded", "warn")
    : badge(state, tones[state])

export const stalledBadge = ({ stalledSince }: AccountSwap): Html =>
  stalledSince === undefined ? nothing : badge("stalled", "bad")

/** The pair: `BTC → ETH`, with the full ids where tickers are alike on several chains. */
export const pair = ({ destinationAsset, sourceAsset }: SwapStatus): Html =>
  html`
    <span
      class="pair"><abbr title="${sourceAsset}">${factsOf(sourceAsset)
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
