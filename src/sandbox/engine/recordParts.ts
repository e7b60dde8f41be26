import { Match } from "effect"
import { NativeAmount } from "../../domain/Amount.ts"
import { type AssetId, chainOf } from "../../domain/Asset.ts"
import type { Fee, FeeType } from "../../domain/Fee.ts"
import type {
  Boost,
  ChannelRecord,
  Deposit as DepositRecord,
  Execution,
  FillOrKillParameters,
  SwapProgress,
} from "../../domain/Swap.ts"
import { Bps } from "../../domain/Bps.ts"
import { chainHeight } from "./blocks.ts"
import { isExpired } from "./channels.ts"
import { brokerAccount, intermediateAsset } from "./constants.ts"
import type { Channel, Deposit, Network, SwapRequest, Terms } from "./State.ts"

/** The channel's own part of a record. */
export const channelRecord = (network: Network, channel: Channel): ChannelRecord => ({
  id: channel.id,
  createdAt: channel.createdAt,
  brokerCommissionBps: channel.brokerCommissionBps,
  affiliateBrokers: channel.affiliates,
  depositAddress: channel.depositAddress,
  sourceChainExpiryBlock: channel.expiryBlock,
  estimatedExpiryTime: channel.expiryTime,
  isExpired: isExpired(network, channel),
  openedThroughBackend: channel.openedThroughBackend,
  ...(channel.expectedDepositAmount === undefined
    ? {}
    : { expectedDepositAmount: channel.expectedDepositAmount }),
})

/** The price limit. */
export const fillOrKill = (terms: Terms): FillOrKillParameters => ({
  retryDurationBlocks: terms.retryDurationBlocks,
  refundAddress: terms.refundAddress,
  minimumPrice: terms.minimumPrice,
  ...(terms.maximumOraclePriceSlippageBps === undefined
    ? {}
    : { maximumOraclePriceSlippageBps: terms.maximumOraclePriceSlippageBps }),
})

/** The submitting broker first, then the affiliates. */
export const brokers = (terms: Terms) => [
  { account: brokerAccount, commissionBps: terms.brokerCommissionBps },
  ...terms.affiliates,
]

/** What became of the boost: nothing yet, its fee, or that it was skipped (chainflip/wire.md 3.7, 3.9). */
export const boostRecord = (
  { maximumBoostFeeBps }: Terms,
  outcome: Deposit["boost"],
): Boost | undefined => {
  if (maximumBoostFeeBps === 0) return undefined
  if (outcome === undefined) return { maximumBoostFeeBps }
  const { at, blockIndex } = outcome
  return outcome._tag === "Boosted"
    ? {
      maximumBoostFeeBps,
      effectiveBoostFeeBps: outcome.feeBps,
      boostedAt: at,
      boostedBlockIndex: blockIndex,
    }
    : {
      maximumBoostFeeBps,
      effectiveBoostFeeBps: Bps.make(0),
      skippedAt: at,
      skippedBlockIndex: blockIndex,
    }
}

/** Confirmations are counted while the deposit is pending; the block that includes it is the first. */
const confirmations = (network: Network, { terms, inclusionBlock }: Deposit): number =>
  Math.max(0, chainHeight(network, chainOf(terms.sourceAsset)) - inclusionBlock + 1)

/** The deposit as the network knows it so far. */
export const depositRecord = (network: Network, deposit: Deposit): DepositRecord => {
  const { amount, transactionReference, fate } = deposit
  const known = { amount, transactionReference }
  return Match.valueTags(fate, {
    Pending: () => ({ ...known, transactionConfirmations: confirmations(network, deposit) }),
    Credited: ({ request: { witnessedAt, witnessedBlockIndex } }) => ({
      ...known,
      witnessedAt,
      witnessedBlockIndex,
    }),
    Failed: ({ failure }) => ({
      ...known,
      failure,
      failedAt: failure.failedAt,
      failedBlockIndex: failure.failedBlockIndex,
    }),
  })
}

const execution = (request: SwapRequest): Execution | undefined => {
  const { currentChunk, lastExecutedChunk, executedChunks, remainingChunks, terms } = request
  if (terms.dca !== undefined) {
    return {
      _tag: "dca",
      ...(lastExecutedChunk === undefined ? {} : { lastExecutedChunk }),
      ...(currentChunk === undefined ? {} : { currentChunk }),
      executedChunks,
      remainingChunks,
    }
  }
  const chunk = currentChunk ?? lastExecutedChunk
  return chunk === undefined ? undefined : { _tag: "regular", chunk }
}

/** Totals over all chunks so far, and the chunks themselves. */
export const progress = (request: SwapRequest): SwapProgress => {
  const chunks = execution(request)
  return {
    originalInputAmount: NativeAmount.make(request.inputAmount),
    remainingInputAmount: NativeAmount.make(request.remainingInput),
    swappedInputAmount: NativeAmount.make(request.swappedInput),
    swappedIntermediateAmount: NativeAmount.make(request.swappedIntermediate),
    swappedOutputAmount: NativeAmount.make(request.swappedOutput),
    ...(chunks === undefined ? {} : { execution: chunks }),
  }
}

/** A deposit that was not credited: all of it remains, nothing was swapped (chainflip/wire.md 3.9). */
export const noProgress = ({ amount }: Deposit): SwapProgress => {
  const nothing = NativeAmount.make(0n)
  return {
    originalInputAmount: amount,
    remainingInputAmount: amount,
    swappedInputAmount: nothing,
    swappedIntermediateAmount: nothing,
    swappedOutputAmount: nothing,
  }
}

/** What has been charged so far, summed for each type and asset; nothing that is nought (3.7). */
export const feesOf = (request: SwapRequest): ReadonlyArray<Fee> => {
  const { sourceAsset, destinationAsset } = request.terms
  const charged: ReadonlyArray<readonly [FeeType, AssetId, bigint]> = [
    ["boost", sourceAsset, request.boostFee],
    ["ingress", sourceAsset, request.ingressFee],
    ["network", intermediateAsset, request.networkFee],
    ["broker", intermediateAsset, request.brokerFee],
    ["egress", destinationAsset, request.egressFee],
    ["egress", sourceAsset, request.refundEgressFee],
    ["refund", sourceAsset, request.refundFee],
  ]
  return charged.flatMap(([type, asset, amount]) =>
    amount === 0n ? [] : [{ type, asset, amount: NativeAmount.make(amount) }]
  )
}
