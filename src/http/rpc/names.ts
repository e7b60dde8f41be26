import { combineFaults, type Faults } from "../../domain/Faults.ts"

/** What parameters of our own endpoints are called on the upstream's wire. */
export type WireNames = ReadonlyMap<string, string>

const affiliateNames = [1, 2, 3, 4].flatMap((number): ReadonlyArray<readonly [string, string]> => [
  [`affiliate${number}`, `affiliate_fees[${number - 1}].account`],
  [`affiliate${number}CommissionBps`, `affiliate_fees[${number - 1}].bps`],
])

/** Those of `/swap`, with the refund parameters in their place (chainflip.md 2.2, 2.3). */
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

/** Of `broker_request_swap_deposit_address`. */
export const openNames: WireNames = new Map(swapNames("refund_parameters"))

/** Of `broker_request_swap_parameter_encoding`. */
export const encodeNames: WireNames = new Map([
  ...swapNames("extra_parameters.refund_parameters"),
  ["amount", "extra_parameters.input_amount"],
  ["amountNative", "extra_parameters.input_amount"],
  ["sourceAddress", "extra_parameters.from"],
  ["seed", "extra_parameters.seed"],
  ["sourceTokenAccount", "extra_parameters.from_token_account"],
])

/** Names of ours that are no words of English as well. */
const ourName = /\b(?:[a-z]+[A-Z][A-Za-z0-9]*|affiliate[1-4])\b/g

/** Faults in the names that the caller wrote, also within their sentences. */
export const inWireNames = (names: WireNames, faults: Faults): Faults => {
  const wireName = (name: string): string => names.get(name) ?? name
  return combineFaults(
    Object.entries(faults).map(([name, sentences]) => ({
      [wireName(name)]: sentences.map((sentence) =>
        (sentence.startsWith(name) ? `${wireName(name)}${sentence.slice(name.length)}` : sentence)
          .replace(ourName, wireName)
      ),
    })),
  )
}
