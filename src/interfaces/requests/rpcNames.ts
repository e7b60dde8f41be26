import type { Names } from "#domain/renameIssues.ts"

const affiliateNames = [1, 2, 3, 4].flatMap((number): ReadonlyArray<readonly [string, string]> => [
  [`affiliate${number}`, `affiliate_fees[${number - 1}].account`],
  [`affiliate${number}CommissionBps`, `affiliate_fees[${number - 1}].bps`],
])

/** The names of the parameters of `/swap`; `refund` is the path of refunds (chainflip/wire.md 2.2, 2.3). */
const swapNames = (refund: string): ReadonlyArray<readonly [string, string]> => [
  ["sourceAsset", "source_asset"],
  ["destinationAsset", "destination_asset"],
  ["destinationAddress", "destination_address"],
  ["commissionBps", "broker_commission"],
  ["ccmPayload", "channel_metadata"],
  ["boostFee", "boost_fee"],
  ["refundAddress", `${refund}.refund_address`],
  ["minimumPrice", `${refund}.min_price`],
  ["retryDurationInBlocks", `${refund}.retry_duration`],
  ["numberOfChunks", "dca_parameters.number_of_chunks"],
  ["chunkIntervalBlocks", "dca_parameters.chunk_interval"],
  ...affiliateNames,
]

/** The names of our parameters in `broker_request_swap_deposit_address`. */
export const openNames: Names = new Map(swapNames("refund_parameters"))

/** The names of our parameters in `broker_request_swap_parameter_encoding`. */
export const encodeNames: Names = new Map([
  ...swapNames("extra_parameters.refund_parameters"),
  ["amount", "extra_parameters.input_amount"],
  ["amountNative", "extra_parameters.input_amount"],
  ["sourceAddress", "extra_parameters.from"],
  ["seed", "extra_parameters.seed"],
  ["sourceTokenAccount", "extra_parameters.from_token_account"],
])
