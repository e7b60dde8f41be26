import { Effect, Equal, Metric, Option, Struct } from "effect"
import type { SwapOutcome } from "#domain/operations/Business.ts"
import type { ChangeKind } from "#domain/swaps/Journal.ts"
import {
  type ChannelRecord,
  type Egress,
  hasPendingEgress,
  hasRefunded,
  isOtherDeposit,
  isSameDeposit,
  isSettled,
  resultOf,
  type SwapState,
  type SwapStatus,
} from "#domain/swaps/Swap.ts"
import type { SwapEventType } from "#domain/swaps/SwapEvent.ts"
import { otherTermIn } from "./compareTerms.ts"
import { commissionsOf } from "#domain/money/Commission.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"

/** Whether a payment is proved: by an amount, and the transaction that carried it. */
export const isPaid = (egress: Egress | undefined): boolean =>
  egress !== undefined && egress.amount > 0n && egress.failure === undefined &&
  egress.transactionReference !== undefined

/**
 * Whether the end of a swap is proved: the output, the refund or the fallback was paid, and nothing more is on its way.
 * Three ends are not proved: a deposit that never came, however long ago the channel expired; a failure, which
 * upstreams take back or follow by a refund; and a refund without a transaction.
 */
export const isProved = (status: SwapStatus): boolean =>
  isSettled(status) && !hasPendingEgress(status) &&
  [status.swapEgress, status.refundEgress, status.fallbackEgress].some(isPaid)

/** The channel that a swap was opened with, for whose deposits it is looked up; none of a vault swap or a later deposit. */
export const ownChannel = ({ depositChannel }: SwapStatus): ChannelRecord | undefined =>
  depositChannel?.isLater === true ? undefined : depositChannel

/** Whether the channel that a swap was opened with still takes deposits, as far as is known. */
export const takesDeposits = (status: SwapStatus): boolean => ownChannel(status)?.isExpired === false

/** Whether a swap can still change: its end is not proved, or its channel takes another deposit. */
export const canChange = (status: SwapStatus): boolean => !isProved(status) || takesDeposits(status)

/** A swap's progress by state. `sending` and `sent` are one: a broadcast can be repeated. */
const steps: Readonly<Record<SwapState, number>> = {
  waiting: 0,
  receiving: 1,
  swapping: 2,
  sending: 3,
  sent: 3,
  completed: 4,
  failed: 4,
}

const digits = /^[0-9]+$/

/** Whether an id belongs to a later swap. Upstream numbers rise; ids that are no numbers can only differ. */
const isNewer = (found: string, known: string): boolean =>
  digits.test(found) && digits.test(known) ? BigInt(found) > BigInt(known) : found !== known

/** Whether an answer is of a later deposit: some upstreams tell the newest swap of a channel (chainflip/wire.md 3.6). */
export const isLaterSwap = (known: SwapStatus, found: SwapStatus): boolean => {
  if (found.swapId === undefined) return false
  if (known.swapId !== undefined) return isNewer(found.swapId, known.swapId)
  return known.depositChannel?.isLater === true
    ? isOtherDeposit(known, found)
    : isSettled(known) && !isSameDeposit(known, found)
}

/**
 * Whether an upstream takes back the failure of a swap, which then goes on or ends otherwise. Upstreams do so, and a
 * failure proves nothing unless a refund was paid. A swap that had begun does not go back to before its beginning.
 */
export const takesBack = (known: SwapStatus, found: SwapStatus): boolean =>
  known.state === "failed" && found.state !== "failed" && !isProved(known) && (known.swapId === undefined ||
    (found.swapId === known.swapId && steps[found.state] >= steps.swapping))

/**
 * Whether an answer can follow from the known status of the same swap. A completed swap keeps its end, a failed one keeps
 * it unless that is taken back, and a swap that has begun does not go back. Before a swap has begun, its deposit can
 * disappear again, because the source chain drops or replaces transactions.
 */
const follows = (known: SwapStatus, found: SwapStatus): boolean => {
  if (isSettled(known)) {
    return (found.state === known.state && found.swapId === known.swapId) || takesBack(known, found)
  }
  if (known.swapId === undefined) return true
  return found.swapId === known.swapId && steps[found.state] >= steps[known.state]
}

/** Whether the output is proved. */
const hasPaid = ({ swapEgress }: SwapStatus): boolean => isPaid(swapEgress)

