import type { SwapStatusBody } from "../SwapStatusBody.ts"
import { toHuman } from "../../domain/Amount.ts"
import type { AssetId } from "../../domain/Asset.ts"
import { formatChannelId } from "../../domain/Channel.ts"
import { formatDecimal } from "../../domain/Decimal.ts"
import type {
  Boost,
  ChannelRecord,
  Deposit,
  Egress,
  Failure,
  FillOrKillParameters,
  SwapStatus,
} from "../../domain/Swap.ts"
import { type EpochMillis, toIsoDate } from "../../domain/Time.ts"
import { presentFee } from "./fee.ts"
import { seconds, when } from "./figures.ts"
import { presentProgress } from "./swapProgress.ts"

type Body = typeof SwapStatusBody.Type

const presentFailure = (failure: Failure) => ({ ...failure, failedAtDate: toIsoDate(failure.failedAt) })

const failed = (of: Pick<Deposit, "failure" | "failedAt" | "failedBlockIndex">) => ({
  ...when(of.failedAt, (failedAt) => ({ failedAt, failedAtDate: toIsoDate(failedAt) })),
  ...when(of.failedBlockIndex, (failedBlockIndex) => ({ failedBlockIndex })),
  ...when(of.failure, (failure) => ({ failure: presentFailure(failure) })),
})

const witnessed = (of: Pick<Deposit, "witnessedAt" | "witnessedBlockIndex">) => ({
  ...when(of.witnessedAt, (witnessedAt) => ({ witnessedAt, witnessedAtDate: toIsoDate(witnessedAt) })),
  ...when(of.witnessedBlockIndex, (witnessedBlockIndex) => ({ witnessedBlockIndex })),
})

const presentFillOrKill = ({ minimumPrice, ...parameters }: FillOrKillParameters) => ({
  ...parameters,
  minimumPrice: formatDecimal(minimumPrice),
})

const presentChannel = (channel: ChannelRecord, status: SwapStatus): Body["depositChannel"] & object => ({
  id: formatChannelId(channel.id),
  createdAt: channel.createdAt,
  createdAtDate: toIsoDate(channel.createdAt),
  brokerCommissionBps: channel.brokerCommissionBps,
  depositAddress: channel.depositAddress,
  sourceChainExpiryBlock: `${channel.sourceChainExpiryBlock}`,
  estimatedExpiryTime: channel.estimatedExpiryTime,
  estimatedExpiryDate: toIsoDate(channel.estimatedExpiryTime),
  isExpired: channel.isExpired,
  openedThroughBackend: channel.openedThroughBackend,
  ...when(channel.expectedDepositAmount, (expected) => ({
    expectedDepositAmount: toHuman(status.sourceAsset, expected),
    expectedDepositAmountNative: expected,
  })),
  affiliateBrokers: channel.affiliateBrokers,
  ...when(status.dca, (dcaParams) => ({ dcaParams })),
  ...when(status.fillOrKill, (fillOrKill) => ({ fillOrKillParams: presentFillOrKill(fillOrKill) })),
})

const presentBoost = (boost: Boost): Body["boost"] & object => ({
  ...boost,
  ...when(boost.boostedAt, (boostedAt) => ({ boostedAtDate: toIsoDate(boostedAt) })),
  ...when(boost.skippedAt, (skippedAt) => ({ skippedAtDate: toIsoDate(skippedAt) })),
})

const presentDeposit = (deposit: Deposit, asset: AssetId): Body["deposit"] & object => ({
  amount: toHuman(asset, deposit.amount),
  amountNative: deposit.amount,
  ...when(deposit.transactionReference, (transactionReference) => ({ transactionReference })),
  ...when(deposit.transactionConfirmations, (transactionConfirmations) => ({ transactionConfirmations })),
  ...witnessed(deposit),
  ...failed(deposit),
})

const presentEgress = (egress: Egress, asset: AssetId): Body["swapEgress"] & object => ({
  amount: toHuman(asset, egress.amount),
  amountNative: egress.amount,
  ...when(egress.scheduledAt, (scheduledAt) => ({ scheduledAt, scheduledAtDate: toIsoDate(scheduledAt) })),
  ...when(egress.scheduledBlockIndex, (scheduledBlockIndex) => ({ scheduledBlockIndex })),
  ...when(egress.transactionReference, (transactionReference) => ({ transactionReference })),
  ...witnessed(egress),
  ...when(egress.destinationAddress, (destinationAddress) => ({ destinationAddress })),
  ...when(egress.transactionPayload, (transactionPayload) => ({ transactionPayload })),
  ...failed(egress),
})

const presentUpdate = (at: EpochMillis) => ({
  lastStateChainUpdateAt: at,
  lastStateChainUpdateAtDate: toIsoDate(at),
})

/** A status as the contract shows it (decision 23), every amount in both of its forms. */
export const presentStatus = (status: SwapStatus): Body => ({
  state: status.state,
  ...when(status.swapId, (swapId) => ({ swapId })),
  sourceAsset: status.sourceAsset,
  destinationAsset: status.destinationAsset,
  destinationAddress: status.destinationAddress,
  ...when(status.depositChannel, (channel) => ({ depositChannel: presentChannel(channel, status) })),
  ...when(status.boost, (boost) => ({ boost: presentBoost(boost) })),
  ...when(status.estimatedDuration, (millis) => ({ estimatedDurationSeconds: seconds(millis) })),
  ...when(status.sourceChainRequiredBlockConfirmations, (confirmations) => ({
    sourceChainRequiredBlockConfirmations: confirmations,
  })),
  fees: status.fees.map(presentFee),
  ...when(status.deposit, (deposit) => ({ deposit: presentDeposit(deposit, status.sourceAsset) })),
  ...when(status.swap, (progress) => ({ swap: presentProgress(progress, status) })),
  ...when(status.swapEgress, (egress) => ({ swapEgress: presentEgress(egress, status.destinationAsset) })),
  ...when(status.refundEgress, (egress) => ({ refundEgress: presentEgress(egress, status.sourceAsset) })),
  ...when(status.fallbackEgress, (egress) => ({
    fallbackEgress: presentEgress(egress, status.destinationAsset),
  })),
  brokers: status.brokers,
  ...when(status.ccm, (ccmParams) => ({ ccmParams })),
  ...when(status.fillOrKill, (fillOrKill) => ({ fillOrKillParams: presentFillOrKill(fillOrKill) })),
  ...when(status.dca, (dcaParams) => ({ dcaParams })),
  ...when(status.lastStateChainUpdateAt, presentUpdate),
})
