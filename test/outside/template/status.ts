import {
  BlockIndex,
  type ChannelId,
  type Egress,
  type Failure,
  formatChannelId,
  MalformedBody,
  stateChainBlockMillis,
  type SwapState,
  type SwapStatus,
} from "@swap-broker/core/domain"
import {
  type Channels,
  currentMillis,
  decode,
  logged,
  type Noticed,
  optionalMembers,
  upstreamText,
} from "@swap-broker/core/provider"
import { Effect, Option, Result } from "effect"
import type { Client } from "./client.ts"
import { failAs } from "./errors.ts"
import { toChannelId, WireOrder } from "./openings.ts"

/** The state of every status that the upstream documents. A refund ends as completed (decision 23). */
const states: ReadonlyMap<string, SwapState> = new Map([
  ["awaiting-deposit", "waiting"],
  ["confirming", "receiving"],
  ["swapping", "swapping"],
  ["paying", "sending"],
  ["paid", "sent"],
  ["done", "completed"],
  ["refunded", "completed"],
  ["failed", "failed"],
])

type Progress = Pick<WireOrder, "status" | "deposit" | "payout" | "refund" | "failure">

const toTransfer = ({ amount, hash }: NonNullable<Progress["payout"]>): Egress => ({
  amount,
  ...optionalMembers(hash, (transactionReference) => ({ transactionReference })),
})

/** A failure. The exchange has no blocks, so those of the state chain stand in. */
const toFailure = (mode: string, { reason, at }: NonNullable<Progress["failure"]>): Failure => ({
  failedAt: at,
  failedBlockIndex: BlockIndex.make(`${Math.floor(at / stateChainBlockMillis)}-0`),
  mode,
  reason: { code: "Unknown", message: upstreamText(reason) },
})

/** Adds the failure, which is the payout's where there is one, and the deposit's where there is none. */
const withFailure = (transfer: Egress, { failure }: Progress, mode: string): Egress => ({
  ...transfer,
  ...optionalMembers(failure, (failure) => ({ failure: toFailure(mode, failure) })),
})

/** The state and the transfers of a swap, and a log line about a status that is unknown. */
interface ReadProgress extends Noticed {
  readonly parts: Partial<SwapStatus> & Pick<SwapStatus, "state">
}

/** Reads the progress of a swap. `last` is the state that is kept where the upstream's is unknown. */
export const readProgress = (wire: Progress, last: SwapState): Result.Result<ReadProgress, MalformedBody> => {
  const { deposit, payout, refund, status } = wire
  const found = states.get(status)
  const state = found ?? last
  // A swap is completed only once the payout's or refund's transaction is known, whatever the status says.
  if (state === "completed" && payout?.hash === undefined && refund?.hash === undefined) {
    return Result.fail(
      new MalformedBody({ detail: "payout.hash: expected a value, got nothing", reached: true }),
    )
  }
  return Result.succeed({
    parts: {
      state,
      ...optionalMembers(deposit, (deposit) => ({
        deposit: payout === undefined
          ? withFailure(toTransfer(deposit), wire, "DEPOSIT_IGNORED")
          : toTransfer(deposit),
      })),
      ...optionalMembers(payout, (payout) => ({
        swapEgress: withFailure(toTransfer(payout), wire, "SENDING_FAILED"),
      })),
      ...optionalMembers(refund, (refund) => ({ refundEgress: toTransfer(refund) })),
    },
    notices: found === undefined ? [`Kept the state ${last}: ${upstreamText(status)} is unknown`] : [],
  })
}

const mismatch = (order: WireOrder, channel: ChannelId, known: SwapStatus): string | undefined => {
  if (formatChannelId(toChannelId(order)) !== formatChannelId(channel)) {
    return "number: expected another order"
  }
  return order.depositAddress === known.depositChannel?.depositAddress
    ? undefined
    : "depositAddress: expected the one that was given out"
}

/** The operation `status`. Members that the exchange does not repeat stay as `known` has them. */
export const makeStatus = ({ find }: Client): Channels["status"] =>
  Effect.fn("Template.status")(function* (channel, known) {
    const heard = yield* find(`/v1/orders/${channel.channelId}`)
    if (Option.isNone(heard)) return Option.none()
    const order = yield* Effect.fromResult(decode(WireOrder, heard.value.body))
    const detail = mismatch(order, channel, known)
    if (detail !== undefined) return yield* new MalformedBody({ detail, reached: true })
    const { parts } = yield* logged(readProgress(order, known.state))
    const isExpired = (yield* currentMillis) >= order.expiresAt
    const status = {
      ...known,
      ...optionalMembers(known.depositChannel, (channel) => ({ depositChannel: { ...channel, isExpired } })),
      ...parts,
    }
    return Option.some({ status, body: heard.value.text })
  }, failAs("status"))
