import { Result, Struct } from "effect"
import { Address, BrokerAccount, checkBrokerAccount } from "#domain/chains/Address.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import { Bps } from "#domain/money/Bps.ts"
import { type Chain, chainFacts } from "#domain/chains/Chain.ts"
import { fromX128 } from "#domain/money/Price.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { OpenChannel, RequestedSwap } from "./Command.ts"
import {
  accountPrefix,
  assetState,
  channelLifetimeMillis,
  maximumAffiliates,
  maximumBackendChannels,
  maximumCommissionBps,
  maximumMessageLength,
  maximumRequestDurationBlocks,
  maximumRetryDurationBlocks,
  openingFee,
} from "./figures.ts"
import { depositAddress, isAddressOn } from "./identifiers.ts"
import { moduleError, type OpenRefusal, type SwapRefusal } from "./Refusal.ts"
import type { Channel, ChannelOpened, ChannelTerms, Network } from "./State.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type ChannelId, formatChannelId } from "#domain/swaps/Channel.ts"
import { fundsRefusal, submitExtrinsic } from "./operator.ts"
import { chainBlockTime, chainHeight, stateChainBlockTime, stateChainHeight } from "./blocks.ts"

/** A rule of chainflip/wire.md 2.5: returns a refusal, or undefined if the request satisfies it. */
export type Rule = (request: RequestedSwap, network: Network) => SwapRefusal | undefined

const isBps = (value: number): boolean => value >= 0 && value <= 10_000

const bpsInRange: Rule = ({ brokerCommissionBps, boostFeeBps, affiliates, refund }) => {
  const bps = [
    brokerCommissionBps,
    boostFeeBps,
    refund.maximumOraclePriceSlippageBps ?? 0,
    ...affiliates.map(({ commissionBps }) => commissionBps),
  ].find((value) => !isBps(value))
  return bps === undefined ? undefined : { _tag: "InvalidBps", bps }
}

const affiliateAccounts: Rule = ({ affiliates }) => {
  const wrong = affiliates.find(({ account }) => Result.isFailure(checkBrokerAccount(accountPrefix, account)))
  return wrong === undefined ? undefined : { _tag: "InvalidAffiliateAccount", account: wrong.account }
}

const creationEnabled: Rule = ({ sourceAsset }, network) =>
  assetState(network, sourceAsset).creationEnabled
    ? undefined
    : moduleError("DepositChannelCreationDisabled", `${chainOf(sourceAsset)}IngressEgress`)

export const commissionOf = (
  { brokerCommissionBps, affiliates }: Pick<RequestedSwap, "brokerCommissionBps" | "affiliates">,
): number => affiliates.reduce<number>((sum, { commissionBps }) => sum + commissionBps, brokerCommissionBps)

const chunks: Rule = ({ dca }) => {
  if (dca === undefined || dca.numberOfChunks === 1) return undefined
  const { numberOfChunks, chunkIntervalBlocks } = dca
  if (numberOfChunks < 1) return moduleError("ZeroNumberOfChunksNotAllowed")
  if (chunkIntervalBlocks < 1) return moduleError("ChunkIntervalTooLow")
  return (numberOfChunks - 1) * chunkIntervalBlocks > maximumRequestDurationBlocks
    ? moduleError("SwapRequestDurationTooLong")
    : undefined
}

const messageChains: ReadonlyArray<Chain> = ["Ethereum", "Arbitrum", "Solana", "Tron", "Bsc"]
const hexMessage = /^0x(?:[0-9a-fA-F]{2})*$/

const message: Rule = ({ destinationAsset, ccm }) => {
  if (ccm === undefined) return undefined
  if (!messageChains.includes(chainOf(destinationAsset))) return moduleError("CcmUnsupportedForTargetChain")
  return hexMessage.test(ccm.message) && ccm.message.length <= 2 + 2 * maximumMessageLength
    ? undefined
    : moduleError("InvalidCcm")
}

/** The rules in the upstream's order: first what does not parse, then what the chain refuses. */
const rules: ReadonlyArray<Rule> = [
  bpsInRange,
  ({ affiliates }) => affiliates.length > maximumAffiliates ? { _tag: "TooManyAffiliates" } : undefined,
  affiliateAccounts,
  ({ sourceAsset, destinationAsset }) =>
    sourceAsset === destinationAsset ? moduleError("PoolDoesNotExist") : undefined,
  (request) =>
    isAddressOn(chainOf(request.destinationAsset), request.destinationAddress)
      ? undefined
      : moduleError("InvalidDestinationAddress"),
  ({ sourceAsset, refund }) =>
    isAddressOn(chainOf(sourceAsset), refund.refundAddress) ? undefined : moduleError("InvalidRefundAddress"),
  (request) =>
    commissionOf(request) > maximumCommissionBps ? moduleError("BrokerCommissionBpsTooHigh") : undefined,
  ({ refund }) =>
    refund.retryDurationBlocks > maximumRetryDurationBlocks ? moduleError("RetryDurationTooHigh") : undefined,
  chunks,
  message,
]

export const firstRefusal = (rules: ReadonlyArray<Rule>): Rule => (request, network) => {
  for (const rule of rules) {
    const refusal = rule(request, network)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

export const swapRefusal: Rule = firstRefusal(rules)

export const channelRefusal: Rule = firstRefusal([swapRefusal, creationEnabled])

const limitsOf = ({ refund, sourceAsset, destinationAsset }: RequestedSwap) => ({
  retryDurationBlocks: refund.retryDurationBlocks,
  refundAddress: Address.make(refund.refundAddress),
  minimumPriceX128: refund.minimumPriceX128,
  minimumPrice: fromX128(refund.minimumPriceX128, sourceAsset, destinationAsset),
  ...optionalMembers(
    refund.maximumOraclePriceSlippageBps,
    (bps) => ({ maximumOraclePriceSlippageBps: Bps.make(bps) }),
  ),
})

export const termsOf = (request: RequestedSwap): ChannelTerms => ({
  ...Struct.pick(request, ["sourceAsset", "destinationAsset", "ccm"]),
  destinationAddress: Address.make(request.destinationAddress),
  brokerCommissionBps: Bps.make(request.brokerCommissionBps),
  affiliates: request.affiliates.map(({ account, commissionBps }) => ({
    account: BrokerAccount.make(account),
    commissionBps: Bps.make(commissionBps),
  })),
  maximumBoostFeeBps: Bps.make(request.boostFeeBps),
  ...limitsOf(request),
  ...(request.dca === undefined || request.dca.numberOfChunks === 1 ? {} : { dca: request.dca }),
})

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
    Math.ceil(channelLifetimeMillis / chainFacts(id.network).blockMillis)
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
