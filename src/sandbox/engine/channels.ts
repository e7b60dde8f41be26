import { Result, Struct } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import { type ChannelId, formatChannelId } from "#domain/swaps/Channel.ts"
import { fundsRefusal, submitExtrinsic } from "./accounts.ts"
import { depositAddress } from "./identifiers.ts"
import {
  blockMillisOf,
  chainBlockTime,
  chainHeight,
  stateChainBlockTime,
  stateChainHeight,
} from "./blocks.ts"
import { channelRefusal, termsOf } from "./terms.ts"
import type { OpenChannel } from "./Command.ts"
import { channelLifetimeMillis, maximumBackendChannels, openingFee } from "./figures.ts"
import type { OpenRefusal } from "./Refusal.ts"
import type { Channel, Network } from "./State.ts"
import type { ChannelOpened } from "./View.ts"

export const isExpired = (network: Network, { id, expiryBlock }: Channel): boolean =>
  chainHeight(network, id.network) >= expiryBlock

/** Whether the channel has the same destination, pair and message as the request. */
const isLike = (request: OpenChannel) => (channel: Channel): boolean =>
  channel.sourceAsset === request.sourceAsset &&
  channel.destinationAsset === request.destinationAsset &&
  channel.destinationAddress === request.destinationAddress &&
  channel.ccm?.message === request.ccm?.message &&
  channel.ccm?.gasBudget === request.ccm?.gasBudget

const isCapReached = (network: Network, request: OpenChannel): boolean => {
  if (!request.openedThroughBackend) return false
  const alike = isLike(request)
  let open = 0
  for (const channel of network.channels.values()) {
    if (alike(channel) && !isExpired(network, channel)) open++
  }
  return open >= maximumBackendChannels
}

const nextId = (network: Network, request: OpenChannel): ChannelId => {
  const chain = chainOf(request.sourceAsset)
  const channelId = (network.channelCounts.get(chain) ?? 0) + 1
  network.channelCounts.set(chain, channelId)
  return { issuedBlock: stateChainHeight(network), network: chain, channelId }
}

const openedOf = (channel: Channel, openingFee: bigint): ChannelOpened => ({
  _tag: "ChannelOpened",
  id: channel.id,
  depositAddress: channel.depositAddress,
  sourceExpiryBlock: channel.expiryBlock,
  estimatedExpiryTime: channel.expiryTime,
  openingFee: NativeAmount.make(openingFee),
})

/** The price of the channel for the operator. The backend's channels are paid for by the backend's own broker. */
const openingFeeOf = ({ openingFees }: Network, { openedThroughBackend, sourceAsset }: OpenChannel): bigint =>
  openedThroughBackend ? 0n : openingFees.get(chainOf(sourceAsset)) ?? openingFee

/** Opens a channel until its expiry block, 24 hours of source-chain blocks later (chainflip/wire.md 2.2). */
export const openChannel = (
  network: Network,
  request: OpenChannel,
): Result.Result<ChannelOpened, OpenRefusal> => {
  const refusal = channelRefusal(request, network)
  if (refusal !== undefined) return Result.fail(refusal)
  if (isCapReached(network, request)) return Result.fail({ _tag: "TooManyChannels" })
  const openingFee = openingFeeOf(network, request)
  if (!request.openedThroughBackend) {
    const unpaid = fundsRefusal(network, openingFee)
    if (unpaid !== undefined) return Result.fail(unpaid)
    submitExtrinsic(network, openingFee)
  }
  const id = nextId(network, request)
  const expiryBlock = chainHeight(network, id.network) +
    Math.ceil(channelLifetimeMillis / blockMillisOf(id.network))
  const channel: Channel = {
    id,
    createdAt: stateChainBlockTime(network, id.issuedBlock),
    depositAddress: depositAddress(network.seed, id.network, id.channelId),
    ...termsOf(request),
    ...Struct.pick(request, ["openedThroughBackend", "expectedDepositAmount"]),
    expiryBlock,
    expiryTime: chainBlockTime(network, id.network, expiryBlock),
    rejectsNextDeposit: false,
  }
  network.channels.set(formatChannelId(id), channel)
  network.channelsByAddress.set(channel.depositAddress, channel)
  return Result.succeed(openedOf(channel, openingFee))
}
