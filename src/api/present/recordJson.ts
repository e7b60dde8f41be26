import type { AssetId } from "../../domain/Asset.ts"
import { formatChannelId } from "../../domain/Channel.ts"
import type { DcaParameters } from "../../domain/Dca.ts"
import { formatDecimal } from "../../domain/Decimal.ts"
import type { Fee } from "../../domain/Fee.ts"
import type {
  Boost,
  ChannelRecord,
  Deposit,
  Egress,
  Failure,
  FillOrKillParameters,
  SwapStatus,
} from "../../domain/Swap.ts"
import type { SwapRecord } from "../../domain/SwapRecord.ts"
import type { Affiliate, CcmPayload } from "../../domain/SwapRequest.ts"
import { seconds } from "./figures.ts"
import {
  amountMembers,
  list,
  member,
  numberMember,
  object,
  textMember,
  timeMembers,
  when,
} from "./jsonText.ts"
import { progressJson } from "./progressJson.ts"

/*
 * Records are asked for over and over while a swap moves, and by the hundred in the history: they are written
 * as text. A test holds it against what the contract's schema encodes, to the letter.
 */

const feeJson = ({ type, asset, amount }: Fee): string =>
  object(textMember("type", type) + textMember("asset", asset) + amountMembers("amount", asset, amount))

const brokerJson = ({ account, commissionBps }: typeof Affiliate.Type): string =>
  object(textMember("account", account) + numberMember("commissionBps", commissionBps))

const failureJson = ({ failedAt, failedBlockIndex, mode, reason }: Failure): string =>
  object(
    timeMembers("failedAt", failedAt) + textMember("failedBlockIndex", failedBlockIndex) +
      textMember("mode", mode) +
      member("reason", object(textMember("code", reason.code) + textMember("message", reason.message))),
  )

const witnessed = ({ witnessedAt, witnessedBlockIndex }: Deposit | Egress): string =>
  timeMembers("witnessedAt", witnessedAt) + textMember("witnessedBlockIndex", witnessedBlockIndex)

const failed = ({ failedAt, failedBlockIndex, failure }: Deposit | Egress): string =>
  timeMembers("failedAt", failedAt) + textMember("failedBlockIndex", failedBlockIndex) +
  when("failure", failure, failureJson)

const fillOrKillJson = (parameters: FillOrKillParameters): string =>
  object(
    numberMember("retryDurationBlocks", parameters.retryDurationBlocks) +
      textMember("refundAddress", parameters.refundAddress) +
      textMember("minimumPrice", formatDecimal(parameters.minimumPrice)) +
      numberMember("maximumOraclePriceSlippageBps", parameters.maximumOraclePriceSlippageBps),
  )

const dcaJson = ({ numberOfChunks, chunkIntervalBlocks }: DcaParameters): string =>
  object(
    numberMember("numberOfChunks", numberOfChunks) + numberMember("chunkIntervalBlocks", chunkIntervalBlocks),
  )

const terms = ({ dca, fillOrKill }: SwapStatus) => ({
  dcaParams: when("dcaParams", dca, dcaJson),
  fillOrKillParams: when("fillOrKillParams", fillOrKill, fillOrKillJson),
})

const channelJson = (channel: ChannelRecord, status: SwapStatus): string => {
  const { dcaParams, fillOrKillParams } = terms(status)
  return object(
    textMember("id", formatChannelId(channel.id)) + timeMembers("createdAt", channel.createdAt) +
      numberMember("brokerCommissionBps", channel.brokerCommissionBps) +
      textMember("depositAddress", channel.depositAddress) +
      textMember("sourceChainExpiryBlock", `${channel.sourceChainExpiryBlock}`) +
      expiryMembers(channel) + member("isExpired", channel.isExpired) +
      member("openedThroughBackend", channel.openedThroughBackend) +
      amountMembers("expectedDepositAmount", status.sourceAsset, channel.expectedDepositAmount) +
      member("affiliateBrokers", list(channel.affiliateBrokers, brokerJson)) + dcaParams + fillOrKillParams,
  )
}

