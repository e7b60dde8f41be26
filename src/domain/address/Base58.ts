import { sha256 } from "@noble/hashes/sha2.js"
import { base58, createBase58check } from "@scure/base"
import { Result } from "effect"
import { checksumFault, foreignCharacterFault, lengthFault } from "./faults.ts"

const base58check = createBase58check(sha256)
const checksumLength = 4

const foreignCharacter = /[^1-9A-HJ-NP-Za-km-z]/u

/** The bytes of base58 text, or what is wrong with it. */
export const decodeBase58 = (text: string): Result.Result<Uint8Array, string> => {
  const fault = foreignCharacterFault(text, foreignCharacter)
  return fault === undefined ? Result.succeed(base58.decode(text)) : Result.fail(fault)
}

/** The bytes of base58 text that holds exactly `length` of them, or what is wrong with it. */
export const decodeBase58OfLength = (text: string, length: number): Result.Result<Uint8Array, string> =>
  Result.filterOrFail(decodeBase58(text), (bytes) => bytes.length === length, () => lengthFault)

/**
 * The payload of base58check text, `length` bytes in front of four of their double SHA-256, or what is
 * wrong with it.
 */
export const decodeBase58Check = (text: string, length: number): Result.Result<Uint8Array, string> =>
  Result.flatMap(
    decodeBase58OfLength(text, length + checksumLength),
    () => Result.try({ try: () => base58check.decode(text), catch: () => checksumFault }),
  )
