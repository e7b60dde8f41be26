import { Effect, Result, Schema } from "effect"
import { Hex } from "effect/encoding"
import { Address, type BrokerAccount } from "#domain/chains/Address.ts"
import { encodeSs58 } from "#domain/chains/address/Ss58.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import { isSent } from "#domain/quotes/ExactOutput.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import type { MalformedBody, ProviderErrorReason } from "#domain/ProviderError.ts"
import type { ChannelRecord, SwapStatus } from "#domain/swaps/Swap.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { Channels, OpenedChannel } from "../Provider.ts"
import { addressAt, toExplorerUrl } from "../upstream/channelNumbers.ts"
import { Amount, Count, maybe } from "../upstream/values.ts"
import { openingReason } from "./brokerErrors.ts"
import type { JsonRpc } from "./client.ts"
import {
  channelOpeningFee,
  type Conditions,
  depositLimits,
  estimateDuration,
  type Limits,
  limitsOf,
  safetyMargin,
} from "./conditions.ts"
import { failAs } from "./errors.ts"
import { checkOpening } from "./limits.ts"
import { toChannelParameters } from "./parameters.ts"
import { decode } from "../upstream/decode.ts"
import { beforeOpening } from "../upstream/failures.ts"
import type { Options } from "./settings.ts"

/** The result of `broker_request_swap_deposit_address` (chainflip/wire.md 2.2). */
export const WireOpenedChannel = Schema.Struct({
  address: Address,
  issued_block: Count,
  channel_id: Count,
  source_chain_expiry_block: Count,
  /** Left out by older brokers. */
  channel_opening_fee: maybe(Amount),
})
export type WireOpenedChannel = typeof WireOpenedChannel.Type

const polkadotPrefix = 0

/** A deposit address as people use it. Older networks give Asset Hub's as 0x hex (chainflip/wire.md 2.2). */
export const toDepositAddress = (chain: Chain, address: Address): Address => {
  if (chain !== "Assethub" && chain !== "Polkadot") return address
  const [, hex] = /^0x([0-9a-fA-F]{64})$/.exec(address) ?? []
  if (hex === undefined) return address
  return Result.match(Hex.decode(hex), {
    onFailure: () => address,
    onSuccess: (publicKey) => Address.make(encodeSs58(polkadotPrefix, publicKey)),
  })
}

const nominalLifetimeMillis = 24 * 60 * 60 * 1000

/** The time when a channel expires by its nominal lifetime (chainflip/wire.md 2.2). Only the expiry block is exact. */
export const nominalExpiry = (createdAt: EpochMillis): EpochMillis =>
  EpochMillis.make(createdAt + nominalLifetimeMillis)

const toRecord = (request: SwapRequest, wire: WireOpenedChannel, now: EpochMillis): ChannelRecord => {
  const network = chainOf(request.sourceAsset)
  return {
    id: { issuedBlock: wire.issued_block, network, channelId: wire.channel_id },
    createdAt: now,
    brokerCommissionBps: request.commissionBps,
    affiliateBrokers: request.affiliates,
    depositAddress: toDepositAddress(network, wire.address),
    sourceChainExpiryBlock: wire.source_chain_expiry_block,
    // The broker tells only the block. The backend's record has a better estimate later.
    estimatedExpiryTime: nominalExpiry(now),
    isExpired: false,
    openedThroughBackend: false,
    ...(request.amount === undefined || !isSent(request.amount)
      ? {}
      : { expectedDepositAmount: request.amount }),
  }
}

const toWaiting = (
  request: SwapRequest,
  depositChannel: ChannelRecord,
  conditions: Conditions,
  ourAccount: BrokerAccount,
): SwapStatus => ({
  state: "waiting",
  sourceAsset: request.sourceAsset,
  destinationAsset: request.destinationAsset,
  destinationAddress: request.destinationAddress,
  depositChannel,
  ...(request.maximumBoostFeeBps === 0 ? {} : { boost: { maximumBoostFeeBps: request.maximumBoostFeeBps } }),
  estimatedDuration: estimateDuration(conditions, request),
  ...optionalMembers(safetyMargin(conditions, chainOf(request.sourceAsset)), (margin) => ({
    sourceChainRequiredBlockConfirmations: margin + 1,
  })),
  fees: [],
  brokers: [{ account: ourAccount, commissionBps: request.commissionBps }, ...request.affiliates],
  ...optionalMembers(request.ccm, (ccm) => ({ ccm })),
  fillOrKill: {
    retryDurationBlocks: request.retryDurationBlocks,
    refundAddress: request.refundAddress,
    minimumPrice: request.minimumPrice,
    ...optionalMembers(
      request.maximumOraclePriceSlippageBps,
      (bps) => ({ maximumOraclePriceSlippageBps: bps }),
    ),
  },
  ...optionalMembers(request.dca, (dca) => ({ dca })),
})

export interface OpeningContext {
  readonly request: SwapRequest
  readonly conditions: Conditions
  readonly now: EpochMillis
  readonly options: Options
}

/** The channel and its `waiting` record (decision 23). An address of another chain or network is refused. */
export const toOpenedChannel = (
  wire: WireOpenedChannel,
  { request, conditions, now, options }: OpeningContext,
): Result.Result<OpenedChannel, MalformedBody> => {
  const record = toRecord(request, wire, now)
  const { depositAddress, id } = record
  return Result.map(addressAt("result.address", id.network, depositAddress, options.networks), () => ({
    channel: {
      id,
      depositAddress,
      sourceExpiryBlock: record.sourceChainExpiryBlock,
      openingFee: wire.channel_opening_fee ?? channelOpeningFee(conditions, id.network),
      explorerUrl: toExplorerUrl(options.explorerUrl, id, depositAddress),
    },
    status: {
      ...toWaiting(request, record, conditions, options.brokerAccount),
      // A simulated network's time is not ours: whoever reads the record has to know which it is.
      ...(options.simulatedTime === true ? { lastStateChainUpdateAt: now } : {}),
    },
    refundsTo: "address",
    depositLimits: depositLimits(conditions, request.sourceAsset),
  }))
}

/** Makes the operation. The broker is called once, after every check that can be made before. */
export const makeOpen = (
  broker: JsonRpc,
  conditions: Effect.Effect<Conditions, ProviderErrorReason>,
  options: Options,
): Channels["open"] => {
  const openAtBroker = (request: SwapRequest, limits: Limits) =>
    broker.callAt("broker_request_swap_deposit_address", toChannelParameters(request), {
      endpoint: "broker",
      opening: true,
      pair: request,
    }).pipe(
      Effect.catchTag("RpcError", (error) => Effect.fail(openingReason(error, request, limits))),
      Effect.flatMap(({ answeredAt, result }) =>
        Effect.fromResult(
          Result.map(decode(WireOpenedChannel, result, ["result"]), (wire) => ({ wire, answeredAt })),
        )
      ),
    )

  return Effect.fn("Chainflip.open")(function* (request) {
    const current = yield* beforeOpening(conditions)
    yield* Effect.fromResult(checkOpening(current, request))
    const { answeredAt, wire } = yield* openAtBroker(request, limitsOf(current))
    const now = options.simulatedTime === true ? answeredAt : yield* currentMillis
    return yield* Effect.fromResult(toOpenedChannel(wire, { request, conditions: current, now, options }))
  }, failAs("open"))
}