/** The only time whose two names differ in more than `Date`. */
const expiryMembers = ({ estimatedExpiryTime }: ChannelRecord): string =>
  timeMembers("estimatedExpiryTime", estimatedExpiryTime)
    .replace("estimatedExpiryTimeDate", "estimatedExpiryDate")

const boostJson = (boost: Boost): string =>
  object(
    numberMember("maximumBoostFeeBps", boost.maximumBoostFeeBps) +
      numberMember("effectiveBoostFeeBps", boost.effectiveBoostFeeBps) +
      timeMembers("boostedAt", boost.boostedAt) + textMember("boostedBlockIndex", boost.boostedBlockIndex) +
      timeMembers("skippedAt", boost.skippedAt) + textMember("skippedBlockIndex", boost.skippedBlockIndex),
  )

const depositJson = (deposit: Deposit, asset: AssetId): string =>
  object(
    amountMembers("amount", asset, deposit.amount) +
      textMember("transactionReference", deposit.transactionReference) +
      numberMember("transactionConfirmations", deposit.transactionConfirmations) +
      witnessed(deposit) + failed(deposit),
  )

const payloadJson = (
  { contract, value, chainId, data }: NonNullable<Egress["transactionPayload"]>,
): string =>
  object(
    textMember("contract", contract) + textMember("value", value) + numberMember("chainId", chainId) +
      textMember("data", data),
  )

const egressJson = (asset: AssetId) => (egress: Egress): string =>
  object(
    amountMembers("amount", asset, egress.amount) + timeMembers("scheduledAt", egress.scheduledAt) +
      textMember("scheduledBlockIndex", egress.scheduledBlockIndex) +
      textMember("transactionReference", egress.transactionReference) + witnessed(egress) +
      textMember("destinationAddress", egress.destinationAddress) +
      when("transactionPayload", egress.transactionPayload, payloadJson) + failed(egress),
  )

const ccmJson = ({ gasBudget, message }: typeof CcmPayload.Type): string =>
  object(textMember("gasBudget", `${gasBudget}`) + textMember("message", message))

/** A status as the contract shows it (decision 23). */
const statusJson = (status: SwapStatus): string => {
  const { sourceAsset, destinationAsset } = status
  const { dcaParams, fillOrKillParams } = terms(status)
  return object(
    textMember("state", status.state) + textMember("swapId", status.swapId) +
      textMember("sourceAsset", sourceAsset) + textMember("destinationAsset", destinationAsset) +
      textMember("destinationAddress", status.destinationAddress) +
      when("depositChannel", status.depositChannel, (channel) => channelJson(channel, status)) +
      when("boost", status.boost, boostJson) +
      when("estimatedDurationSeconds", status.estimatedDuration, (millis) => formatDecimal(seconds(millis))) +
      numberMember("sourceChainRequiredBlockConfirmations", status.sourceChainRequiredBlockConfirmations) +
      member("fees", list(status.fees, feeJson)) +
      when("deposit", status.deposit, (deposit) => depositJson(deposit, sourceAsset)) +
      when("swap", status.swap, (progress) => progressJson(progress, status)) +
      when("swapEgress", status.swapEgress, egressJson(destinationAsset)) +
      when("refundEgress", status.refundEgress, egressJson(sourceAsset)) +
      when("fallbackEgress", status.fallbackEgress, egressJson(destinationAsset)) +
      member("brokers", list(status.brokers, brokerJson)) + when("ccmParams", status.ccm, ccmJson) +
      fillOrKillParams + dcaParams +
      timeMembers("lastStateChainUpdateAt", status.lastStateChainUpdateAt),
  )
}

/** The JSON text of a swap of the account, as every look-up and the history show it (decision 23). */
export const recordJson = ({ id, platform, status }: SwapRecord): string =>
  object(numberMember("id", id) + textMember("platform", platform) + member("status", statusJson(status)))

/** The JSON text of several. */
export const recordsJson = (records: ReadonlyArray<SwapRecord>): string => list(records, recordJson)
