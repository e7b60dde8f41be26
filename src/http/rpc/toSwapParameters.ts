import type { OpenChannelParams } from "../../api/RpcParameters.ts"
import { chainOf } from "../../domain/Asset.ts"
import { formatDecimal } from "../../domain/Decimal.ts"
import { fromX128 } from "../../domain/Price.ts"
import type { ProviderName } from "../../domain/ProviderName.ts"
import type { RawParameters } from "../readParameters.ts"
import { addressText } from "./addressText.ts"

const affiliates = (fees: OpenChannelParams["affiliate_fees"]): RawParameters =>
  Object.fromEntries(
    (fees ?? []).flatMap(({ account, bps }, index) => [
      [`affiliate${index + 1}`, account],
      [`affiliate${index + 1}CommissionBps`, `${bps}`],
    ]),
  )

const dca = (parameters: OpenChannelParams["dca_parameters"]): RawParameters =>
  parameters === undefined || parameters === null ? {} : {
    numberOfChunks: `${parameters.number_of_chunks}`,
    chunkIntervalBlocks: `${parameters.chunk_interval}`,
  }

const ccm = (metadata: OpenChannelParams["channel_metadata"]): RawParameters =>
  metadata === undefined || metadata === null
    ? {}
    : { ccmPayload: { gasBudget: `${metadata.gas_budget}`, message: metadata.message } }

/**
 * What a body of `POST /swap` would say, so that every rule of `/swap` holds here without being written again.
 * No boost fee is none, whatever the source asset.
 */
export const toSwapParameters = (params: OpenChannelParams, platform: ProviderName): RawParameters => {
  const { destination_asset: destination, refund_parameters: refund, source_asset: source } = params
  return {
    platform,
    sourceAsset: source,
    destinationAsset: destination,
    destinationAddress: addressText(chainOf(destination), params.destination_address),
    commissionBps: `${params.broker_commission}`,
    refundAddress: addressText(chainOf(source), refund.refund_address),
    minimumPrice: formatDecimal(fromX128(refund.min_price, source, destination)),
    retryDurationInBlocks: `${refund.retry_duration}`,
    ...((params.boost_fee ?? 0n) === 0n ? {} : { boostFee: `${params.boost_fee}` }),
    ...affiliates(params.affiliate_fees),
    ...dca(params.dca_parameters),
    ...ccm(params.channel_metadata),
  }
}
