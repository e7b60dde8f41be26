import { Effect, Option, Result, Struct } from "effect"
import { type Address, BrokerAccount, checkAddress } from "#domain/chains/Address.ts"
import { type NativeAmount, noAmount } from "#domain/money/Amount.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import { type Chain, chainFacts, Network, stateChainBlockMillis } from "#domain/chains/Chain.ts"
import type { ChannelId, DepositChannel } from "#domain/swaps/Channel.ts"
import type { ExactOutput } from "#domain/quotes/ExactOutput.ts"
import type { Price } from "#domain/money/Price.ts"
import {
  InsufficientLiquidity,
  MalformedBody,
  type ProviderErrorReason,
  type RequestRefused,
} from "#domain/ProviderError.ts"
import type { ChannelRecord, ProviderSignature, SwapStatus } from "#domain/swaps/Swap.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { BlockIndex, EpochMillis } from "#domain/Time.ts"
import { limitNotMet } from "../Capabilities.ts"
import { malformed } from "./values.ts"
import { estimatedPrice, slippageTolerance } from "./prices.ts"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { accountText, inOwnForm } from "#domain/chains/address/accountBytes.ts"

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

/** The digits of a channel's number: 52 bits, which fit into a double without loss. */
const channelIdHexDigits = 13

const toChannelNumber = (depositAddress: string): number =>
  Number.parseInt(bytesToHex(sha256(utf8ToBytes(depositAddress))).slice(0, channelIdHexDigits), 16)

const blockAt = (time: EpochMillis): number => Math.floor(time / stateChainBlockMillis)

/** Made-up coordinates: whole state-chain blocks since the epoch, and a part of the address's hash. */
export const toChannelId = (network: Chain, depositAddress: string, issuedAt: EpochMillis): ChannelId => ({
  issuedBlock: blockAt(issuedAt),
  network,
  channelId: toChannelNumber(depositAddress),
})

/** Whole blocks between the epoch and the expiry, where heights are unknown; it only orders a chain's channels. */
export const toExpiryBlock = (network: Chain, expiry: EpochMillis): number =>
  Math.floor(expiry / chainFacts(network).blockMillis)

/** `<state-chain blocks since the epoch>-0`, where the domain wants an index and the upstream has none. */
export const toBlockIndex = (time: EpochMillis): BlockIndex => BlockIndex.make(`${blockAt(time)}-0`)

/** Milliseconds from a deposit's transaction to its last confirmation: half a block, then the confirmations. */
export const confirmationMillis = (chain: Chain, confirmations: number): number =>
  chainFacts(chain).blockMillis / 2 + chainFacts(chain).blockMillis * confirmations

/** Whether both texts are the same address of the chain, however it is written. */
export const isSameAddress = (chain: Chain, one: string, other: string): boolean =>
  one === other || accountText(chain, one) === accountText(chain, other)

/** The address at `path` of an answer, in the chain's form. An address of another chain is refused. */
export const addressAt = (
  path: string,
  chain: Chain,
  text: string,
  networks: ReadonlyArray<Network> = Network.literals,
): Result.Result<Address, MalformedBody> =>
  Result.mapError(
    checkAddress(chain, networks, inOwnForm(chain, text)),
    (fault) => new MalformedBody({ detail: `${path} ${fault}`, reached: true }),
  )

/** A link to a channel by the operator's template (decision 26). */
export const toExplorerUrl = (
  template: string,
  { issuedBlock, network, channelId }: ChannelId,
  depositAddress: Address,
): string =>
  template
    .replaceAll("{issuedBlock}", `${issuedBlock}`)
    .replaceAll("{network}", network)
    .replaceAll("{channelId}", `${channelId}`)
    .replaceAll("{depositAddress}", depositAddress)

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
    ...Struct.pick(request, ["sourceAsset", "destinationAsset", "destinationAddress"]),
    depositChannel,
    estimatedDuration: order.estimatedDuration,
    sourceChainRequiredBlockConfirmations: order.confirmations,
    fees: [],
    brokers: Option.toArray(order.payee).map((account) => ({
      account: BrokerAccount.make(account),
      commissionBps: request.commissionBps,
    })),
    fillOrKill: {
      ...Struct.pick(request, ["retryDurationBlocks", "refundAddress"]),
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
