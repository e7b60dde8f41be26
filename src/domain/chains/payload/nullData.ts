import { concatBytes } from "@noble/hashes/utils.js"
import * as P from "micro-packed"
import { type AssetId, chainOf } from "../Asset.ts"
import { addressLength, assetNumber, assetOfNumber } from "./contractNumbers.ts"
import * as Scale from "./scale.ts"

/** The null data of a Bitcoin transaction to the vault: its content and its encoding. */

/** The most bytes of a null-data output that nodes relay. */
export const longestNullData = 80

/** The value for an oracle limit that is off. */
export const noOracleLimit = 255

const headerLength = 2

const limits = { retryDuration: P.U16LE, minimumOutput: P.U128LE }
const rest = {
  numberOfChunks: P.U16LE,
  chunkInterval: P.U16LE,
  boostFee: P.U8,
  brokerFee: P.U8,
  affiliates: Scale.list(P.struct({ shortId: P.U8, bps: P.U8 })),
}

/** The terms in version 1, which networks write since August 2025. */
const terms = P.struct({ ...limits, maximumOraclePriceSlippage: P.U8, ...rest })

/** The terms in version 0, before there was a limit by an oracle. */
const termsBefore = P.struct({ ...limits, ...rest })

/** What reads the terms, by the version in the first byte. */
const versions: ReadonlyArray<(bytes: Uint8Array) => NullDataTerms> = [
  (bytes) => ({ ...termsBefore.decode(bytes), maximumOraclePriceSlippage: noOracleLimit }),
  (bytes) => terms.decode(bytes),
]

const newest = versions.length - 1

/** The terms of a swap in null data; the price limit applies to the whole output. */
export type NullDataTerms = P.UnwrapCoder<typeof terms>

/** The content of null data: the destination of the output, as bytes, and the terms. */
export interface NullData {
  readonly destinationAsset: AssetId
  readonly destination: Uint8Array
  readonly terms: NullDataTerms
}

export const encodeNullData = ({ destination, destinationAsset, terms: said }: NullData): Uint8Array =>
  concatBytes(Uint8Array.of(newest, assetNumber(destinationAsset)), destination, terms.encode(said))

/** Decodes null data; undefined where the bytes are of another version or form. */
export const decodeNullData = (bytes: Uint8Array): NullData | undefined => {
  const [version = versions.length, number = 0] = bytes
  const read = versions[version]
  const destinationAsset = assetOfNumber(number)
  const length = destinationAsset === undefined ? undefined : addressLength(chainOf(destinationAsset))
  if (read === undefined || destinationAsset === undefined || length === undefined) return undefined
  const end = headerLength + length
  try {
    return { destinationAsset, destination: bytes.slice(headerLength, end), terms: read(bytes.slice(end)) }
  } catch {
    return undefined
  }
}
