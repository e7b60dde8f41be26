import * as P from "micro-packed"
import { type AssetId, chainOf } from "../Asset.ts"
import type { Chain } from "../Chain.ts"
import { addressLength, addressVariant, assetNumber, assetOfNumber } from "./contractNumbers.ts"
import * as Scale from "./scale.ts"

/** The note of a Tron transaction to the vault: its content and its encoding. */

const coder = (destination: Chain) => {
  const length = addressLength(destination)
  return P.struct({
    asset: P.U8,
    variant: P.magic(P.U8, addressVariant(destination)),
    address: length === undefined ? Scale.bytes : P.bytes(length),
    message: Scale.option(P.struct({ gasBudget: P.U128LE, message: Scale.bytes })),
    parameters: Scale.bytes,
  })
}

/** A message for the receiving contract. */
export interface CodedMessage {
  readonly gasBudget: bigint
  readonly message: Uint8Array
}

/** The content of a note: the destination of the output, as bytes, its message, and the parameters of the swap. */
export interface TronNote {
  readonly destinationAsset: AssetId
  readonly destination: Uint8Array
  readonly message: CodedMessage | undefined
  readonly parameters: Uint8Array
}

export const encodeTronNote = (
  { destination, destinationAsset, message, parameters }: TronNote,
): Uint8Array =>
  coder(chainOf(destinationAsset)).encode({
    asset: assetNumber(destinationAsset),
    address: destination,
    message: message === undefined ? undefined : { ...message },
    parameters,
  })

/** Decodes a note; undefined where the bytes are not of this form. */
export const decodeTronNote = (bytes: Uint8Array): TronNote | undefined => {
  const destinationAsset = assetOfNumber(bytes[0] ?? 0)
  if (destinationAsset === undefined) return undefined
  try {
    const { address, message, parameters } = coder(chainOf(destinationAsset)).decode(bytes)
    return { destinationAsset, destination: address, message, parameters }
  } catch {
    return undefined
  }
}
