import { BigDecimal, Struct } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { DepositChannel } from "#domain/swaps/Channel.ts"
import type { Deposit, Egress, Failure, SwapState, SwapStatus } from "#domain/swaps/Swap.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { BlockIndex, EpochMillis } from "#domain/Time.ts"
import { durations, type Offer, totalDuration } from "./offers.ts"

/** What came in on a channel, and when. */
export interface Arrival {
  readonly amount: NativeAmount
  readonly at: EpochMillis
}

/** A channel of the network in memory. */
export interface Order {
  readonly request: SwapRequest
  readonly offer: Offer
  readonly channel: DepositChannel
  readonly createdAt: EpochMillis
  readonly expiresAt: EpochMillis
  readonly arrival?: Arrival
}

/** The states after a deposit, with how long after it they begin. */
const stages: ReadonlyArray<readonly [afterMillis: number, state: SwapState]> = [
  [totalDuration, "completed"],
  [durations.deposit + durations.swap + durations.egress / 2, "sent"],
  [durations.deposit + durations.swap, "sending"],
  [durations.deposit, "swapping"],
  [0, "receiving"],
]

const nowhere = BlockIndex.make("0-0")

const depositIgnored = (at: EpochMillis): Failure => ({
  failedAt: at,
  failedBlockIndex: nowhere,
  mode: "DEPOSIT_IGNORED",
  reason: { code: "BelowMinimumDeposit", message: "The deposited amount was below the minimum required" },
})

const meetsLimit = ({ offer, request }: Order): boolean =>
  BigDecimal.isGreaterThanOrEqualTo(offer.quote.estimatedPrice, request.minimumPrice)

const egress = (order: Order, amount: NativeAmount, state: SwapState): Egress => ({
  amount,
  ...state === "sending" ? {} : { transactionReference: `out-${order.channel.id.channelId}` },
})

/** The payment on its way, once it is. */
const payment = (order: Order, arrival: Arrival, state: SwapState): Partial<SwapStatus> => {
  if (state === "receiving" || state === "swapping") return {}
  const { egress: quoted, ingress } = order.offer.quote
  return meetsLimit(order)
    ? { swapEgress: egress(order, NativeAmount.make(quoted.amount * arrival.amount / ingress.amount), state) }
    : { refundEgress: egress(order, arrival.amount, state) }
}

const afterDeposit = (order: Order, arrival: Arrival, now: EpochMillis): Partial<SwapStatus> => {
  const state = stages.find(([after]) => now - arrival.at >= after)?.[1] ?? "waiting"
  const deposit: Deposit = {
    amount: arrival.amount,
    transactionReference: `in-${order.channel.id.channelId}`,
    witnessedAt: arrival.at,
    witnessedBlockIndex: nowhere,
  }
  return arrival.amount < order.offer.minimumDeposit && state !== "receiving"
    ? { state: "failed", deposit: { ...deposit, failure: depositIgnored(arrival.at) } }
    : { state, deposit, ...payment(order, arrival, state) }
}

/** The record of an order as time and its deposit have left it. */
export const recordOf = (order: Order, now: EpochMillis): SwapStatus => {
  const { arrival, channel, createdAt, expiresAt, offer, request } = order
  return {
    state: "waiting",
    sourceAsset: request.sourceAsset,
    destinationAsset: request.destinationAsset,
    destinationAddress: request.destinationAddress,
    depositChannel: {
      id: channel.id,
      createdAt,
      brokerCommissionBps: request.commissionBps,
      affiliateBrokers: request.affiliates,
      depositAddress: channel.depositAddress,
      ...Struct.pick(channel, ["reference", "memo", "exactAmount"]),
      sourceChainExpiryBlock: channel.sourceExpiryBlock,
      estimatedExpiryTime: expiresAt,
      isExpired: now >= expiresAt,
      openedThroughBackend: false,
    },
    estimatedDuration: offer.quote.totalDuration,
    fees: arrival === undefined ? [] : offer.quote.fees,
    brokers: [],
    fillOrKill: {
      retryDurationBlocks: request.retryDurationBlocks,
      refundAddress: request.refundAddress,
      minimumPrice: request.minimumPrice,
    },
    ...arrival === undefined ? {} : afterDeposit(order, arrival, now),
  }
}
