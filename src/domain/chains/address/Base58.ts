import { sha256 } from "@noble/hashes/sha2.js"
import { base58, createBase58check } from "@scure/base"
import { Result } from "effect"

/* Faults that addresses of several chains can have, as clauses that complete "… cannot be used on …, because ". */

export const checksumFault = "its checksum does not match; check it for a typing error"

export const lengthFault = "it has the wrong length; check that all of it was copied"

/** No address that is taken is longer; the time to decode base58 grows with the square of the length. */
export const longestAddress = 90

export const tooLong = "it is longer than any address"

/** A fault that names the first character that matches `foreign`; undefined where none does. */
export const foreignCharacterFault = (text: string, foreign: RegExp): string | undefined => {
  const found = foreign.exec(text)
  return found === null
    ? undefined
    : `it contains ${JSON.stringify(found[0])}, a character that is never in one`
}

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

/** The payload of base58check text: `length` bytes before four of their double SHA-256. Else what is wrong. */
export const decodeBase58Check = (text: string, length: number): Result.Result<Uint8Array, string> =>
  Result.flatMap(
    decodeBase58OfLength(text, length + checksumLength),
    () => Result.try({ try: () => base58check.decode(text), catch: () => checksumFault }),
  )

const addressLength = 21
const versionByte = 0x41

/** A Tron address: base58check of 0x41 and the 20 bytes of an account. It names no network. */
export const checkTron = (text: string): Result.Result<Uint8Array, string> =>
  Result.filterOrFail(
    decodeBase58Check(text, addressLength),
    (bytes) => bytes[0] === versionByte,
    () => "it belongs to another chain; a Tron address begins with T",
  )

const publicKeyLength = 32

/** A Solana address: a public key in base58. It carries no checksum and names no network. */
export const checkSolana = (text: string): Result.Result<Uint8Array, string> =>
  decodeBase58OfLength(text, publicKeyLength)
