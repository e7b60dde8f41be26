import { Result } from "effect"
import { type ChannelId, formatChannelId } from "../../../domain/Channel.ts"
import { stateChainBlockMillis } from "../../../domain/Chain.ts"
import { MalformedBody } from "../../../domain/ProviderError.ts"
import type { Egress, Failure, SwapState, SwapStatus } from "../../../domain/Swap.ts"
import { BlockIndex, type EpochMillis } from "../../../domain/Time.ts"
import { spread } from "../../../platform/spread.ts"
import type { WireOrder, WireTransfer } from "../wire.ts"
import { toChannelId } from "./opening.ts"
import type { Noticed } from "../../upstream/decode.ts"
import { upstreamText } from "../../upstream/failures.ts"

/** Every status that the upstream documents; a refund ends as completed (decision 23). */
export const states: ReadonlyMap<string, SwapState> = new Map([
  ["awaiting-deposit", "waiting"],
  ["confirming", "receiving"],
  ["swapping", "swapping"],
  ["paying", "sending"],
  ["paid", "sent"],
  ["done", "completed"],
  ["refunded", "completed"],
  ["failed", "failed"],
])

/** The record, and a line for the log about a status that is unknown. */
export interface ReadStatus extends Noticed {
  readonly status: SwapStatus
}

/** The exchange has no blocks: ours stand in for them. */
const blockIndexAt = (time: EpochMillis): BlockIndex =>
  BlockIndex.make(`${Math.floor(time / stateChainBlockMillis)}-0`)

const toTransfer = ({ amount, hash }: WireTransfer): Egress => ({
  amount,
  ...spread(hash, (transactionReference) => ({ transactionReference })),
})

const toFailure = (mode: string, { reason, at }: NonNullable<WireOrder["failure"]>): Failure => ({
  failedAt: at,
  failedBlockIndex: blockIndexAt(at),
  mode,
  reason: { code: "Unknown", message: upstreamText(reason) },
})

type Transfers = Pick<WireOrder, "deposit" | "payout" | "refund" | "failure">

/** What failed is the payout where there is one, and the deposit where there is none. */
const withFailure = (transfer: Egress, order: Transfers, mode: string): Egress => ({
  ...transfer,
  ...spread(order.failure, (failure) => ({ failure: toFailure(mode, failure) })),
})

/** What came in and what goes out. */
export const toParts = (order: Transfers): Partial<SwapStatus> => ({
  ...spread(order.deposit, (deposit) => ({
    deposit: order.payout === undefined
      ? withFailure(toTransfer(deposit), order, "DEPOSIT_IGNORED")
      : toTransfer(deposit),
  })),
  ...spread(order.payout, (payout) => ({
    swapEgress: withFailure(toTransfer(payout), order, "SENDING_FAILED"),
  })),
  ...spread(order.refund, (refund) => ({ refundEgress: toTransfer(refund) })),
})

/** Money has arrived when its transaction is known, whatever the status says. */
export const unpaid = ({ payout, refund }: Transfers, state: SwapState): string | undefined =>
  state === "completed" && payout?.hash === undefined && refund?.hash === undefined
    ? "payout.hash: expected a value, got nothing"
    : undefined

const fault = (
  order: WireOrder,
  channel: ChannelId,
  known: SwapStatus,
  state: SwapState,
): string | undefined => {
  if (formatChannelId(toChannelId(order)) !== formatChannelId(channel)) {
    return "number: expected another order"
  }
  if (order.depositAddress !== known.depositChannel?.depositAddress) {
    return "depositAddress: expected the one that was given out"
  }
  return unpaid(order, state)
}

/** What the log says of a status that is not among the documented ones. */
export const unknownState = (status: string, kept: SwapState): string =>
  `Kept the state ${kept}: ${upstreamText(status)} is unknown`

/** Reads the answer of `GET /v1/orders/{number}`; what the exchange does not repeat is as it was `known`. */
export const readStatus = (
  order: WireOrder,
  channel: ChannelId,
  known: SwapStatus,
  now: EpochMillis,
): Result.Result<ReadStatus, MalformedBody> => {
  const found = states.get(order.status)
  const state = found ?? known.state
  const detail = fault(order, channel, known, state)
  if (detail !== undefined) return Result.fail(new MalformedBody({ detail, reached: true }))
  return Result.succeed({
    status: {
      ...known,
      ...spread(known.depositChannel, (depositChannel) => ({
        depositChannel: { ...depositChannel, isExpired: now >= order.expiresAt },
      })),
      ...toParts(order),
      state,
    },
    notices: found === undefined ? [unknownState(order.status, known.state)] : [],
  })
}
