import { bytesToHex, concatBytes, hexToBytes } from "@noble/hashes/utils.js"
import { Result } from "effect"
import * as P from "micro-packed"
import { chainOf } from "../../../domain/Asset.ts"
import type { BitcoinPayload } from "../../../domain/VaultSwapPayload.ts"
import type { RequestedSwap } from "../../engine/Command.ts"
import { vaultAddress } from "../../engine/addresses.ts"
import { readAffiliates, writeAffiliates } from "./affiliates.ts"
import { assetNumber, assetOfNumber } from "./contractIds.ts"
import { addressBytes, addressLength, readDestination } from "./destination.ts"
import * as Scale from "./scale.ts"

const version = 0
/** Stands for an oracle limit that is off. */
const noLimit = 255
const headerLength = 2
/** What nodes pass on in a null-data output. */
const maximumLength = 80

const parameters = P.struct({
  retryDuration: P.U16LE,
  minimumOutput: P.U128LE,
  maximumOraclePriceSlippage: P.U8,
  numberOfChunks: P.U16LE,
  chunkInterval: P.U16LE,
  boostFee: P.U8,
  brokerFee: P.U8,
  affiliates: Scale.list(P.struct({ shortId: P.U8, bps: P.U8 })),
})

/** A regular swap is one chunk; the interval then means nothing. */
const oneChunk = { numberOfChunks: 1, chunkIntervalBlocks: 2 }

/** What the null-data output of a transaction says; the price limit is one on the whole output. */
export const encodeBitcoin = (
  request: RequestedSwap,
  minimumOutput: bigint,
  registered: ReadonlyArray<string>,
) => {
  const { destinationAsset, destinationAddress, refund, dca = oneChunk } = request
  const payload = concatBytes(
    Uint8Array.of(version, assetNumber(destinationAsset)),
    addressBytes(chainOf(destinationAsset), destinationAddress),
    parameters.encode({
      retryDuration: refund.retryDurationBlocks,
      minimumOutput,
      maximumOraclePriceSlippage: refund.maximumOraclePriceSlippageBps ?? noLimit,
      numberOfChunks: dca.numberOfChunks,
      chunkInterval: dca.chunkIntervalBlocks,
      boostFee: request.boostFeeBps,
      brokerFee: request.brokerCommissionBps,
      affiliates: writeAffiliates(request.affiliates, registered),
    }),
  )
  return {
    chain: "Bitcoin",
    nulldata_payload: `0x${bytesToHex(payload)}`,
    deposit_address: vaultAddress("Bitcoin"),
  }
}

const one = 2n ** 128n

/** What a transaction says that pays an amount and gives its change to an address, which is where refunds go. */
export const decodeBitcoin = (
  { depositAddress, nulldataPayload }: BitcoinPayload,
  amount: bigint,
  changeAddress: string,
  registered: ReadonlyArray<string>,
): Result.Result<RequestedSwap, string> =>
  Result.gen(function* () {
    if (depositAddress !== vaultAddress("Bitcoin")) {
      return yield* Result.fail("its depositAddress is not one of this sandbox")
    }
    const bytes = hexToBytes(nulldataPayload.slice(2))
    const [first, asset = 0] = bytes
    const destinationAsset = assetOfNumber(asset)
    const length = destinationAsset === undefined ? undefined : addressLength(chainOf(destinationAsset))
    if (first !== version || length === undefined || bytes.length > maximumLength) {
      return yield* Result.fail("its nulldataPayload cannot be read")
    }
    const read = yield* Result.try({
      try: () => parameters.decode(bytes.slice(headerLength + length)),
      catch: () => "the parameters of its nulldataPayload cannot be read",
    })
    const { chunkInterval, maximumOraclePriceSlippage: oracle, numberOfChunks } = read
    return {
      sourceAsset: "btc.btc",
      ...(yield* readDestination(asset, bytes.slice(headerLength, headerLength + length))),
      brokerCommissionBps: read.brokerFee,
      boostFeeBps: read.boostFee,
      affiliates: yield* readAffiliates(read.affiliates, registered),
      refund: {
        retryDurationBlocks: read.retryDuration,
        refundAddress: changeAddress,
        minimumPriceX128: amount === 0n ? 0n : read.minimumOutput * one / amount,
        ...(oracle === noLimit ? {} : { maximumOraclePriceSlippageBps: oracle }),
      },
      ...(numberOfChunks === 1 ? {} : { dca: { numberOfChunks, chunkIntervalBlocks: chunkInterval } }),
    }
  })
