import { type AssetId, factsOf } from "#domain/chains/Asset.ts"
import type { AccountSwap } from "#domain/operations/Business.ts"
import {
  type Deposit,
  type Egress,
  type Failure,
  isOver,
  isSettled,
  resultOf,
  type SwapStatus,
} from "#domain/swaps/Swap.ts"
import { addValues } from "#domain/money/UsdValue.ts"
import { type Html } from "../../pages/jsx-runtime.ts"
import { amount, assetName, coin, dollars, unpaidDollars } from "../../pages/amounts.tsx"
import { pill, untrusted } from "../../pages/parts.tsx"
import { endOf } from "#application/swapping/following/Progress.ts"

const pills = {
  waiting: pill("Waiting", "wait"),
  receiving: pill("Receiving", "info"),
  swapping: pill("Swapping", "info"),
  sending: pill("Sending", "info"),
  sent: pill("Sent", "info"),
  completed: pill("Completed", "good"),
  refunded: pill("Refunded", "warn"),
  partlyRefunded: pill("Partly refunded", "warn"),
  failed: pill("Failed", "bad"),
  expired: pill("Expired"),
  stalled: pill("Stalled", "bad"),
  disputed: pill("Disputed", "warn"),
} as const

/** The word of a status. A refund is its own word, as the money went back; so is a channel that nobody paid into in time. */
export const stateBadge = (status: SwapStatus): Html => {
  const isExpired = status.state === "waiting" && status.depositChannel?.isExpired === true
  return pills[isExpired ? "expired" : resultOf(status) ?? status.state]
}

/** Whether what the upstream says of a swap is not believed. */
export const isDisputed = ({ record: { standing, status } }: AccountSwap): boolean =>
  standing.contradictedAt !== undefined && !isSettled(status)

/** Whether a swap stays in its state for longer than it should. */
export const isStalled = ({ record: { status }, stalledSince }: AccountSwap): boolean =>
  stalledSince !== undefined && !isOver(status)

/** The word of a swap: what is wrong with it comes before its state. */
export const swapBadge = (swap: AccountSwap): Html =>
  isDisputed(swap) ? pills.disputed : isStalled(swap) ? pills.stalled : stateBadge(swap.record.status)

/** An amount as lists have it, with the picture of its asset. */
const listed = (asset: AssetId, native: bigint): Html => <>{coin(asset)}{amount(asset, native, "list")}</>

const nothingOf = (word: string, asset: AssetId): Html =>
  <>
    <span class="soft">{word}</span> <span class="am">{assetName(asset)}</span>
  </>

/** What was paid in, or else what was expected; the asset alone where no amount is known. */
export const paidIn = ({ deposit, depositChannel, sourceAsset }: SwapStatus): Html => {
  const native = deposit?.amount ?? depositChannel?.expectedDepositAmount
  return native === undefined
    ? <>{coin(sourceAsset)}{nothingOf("any", sourceAsset)}</>
    : listed(sourceAsset, native)
}

/** What was paid out or back, or what is expected while the swap goes on. */
export const paidOut = (status: SwapStatus): Html => {
  const { depositChannel, destinationAsset, refundEgress, sourceAsset, swapEgress } = status
  const soft = (word: string, rest: Html): Html => (
    <>
      <span class="soft">{word}</span> {rest}
    </>
  )
  const end = endOf(status)
  if (end === "refunded" && refundEgress !== undefined) {
    return soft("back", listed(sourceAsset, refundEgress.amount))
  }
  if (end === "failed") return nothingOf("→ not paid,", destinationAsset)
  if (swapEgress !== undefined) {
    return soft(end === "completed" ? "→" : "≈", listed(destinationAsset, swapEgress.amount))
  }
  if (status.state === "waiting" && depositChannel?.isExpired === true) {
    return nothingOf("→ none came,", destinationAsset)
  }
  const expected = isSettled(status) ? undefined : depositChannel?.expectedOutputAmount
  return expected === undefined
    ? nothingOf("→", destinationAsset)
    : soft("≈", listed(destinationAsset, expected))
}

/** The dollars of a swap, in brackets while nothing was paid in. */
export const valueCell = ({ record: { status }, value }: AccountSwap): Html | undefined =>
  value === undefined ? undefined : status.deposit === undefined ? unpaidDollars(value) : dollars(value)

/** What the swaps of a page were worth together, and how many of those that were paid into have no price. */
export const sumsOf = (swaps: ReadonlyArray<AccountSwap>) => {
  const paid = swaps.filter(({ record }) => record.status.deposit !== undefined)
  const sum = (values: ReadonlyArray<AccountSwap["value"]>) =>
    values.reduce(
      (sum, value) => sum === undefined ? value : value === undefined ? sum : addValues(sum, value),
      undefined,
    )
  return {
    paidIn: sum(paid.map(({ value }) => value)),
    commission: sum(swaps.map(({ commissionValue }) => commissionValue)),
    unvalued: paid.filter(({ value }) => value === undefined).length,
  }
}

/** A payment that has not failed. */
export const arrived = (payment: Egress | undefined): Egress | undefined =>
  payment?.failedAt === undefined && payment?.failure === undefined ? payment : undefined

/** The failures of a swap, with the payment that each is of. */
export const failuresOf = (status: SwapStatus): ReadonlyArray<readonly [of: string, failure: Failure]> => {
  const payments: ReadonlyArray<readonly [string, Pick<Deposit | Egress, "failure"> | undefined]> = [
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
  <>
    {untrusted(mode, 60)}: {untrusted(reason.message, 300)} <small>({untrusted(reason.code, 60)})</small>
  </>

/** The pair: `BTC to ETH`. */
export const pairOf = (
  { destinationAsset, sourceAsset }: Pick<SwapStatus, "destinationAsset" | "sourceAsset">,
): string => `${factsOf(sourceAsset).ticker} to ${factsOf(destinationAsset).ticker}`
