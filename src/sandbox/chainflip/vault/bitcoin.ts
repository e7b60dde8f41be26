import { bytesToHex, concatBytes, hexToBytes } from "@noble/hashes/utils.js"
import { Result } from "effect"
import { chainOf } from "#domain/chains/Asset.ts"
import {
  decodeNullData,
  encodeNullData,
  longestNullData,
  noOracleLimit,
} from "#domain/chains/payload/nullData.ts"
import type { BitcoinPayload } from "#domain/swaps/VaultSwap.ts"
import type { RequestedSwap } from "../../engine/Command.ts"
import { vaultAddress } from "../../engine/identifiers.ts"
import { readAffiliates, writeAffiliates } from "./parameters.ts"
import { addressBytes, destinationOf } from "./destination.ts"
import type { Affiliate } from "../../engine/State.ts"

/** The single chunk of a regular swap, whose interval means nothing. */
const oneChunk = { numberOfChunks: 1, chunkIntervalBlocks: 2 }

/** Bytes of the two terms before the limit by an oracle: blocks to retry, and the least output. */
const limitsLength = 18

/** Null data as networks wrote it before they had a limit by an oracle. */
const withoutOracle = (payload: Uint8Array, destinationLength: number): Uint8Array => {
  const terms = payload.subarray(2 + destinationLength)
  return concatBytes(
    Uint8Array.of(0, ...payload.subarray(1, 2 + destinationLength)),
    terms.subarray(0, limitsLength),
    terms.subarray(limitsLength + 1),
  )
}

/** The null-data output of a swap; its price limit is of the whole output. Only the newest has an oracle limit. */
export const encodeBitcoin = (
  request: RequestedSwap,
  minimumOutput: bigint,
  registered: ReadonlyArray<Affiliate>,
  isNewest = true,
) => {
  const { destinationAsset, destinationAddress, refund, dca = oneChunk } = request
  const destination = addressBytes(chainOf(destinationAsset), destinationAddress)
  const payload = encodeNullData({
    destinationAsset,
    destination,
    terms: {
      retryDuration: refund.retryDurationBlocks,
      minimumOutput,
      maximumOraclePriceSlippage: refund.maximumOraclePriceSlippageBps ?? noOracleLimit,
      numberOfChunks: dca.numberOfChunks,
      chunkInterval: dca.chunkIntervalBlocks,
      boostFee: request.boostFeeBps,
      brokerFee: request.brokerCommissionBps,
      affiliates: writeAffiliates(request.affiliates, registered),
    },
  })
  return {
    chain: "Bitcoin",
    nulldata_payload: `0x${bytesToHex(isNewest ? payload : withoutOracle(payload, destination.length))}`,
    deposit_address: vaultAddress("Bitcoin"),
  }
}

const one = 2n ** 128n

/** The swap that a transaction with this amount asks for; refunds go to the address of its change. */
export const decodeBitcoin = (
  { depositAddress, nulldataPayload }: BitcoinPayload,
  amount: bigint,
  changeAddress: string,
  registered: ReadonlyArray<Affiliate>,
): Result.Result<RequestedSwap, string> =>
  Result.gen(function* () {
    if (depositAddress !== vaultAddress("Bitcoin")) {
      return yield* Result.fail("its depositAddress is not one of this sandbox")
    }
    const bytes = hexToBytes(nulldataPayload.slice(2))
    const said = bytes.length > longestNullData ? undefined : decodeNullData(bytes)
    if (said === undefined) return yield* Result.fail("its nulldataPayload cannot be read")
    const { terms: read } = said
    const { chunkInterval, maximumOraclePriceSlippage: oracle, numberOfChunks } = read
    return {
      sourceAsset: "btc.btc",
      ...(yield* destinationOf(said.destinationAsset, said.destination)),
      brokerCommissionBps: read.brokerFee,
      boostFeeBps: read.boostFee,
      affiliates: yield* readAffiliates(read.affiliates, registered),
      refund: {
        retryDurationBlocks: read.retryDuration,
        refundAddress: changeAddress,
        minimumPriceX128: amount === 0n ? 0n : read.minimumOutput * one / amount,
        ...(oracle === noOracleLimit ? {} : { maximumOraclePriceSlippageBps: oracle }),
      },
      ...(numberOfChunks === 1 ? {} : { dca: { numberOfChunks, chunkIntervalBlocks: chunkInterval } }),
    }
  })
