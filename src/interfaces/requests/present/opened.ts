import { presentExactOutput } from "#api/exactOutput.ts"
import { presentPayment } from "#api/Payment.ts"
import { presentExactDeposit, presentRefund } from "#api/shape.ts"
import type { DepositChannelBody } from "#api/Swap.ts"
import { noAmount, toHuman } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { Network } from "#domain/chains/Chain.ts"
import { paymentOf } from "#domain/swaps/payment/Payment.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { OpenedSwap } from "#application/swapping/opening/OpeningRecord.ts"

/** The asset in which opening fees are charged. */
const governanceToken: AssetId = "flip.eth"

/** The answer to an opening. */
export const presentOpened = (
  {
    id,
    channel,
    depositLimits,
    destinationAsset,
    expiresAt,
    openedAt,
    payable,
    platform,
    refundAddress,
    refundsTo,
    sourceAsset,
    terms,
  }: OpenedSwap,
  network: Network,
): DepositChannelBody => ({
  id,
  address: channel.depositAddress,
  issuedBlock: channel.id.issuedBlock,
  network: channel.id.network,
  channelId: channel.id.channelId,
  sourceExpiryBlock: channel.sourceExpiryBlock,
  explorerUrl: channel.explorerUrl,
  channelOpeningFee: toHuman(governanceToken, channel.openingFee),
  channelOpeningFeeNative: channel.openingFee,
  platform,
  minimumDeposit: toHuman(sourceAsset, depositLimits.minimum ?? noAmount),
  minimumDepositNative: depositLimits.minimum ?? noAmount,
  ...optionalMembers(depositLimits.maximum, (maximum) => ({
    maximumDeposit: toHuman(sourceAsset, maximum),
    maximumDepositNative: maximum,
  })),
  ...presentRefund(refundsTo, refundAddress),
  ...presentExactDeposit(sourceAsset, channel),
  ...optionalMembers(payable.exactOutput, (exactOutput) => ({
    exactOutput: presentExactOutput(exactOutput, { sourceAsset, destinationAsset }),
  })),
  ...optionalMembers(expiresAt, (expiresAt) => ({ expiresAt })),
  payment: presentPayment(
    sourceAsset,
    paymentOf(payable, { ...terms, network }, openedAt),
  ),
})
