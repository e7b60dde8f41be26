import { sha256 } from "@noble/hashes/sha2.js"
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import * as P from "micro-packed"
import { isSameBytes } from "./abi.ts"

/** The instructions of Solana's swap program. */

const discriminatorLength = 8

const discriminator = (name: string): Uint8Array =>
  sha256(utf8ToBytes(`global:${name}`)).slice(0, discriminatorLength)

const coinSwap = discriminator("x_swap_native")
const tokenSwap = discriminator("x_swap_token")

const bytes = P.bytes(P.U32LE)

const swap = {
  amount: P.U64LE,
  destinationChain: P.U32LE,
  destinationAddress: bytes,
  destinationAsset: P.U32LE,
  message: P.optional(P.bool, P.struct({ message: bytes, gasBudget: P.U64LE })),
  parameters: bytes,
}
const coinArguments = P.struct({ ...swap, seed: bytes })
const tokenArguments = P.struct({ ...swap, decimals: P.U8, seed: bytes })

/** The arguments of an instruction that swaps SOL. */
type CoinArguments = P.UnwrapCoder<typeof coinArguments>

/** The arguments of an instruction; `decimals` is present for tokens only. */
export interface SwapInstruction extends CoinArguments {
  readonly decimals?: number
}

/** The largest number that an instruction can hold. */
export const maximumSolanaNumber = 2n ** 64n - 1n

export const encodeSwapInstruction = ({ decimals, ...said }: SwapInstruction): Uint8Array =>
  decimals === undefined
    ? concatBytes(coinSwap, coinArguments.encode(said))
    : concatBytes(tokenSwap, tokenArguments.encode({ ...said, decimals }))

/** Decodes an instruction; undefined where the data is of no instruction that swaps. */
export const decodeSwapInstruction = (data: Uint8Array): SwapInstruction | undefined => {
  const name = data.slice(0, discriminatorLength)
  const coded = data.slice(discriminatorLength)
  try {
    if (isSameBytes(name, coinSwap)) return coinArguments.decode(coded)
    return isSameBytes(name, tokenSwap) ? tokenArguments.decode(coded) : undefined
  } catch {
    return undefined
  }
}
