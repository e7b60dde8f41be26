import { bytesToNumberBE, numberToBytesBE } from "@noble/curves/utils.js"
import { keccak_256 } from "@noble/hashes/sha3.js"
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { type AssetId, factsOf } from "../Asset.ts"

/** Contract calls as their ABI encodes them, with words and byte strings only. */

const wordLength = 32
const selectorLength = 4

/** An argument: a word of 32 bytes, or a byte string of any length. */
export type Argument = bigint | Uint8Array

/** The words and the byte strings of a call, each in their order. */
export interface Arguments {
  readonly words: ReadonlyArray<bigint>
  readonly strings: ReadonlyArray<Uint8Array>
}

const selectorOf = (signature: string): Uint8Array =>
  keccak_256(utf8ToBytes(signature)).slice(0, selectorLength)

const word = (value: bigint): Uint8Array => numberToBytesBE(value, wordLength)

const padded = (bytes: Uint8Array): Uint8Array => {
  const whole = new Uint8Array(Math.ceil(bytes.length / wordLength) * wordLength)
  whole.set(bytes)
  return whole
}

/** The call of a function, such as `transfer(address,uint256)`, with its arguments. */
export const encodeCall = (signature: string, args: ReadonlyArray<Argument>): Uint8Array => {
  const head: Array<Uint8Array> = []
  const tail: Array<Uint8Array> = []
  let offset = args.length * wordLength
  for (const argument of args) {
    if (typeof argument === "bigint") {
      head.push(word(argument))
      continue
    }
    const string = concatBytes(word(BigInt(argument.length)), padded(argument))
    head.push(word(BigInt(offset)))
    tail.push(string)
    offset += string.length
  }
  return concatBytes(selectorOf(signature), ...head, ...tail)
}

const dynamic = (type: string): boolean => type === "bytes" || type === "string"

/** The types in a signature such as `f(uint32,bytes)`. */
const typesOf = (signature: string): ReadonlyArray<string> =>
  signature.slice(signature.indexOf("(") + 1, -1).split(",")

/** The arguments of a call of this function, in exactly `encodeCall`'s form; else undefined. */
export const decodeCall = (signature: string, call: Uint8Array): Arguments | undefined => {
  if (!isSameBytes(call.slice(0, selectorLength), selectorOf(signature))) return undefined
  const body = call.slice(selectorLength)
  const wordAt = (offset: number): bigint => bytesToNumberBE(body.slice(offset, offset + wordLength))
  const stringAt = (offset: number): Uint8Array =>
    body.slice(offset + wordLength, offset + wordLength + Number(wordAt(offset)))
  const args = typesOf(signature).map((type, index) => {
    const value = wordAt(index * wordLength)
    return dynamic(type) ? stringAt(Number(value)) : value
  })
  return isSameBytes(encodeCall(signature, args), call)
    ? {
      words: args.filter((argument) => typeof argument === "bigint"),
      strings: args.filter((argument) => typeof argument !== "bigint"),
    }
    : undefined
}

export const isSameBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index])

/** The functions of an EVM chain's vault that swap: the chain's own coin or a token, with a message or without. */
export const vaultFunctions = {
  native: "xSwapNative(uint32,bytes,uint32,bytes)",
  token: "xSwapToken(uint32,bytes,uint32,address,uint256,bytes)",
  nativeWithMessage: "xCallNative(uint32,bytes,uint32,bytes,uint256,bytes)",
  tokenWithMessage: "xCallToken(uint32,bytes,uint32,bytes,uint256,address,uint256,bytes)",
} as const

/** A standard transfer of a token. */
export const transferFunction = "transfer(address,uint256)"

export const vaultFunction = (sourceAsset: AssetId, hasMessage: boolean) => {
  const isToken = factsOf(sourceAsset).contractAddress !== undefined
  if (hasMessage) return vaultFunctions[isToken ? "tokenWithMessage" : "nativeWithMessage"]
  return vaultFunctions[isToken ? "token" : "native"]
}
