import { Struct } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, assetIds, chainOf } from "#domain/chains/Asset.ts"
import { Bps } from "#domain/money/Bps.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import { type ChannelId, formatChannelId } from "#domain/swaps/Channel.ts"
import { networkChains } from "#domain/chains/payload/contractNumbers.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { chainHeight, stateChainBlockTime, stateChainHeight } from "./blocks.ts"
import { isExpired } from "./terms.ts"
import { EventQueue } from "./EventQueue.ts"
import * as Figures from "./figures.ts"
import { firstOperator } from "./operator.ts"
import { hasPool, reservesBetweenBlocks } from "./pools.ts"
import { recordOfChannel, recordOfDeposit } from "./record.ts"
import { type Affiliate, type Channel, type Deposit, type Network, phases, type SwapView } from "./State.ts"

/**
 * The sandbox's network: one deterministic, synchronous state machine on virtual time. It reads no clock, draws no
 * random numbers and does no I/O: the seed and the commands with their times decide everything.
 *
 * ```ts
 * const network = Network.make({ seed: "demo", time })
 * const opened = openChannel(network, command)
 * Network.advance(network, later)
 * const record = Network.swapOfChannel(network, id)
 * ```
 */
export type { Network } from "./State.ts"

/** A network that begins at `time`. Seed, time and commands determine every address and hash. */
export const make = (options: { readonly seed: string; readonly time: EpochMillis }): Network => ({
  seed: options.seed,
  genesis: options.time,
  time: options.time,
  events: new EventQueue(),
  phases,
  assets: new Map(),
  boostPools: Figures.boostPoolFigures.map(({ tierBps, available }) => ({
    tierBps: Bps.make(tierBps),
    available,
    lent: 0n,
  })),
  swapsEnabled: true,
  quotingMaintenance: false,
  swappingMaintenance: false,
  channels: new Map(),
  channelsByAddress: new Map(),
  channelCounts: new Map(),
  depositsByTransaction: new Map(),
  requests: new Map(),
  transactionCount: 0,
  operator: firstOperator(),
  affiliates: new Map(),
  balances: new Map(),
  withdrawals: [],
  openingFees: new Map(networkChains.map((chain) => [chain, Figures.openingFee])),
  egressCounts: new Map(),
  extrinsicCount: 0,
  withdrawalsEnabled: true,
  nodeInSync: true,
  heldDeposits: new Map(),
  plannedEgress: new Map(),
  indexedBlock: 0,
  indexesUsed: 0,
  tradedBlock: 0,
  traded: new Map(),
})

/** Advances the network to a time; everything that falls due by then happens, each event in its own block. */
export { passTime as advance } from "./EventQueue.ts"

/** The latest deposit that was credited or refused, else the pending one; undefined: no such channel (3.6). */
export const swapOfChannel = (network: Network, id: ChannelId): SwapView | undefined => {
  const channel = network.channels.get(formatChannelId(id))
  if (channel === undefined) return undefined
  return recordOfChannel(network, channel, channel.concludedDeposit ?? channel.latestDeposit)
}

export const swapOfRequest = (network: Network, swapRequestId: string): SwapView | undefined => {
  const request = network.requests.get(swapRequestId)
  return request === undefined ? undefined : recordOfDeposit(network, request.deposit)
}

/** The record of the deposit in this transaction; undefined if the transaction was never witnessed. */
export const swapOfTransaction = (network: Network, transactionReference: string): SwapView | undefined => {
  const deposit = network.depositsByTransaction.get(transactionReference)
  return deposit === undefined ? undefined : recordOfDeposit(network, deposit)
}

/** The transactions to a chain's vault that its blocks include, all that ever were. */
export const vaultDeposits = (network: Network, chain: Chain): ReadonlyArray<Deposit> =>
  Array.from(network.depositsByTransaction.values()).filter(({ channel, inclusionBlock, terms }) =>
    channel === undefined && chainOf(terms.sourceAsset) === chain &&
    inclusionBlock <= chainHeight(network, chain)
  )

