import { Effect, Option, Result, Struct } from "effect"
import { type Address, BrokerAccount } from "#domain/chains/Address.ts"
import { type NativeAmount, noAmount } from "#domain/money/Amount.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import type { DepositChannel } from "#domain/swaps/Channel.ts"
import type { ExactOutput } from "#domain/quotes/ExactOutput.ts"
import type { Price } from "#domain/money/Price.ts"
import {
  InsufficientLiquidity,
  type MalformedBody,
  type ProviderErrorReason,
  type RequestRefused,
} from "#domain/ProviderError.ts"
import type { ChannelRecord, ProviderSignature, SwapStatus } from "#domain/swaps/Swap.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { EpochMillis } from "#domain/Time.ts"
import { limitNotMet } from "../Capabilities.ts"
import { addressAt, isSameAddress, toChannelId, toExpiryBlock, toExplorerUrl } from "./channelNumbers.ts"
import { malformed } from "./decode.ts"
import { estimatedPrice, slippageTolerance } from "./prices.ts"

/** How far, in basis points, a price limit is below the output of the present, which has to be asked for. */
export const toleranceTo = <R>(
  minimum: bigint,
  present: Effect.Effect<bigint, ProviderErrorReason, R>,
): Effect.Effect<number, ProviderErrorReason, R> =>
  Effect.flatMap(present, (output) =>
    Option.match(slippageTolerance(minimum, output), {
      onNone: () => Effect.fail<ProviderErrorReason>(limitNotMet),
      onSome: (slippageBps) => Effect.succeed(slippageBps),
    }))

/** Refuses an order that would pay out nothing, or could pay out less than the price limit. */
export const checkOutput = (
  output: { readonly amount: bigint; readonly least: bigint },
  minimum: bigint,
): Result.Result<void, InsufficientLiquidity | RequestRefused> => {
  if (output.amount === 0n) {
    return Result.fail(new InsufficientLiquidity({ detail: "Nothing of this amount would be paid out" }))
  }
  return output.least >= minimum ? Result.void : Result.fail(limitNotMet)
}

/** The least time to send a deposit, beside the time until it counts. An address that ends sooner is of no use. */
const leastDepositWindow = 5 * 60_000

/** The end of a deposit address, at `path` of an answer, if there is time enough to send a deposit before it. */
export const usableUntil = (
  path: string,
  expiry: number,
  from: number,
): Result.Result<EpochMillis, MalformedBody> =>
  expiry - from >= leastDepositWindow
    ? Result.succeed(EpochMillis.make(expiry))
    : malformed(`${path}: expected time enough for a deposit, got less`)

/** The deposit address at `path`. One that is an account of `others` is refused: a deposit there would never be seen. */
export const depositAddressAt = (
  path: string,
  chain: Chain,
  text: string,
  others: ReadonlyArray<string | undefined>,
): Result.Result<Address, MalformedBody> =>
  Result.flatMap(
    addressAt(path, chain, text),
    (address) =>
      others.some((other) => other !== undefined && isSameAddress(chain, other, address))
        ? malformed(`${path}: expected an address of the service, got one of the caller's or none at all`)
        : Result.succeed(address),
  )

/** An order with a deposit address of its own, which its upstream has just opened for an amount. */
export interface OpenedOrder {
  readonly request: SwapRequest
  readonly amount: NativeAmount
  readonly depositAddress: Address
  /** The times of the opening and of the address's end, by the upstream's clock. */
  readonly openedAt: EpochMillis
  readonly expiry: EpochMillis
  /** The upstream's own name of the order, where the address is not enough to look it up. */
  readonly reference?: string
  /** The upstream's signature of the opening, where it signs. It has to have been verified. */
  readonly providerSignature?: ProviderSignature
  /** What is promised of an output that was asked for. The amount is then the most that it asks for it. */
  readonly exactOutput?: ExactOutput
  /** The output that the upstream named for the amount, in native units. */
  readonly expectedOutputAmount?: NativeAmount
  /** Milliseconds from the deposit to the payout. */
  readonly estimatedDuration: number
  readonly confirmations: number
  /** The account that gets the commission, if there is one. */
  readonly payee: Option.Option<string>
  readonly explorerUrl: string
}

const toRecord = (order: OpenedOrder): ChannelRecord => {
  const { amount, depositAddress, expiry, openedAt, request: { commissionBps, sourceAsset } } = order
  const source = chainOf(sourceAsset)
  return {
    id: toChannelId(source, depositAddress, openedAt),
    createdAt: openedAt,
    brokerCommissionBps: commissionBps,
    affiliateBrokers: [],
    depositAddress,
    sourceChainExpiryBlock: toExpiryBlock(source, expiry),
    estimatedExpiryTime: expiry,
    isExpired: false,
    openedThroughBackend: false,
    expectedDepositAmount: amount,
    ...Struct.pick(order, ["expectedOutputAmount", "exactOutput", "reference", "providerSignature"]),
  }
}

/** The price limit of an output that was asked for is what arrives for the most that is sent; it allows no other. */
const limitOf = ({ amount, exactOutput, request }: OpenedOrder): Price =>
  exactOutput === undefined ? request.minimumPrice : estimatedPrice(request, amount, exactOutput.amount)

const toWaiting = (order: OpenedOrder, depositChannel: ChannelRecord): SwapStatus => {
  const { request } = order
  return {
    state: "waiting",
    sourceAsset: request.sourceAsset,
    destinationAsset: request.destinationAsset,
    destinationAddress: request.destinationAddress,
    depositChannel,
    estimatedDuration: order.estimatedDuration,
    sourceChainRequiredBlockConfirmations: order.confirmations,
    fees: [],
    brokers: Option.toArray(order.payee).map((account) => ({
      account: BrokerAccount.make(account),
      commissionBps: request.commissionBps,
    })),
    fillOrKill: {
      retryDurationBlocks: request.retryDurationBlocks,
      refundAddress: request.refundAddress,
      minimumPrice: limitOf(order),
    },
  }
}

/** The channel of an order and its first record, which is `waiting` (decision 23). An address that comes again is a replay. */
export const toOpenedChannel = (order: OpenedOrder): {
  readonly channel: DepositChannel
  readonly status: SwapStatus
  readonly isAddressUnique: true
  readonly refundsTo: "address"
} => {
  const record = toRecord(order)
  return {
    channel: {
      id: record.id,
      depositAddress: record.depositAddress,
      sourceExpiryBlock: record.sourceChainExpiryBlock,
      openingFee: noAmount,
      explorerUrl: toExplorerUrl(order.explorerUrl, record.id, record.depositAddress),
      ...Struct.pick(order, ["reference"]),
    },
    status: toWaiting(order, record),
    isAddressUnique: true,
    refundsTo: "address",
  }
}