const paidOf = ({ fallbackEgress, refundEgress, swapEgress }: SwapStatus): ReadonlyArray<unknown> =>
  [swapEgress, refundEgress, fallbackEgress].map((egress) => [egress?.amount, egress?.transactionReference])

/** Whether an answer tells of the end that is on record already: the same swap, completed by the same payments. */
export const isSameEnd = (known: SwapStatus, found: SwapStatus): boolean =>
  [known, found].every(({ state }) => state === "completed") && known.swapId === found.swapId &&
  Equal.equals(paidOf(known), paidOf(found))

const named = ({ state, swapId }: SwapStatus): string => swapId === undefined ? state : `${state} (${swapId})`

/** Why an answer contradicts the known status of the same swap, in one sentence; undefined where it does not. */
export const contradictionIn = (known: SwapStatus, found: SwapStatus): string | undefined => {
  const otherTerm = otherTermIn(known, found)
  if (otherTerm !== undefined) return otherTerm
  return follows(known, found)
    ? undefined
    : `The upstream now reports ${named(found)}; our record says ${named(known)}`
}

/** Why an end cannot be reported: money that arrived has an amount and a transaction (near-intents/wire.md 2). */
export const unprovenEnd = (found: SwapStatus): string | undefined =>
  found.state === "completed" && !hasPaid(found) && !hasRefunded(found)
    ? "The upstream now reports completed without a payment or refund that has an amount and a transaction"
    : undefined

const withoutClock = (status: SwapStatus) => Struct.omit(status, ["lastStateChainUpdateAt"])

/** Whether two statuses say the same of a swap, apart from the time at which the upstream last looked. */
export const tellTheSame = (one: SwapStatus, other: SwapStatus): boolean =>
  Equal.equals(withoutClock(one), withoutClock(other))

const isExpired = ({ depositChannel }: SwapStatus): boolean => depositChannel?.isExpired === true

/** Whether the whole deposit went back. The contract calls that completed (decision 23), but it has its own event. */
export const isRefund = (status: SwapStatus): boolean =>
  status.state === "completed" && resultOf(status) === "refunded"

/** How a swap counts in sums: one that was refunded in part has paid out, and counts as completed. */
export const endOf = (status: SwapStatus): SwapOutcome | undefined => {
  const result = resultOf(status)
  return result === "partlyRefunded" ? "completed" : result
}

const stateEvent = (status: SwapStatus): SwapEventType =>
  isRefund(status) ? "swap.refunded" : `swap.${status.state}`

export const entersState = (known: SwapStatus, found: SwapStatus): boolean => known.state !== found.state

/** Whether the channel of a swap has expired since the known status. */
const expires = (known: SwapStatus, found: SwapStatus): boolean => !isExpired(known) && isExpired(found)

export const kindOfChange = (known: SwapStatus, found: SwapStatus): ChangeKind =>
  expires(known, found) ? "expired" : "changed"

/** Whether a failed swap has now been refunded, which its account waits for. */
const goesBack = (known: Option.Option<SwapStatus>, found: SwapStatus): boolean =>
  found.state === "failed" && hasRefunded(found) &&
  !Option.exists(known, (known) => known.state === "failed" && hasRefunded(known))

/** The events of a change from the known status to the next, or of the first status. */
export const eventsBetween = (
  known: Option.Option<SwapStatus>,
  found: SwapStatus,
): ReadonlyArray<SwapEventType> => [
  ...(Option.isNone(known) || entersState(known.value, found) ? [stateEvent(found)] : []),
  ...(goesBack(known, found) ? ["swap.refunded" as const] : []),
  ...(Option.exists(known, (known) => expires(known, found)) ? ["channel.expired" as const] : []),
]

/** Counts the end of a swap that this process recorded. Counters only rise, also where the end is taken back. */
export const countEnd = Effect.fnUntraced(
  function* (provider: ProviderName, known: Option.Option<SwapStatus>, found: SwapStatus) {
    const outcome = endOf(found)
    if (outcome === undefined || Option.exists(known, (known) => endOf(known) === outcome)) return
    yield* Metric.update(metrics.swapsEnded({ provider, outcome }), 1)
    if (outcome !== "completed") return
    if (found.deposit !== undefined) {
      yield* Metric.update(metrics.volume({ asset: found.sourceAsset }), found.deposit.amount)
    }
    yield* Effect.forEach(
      commissionsOf(found).filter(({ amount }) => amount > 0n),
      ({ amount, asset }) => Metric.update(metrics.commission({ asset }), amount),
      { discard: true },
    )
  },
)