/** The present time, and the latest state-chain block with its time. */
export const time = (network: Network) => {
  const height = stateChainHeight(network)
  return {
    time: network.time,
    stateChainHeight: height,
    stateChainTime: stateChainBlockTime(network, height),
  }
}

/** The figures of `cf_environment` (chainflip/wire.md 1.5): delays in state-chain blocks, fees in native flip.eth. */
export const environment = (network: Network) => ({
  asset: (asset: AssetId) => Struct.omit(Figures.assetState(network, asset), ["price", "depth"]),
  chain: (chain: Chain) => ({
    ...Struct.omit(Figures.chainFigures(chain), ["firstHeight"]),
    channelOpeningFee: NativeAmount.make(network.openingFees.get(chain) ?? Figures.openingFee),
    height: chainHeight(network, chain),
  }),
  /** In hundredth pips: 1000 are 10 bps. */
  networkFeeRate: Figures.networkFeeRate,
  /** In native units of usdc.eth. */
  networkFeeMinimum: Figures.networkFeeMinimum,
  swapRetryDelayBlocks: Figures.retryDelayBlocks,
  maximumSwapRetryDurationBlocks: Figures.maximumRetryDurationBlocks,
  maximumSwapRequestDurationBlocks: Figures.maximumRequestDurationBlocks,
})
export type Environment = ReturnType<typeof environment>

/** Every pool as the next block finds it: reserves in native units, price in native usdc.eth per whole unit. */
export const pools = (network: Network) =>
  assetIds().filter(hasPool).map((baseAsset) => {
    const { base, quote } = reservesBetweenBlocks(network)(baseAsset)
    return {
      baseAsset,
      quoteAsset: Figures.intermediateAsset,
      baseReserve: NativeAmount.make(base),
      quoteReserve: NativeAmount.make(quote),
      price: NativeAmount.make(Figures.assetState(network, baseAsset).price),
    }
  })

/** The boost pools by tier: native btc.btc that they can lend, and that is lent to unconfirmed deposits. */
export const boostPools = (network: Network) =>
  network.boostPools.map(({ tierBps, available, lent }) => ({
    asset: Figures.boostedAsset,
    tierBps,
    available: NativeAmount.make(available),
    lent: NativeAmount.make(lent),
  }))

export const affiliates = (network: Network): ReadonlyArray<Affiliate> =>
  Array.from(network.affiliates.values()).sort((one, other) => one.shortId - other.shortId)

export const switches = (network: Network) =>
  Struct.pick(network, ["swapsEnabled", "quotingMaintenance", "swappingMaintenance", "withdrawalsEnabled"])
export type Switches = ReturnType<typeof switches>

/** A channel with all that the state chain keeps of it; `openedAtBlock` is the source chain's. */
export interface KeptChannel extends Channel {
  readonly openedAtBlock: number
}

/** The channels that the state chain has at a height: each for as long again as it takes deposits. */
export const keptChannels = (network: Network, height: number): ReadonlyArray<KeptChannel> =>
  Array.from(network.channels.values())
    .filter(({ createdAt, id }) =>
      id.issuedBlock <= height &&
      stateChainBlockTime(network, height) < createdAt + 2 * Figures.channelLifetimeMillis
    )
    .map((channel) => ({
      ...channel,
      openedAtBlock: chainHeight(network, channel.id.network, channel.createdAt),
    }))

export const openChannels = (network: Network) =>
  Array.from(network.channels.values()).filter((channel) => !isExpired(network, channel))
    .map((channel: Channel) => ({
      ...Struct.pick(channel, [
        "id",
        "depositAddress",
        "sourceAsset",
        "destinationAsset",
        "destinationAddress",
        "ccm",
      ]),
      sourceExpiryBlock: channel.expiryBlock,
      estimatedExpiryTime: channel.expiryTime,
    }))
