import type { Faults } from "../../domain/Faults.ts"

const affiliateNames = [1, 2, 3, 4].flatMap((number): ReadonlyArray<readonly [string, string]> => [
  [`affiliate${number}`, `affiliate_fees[${number - 1}].account`],
  [`affiliate${number}CommissionBps`, `affiliate_fees[${number - 1}].bps`],
])

/** What the parameters of `/swap` are called on the upstream's wire (chainflip.md 2.2). */
const wireNames = new Map([
  ["sourceAsset", "source_asset"],
  ["destinationAsset", "destination_asset"],
  ["destinationAddress", "destination_address"],
  ["commissionBps", "broker_commission"],
  ["ccmPayload", "channel_metadata"],
  ["boostFee", "boost_fee"],
  ["refundAddress", "refund_parameters.refund_address"],
  ["minimumPrice", "refund_parameters.min_price"],
  ["retryDurationInBlocks", "refund_parameters.retry_duration"],
  ["numberOfChunks", "dca_parameters.number_of_chunks"],
  ["chunkIntervalBlocks", "dca_parameters.chunk_interval"],
  ...affiliateNames,
])

const wireName = (name: string): string => wireNames.get(name) ?? name

/** Faults of `/swap` in the names that the caller wrote. */
export const inWireNames = (faults: Faults): Faults =>
  Object.fromEntries(
    Object.entries(faults).map(([name, sentences]) => [
      wireName(name),
      sentences.map((sentence) => sentence.replace(/\b[a-z]+[A-Za-z0-9]+\b/g, wireName)),
    ]),
  )
