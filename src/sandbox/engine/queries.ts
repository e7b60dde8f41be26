import { Record, Struct } from "effect"
import type { BrokerAccount } from "../../domain/Address.ts"
import { NativeAmount } from "../../domain/Amount.ts"
import { assetIds } from "../../domain/Asset.ts"
import { type ChannelId, formatChannelId } from "../../domain/Channel.ts"
import { chainHeight, stateChainBlockTime, stateChainHeight } from "./blocks.ts"
import { isExpired } from "./channels.ts"
import {
  intermediateAsset,
  maximumRequestDurationBlocks,
  maximumRetryDurationBlocks,
  networkFeeMinimum,
  networkFeeRate,
  retryDelayBlocks,
} from "./constants.ts"
import { chainFigures } from "./figures.ts"
import { hasPool, reservesBetweenBlocks } from "./pools.ts"
import { recordOfChannel, recordOfDeposit } from "./record.ts"
import type { Channel, Network } from "./State.ts"
import type {
  BoostPoolView,
  Environment,
  OpenChannelView,
  PoolView,
  SwapView,
  Switches,
  TimeView,
} from "./View.ts"

/**
 * The record of a channel: its latest deposit that was credited or refused, else the one that is pending;
 * undefined for a channel that was never opened (chainflip/wire.md 3.6).
 */
export const swapOfChannel = (network: Network, id: ChannelId): SwapView | undefined => {
  const channel = network.channels.get(formatChannelId(id))
  if (channel === undefined) return undefined
  return recordOfChannel(network, channel, channel.concludedDeposit ?? channel.latestDeposit)
}

/** The record of a swap request by its number (`swapId`). */
export const swapOfRequest = (network: Network, swapRequestId: string): SwapView | undefined => {
  const request = network.requests.get(swapRequestId)
  return request === undefined ? undefined : recordOfDeposit(network, request.deposit)
}

/** The record of the deposit that this transaction made; undefined for one that was never witnessed. */
export const swapOfTransaction = (network: Network, transactionReference: string): SwapView | undefined => {
  const deposit = network.depositsByTransaction.get(transactionReference)
  return deposit === undefined ? undefined : recordOfDeposit(network, deposit)
}

/** Where time stands. */
export const time = (network: Network): TimeView => {
  const height = stateChainHeight(network)
  return {
    time: network.time,
    stateChainHeight: height,
    stateChainTime: stateChainBlockTime(network, height),
  }
}

/** The network's figures (chainflip/wire.md 1.5), as they stand now. */
export const environment = (network: Network): Environment => ({
  assets: Record.map(network.assets, Struct.omit(["price", "depth"])),
  chains: Record.map(chainFigures, (figures, chain) => ({
    ...Struct.omit(figures, ["firstHeight"]),
    channelOpeningFee: NativeAmount.make(0n),
    height: chainHeight(network, chain),
  })),
  networkFeeRate,
  networkFeeMinimum,
  swapRetryDelayBlocks: retryDelayBlocks,
  maximumSwapRetryDurationBlocks: maximumRetryDurationBlocks,
  maximumSwapRequestDurationBlocks: maximumRequestDurationBlocks,
})

/** Every pool as the next block will find it, in the order of the assets. */
export const pools = (network: Network): ReadonlyArray<PoolView> =>
  assetIds.filter(hasPool).map((baseAsset) => {
    const { base, quote } = reservesBetweenBlocks(network)(baseAsset)
    return {
      baseAsset,
      quoteAsset: intermediateAsset,
      baseReserve: NativeAmount.make(base),
      quoteReserve: NativeAmount.make(quote),
      price: NativeAmount.make(network.assets[baseAsset].price),
    }
  })

/** The boost pools of btc.btc, ascending by tier. */
export const boostPools = (network: Network): ReadonlyArray<BoostPoolView> =>
  network.boostPools.map(({ tierBps, available, lent }) => ({
    asset: "btc.btc",
    tierBps,
    available: NativeAmount.make(available),
    lent: NativeAmount.make(lent),
  }))

/** The accounts that vault swaps may name as affiliates; the place of each is its short id. */
export const affiliates = (network: Network): ReadonlyArray<BrokerAccount> => [...network.affiliates]

/** What is switched on and off. */
export const switches = (network: Network): Switches => ({
  swapsEnabled: network.swapsEnabled,
  quotingMaintenance: network.quotingMaintenance,
  swappingMaintenance: network.swappingMaintenance,
})

const openChannelView = (channel: Channel): OpenChannelView => ({
  id: channel.id,
  depositAddress: channel.depositAddress,
  sourceAsset: channel.sourceAsset,
  destinationAsset: channel.destinationAsset,
  destinationAddress: channel.destinationAddress,
  sourceExpiryBlock: channel.expiryBlock,
  estimatedExpiryTime: channel.expiryTime,
  ...(channel.ccm === undefined ? {} : { ccm: channel.ccm }),
})

/** The channels that still take deposits, the oldest first. */
export const openChannels = (network: Network): ReadonlyArray<OpenChannelView> =>
  Array.from(network.channels.values())
    .filter((channel) => !isExpired(network, channel))
    .map(openChannelView)
