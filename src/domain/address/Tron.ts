import { Result } from "effect"
import { decodeBase58Check } from "./Base58.ts"

const addressLength = 21
const versionByte = 0x41

/** A Tron address: base58check of 0x41 and the 20 bytes of an account. It names no network. */
export const checkTron = (text: string): Result.Result<Uint8Array, string> =>
  Result.filterOrFail(
    decodeBase58Check(text, addressLength),
    (bytes) => bytes[0] === versionByte,
    () => "it belongs to another chain; a Tron address begins with T",
  )
