import { sha256 } from "@noble/hashes/sha2.js"
import { base58xrp } from "@scure/base"
import { Result } from "effect"
import { checksumFault, foreignCharacterFault, lengthFault } from "./Base58.ts"

const foreignCharacter = /[^rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz]/u
const accountLength = 20
const checksumLength = 4
const accountVersion = 0x00

/** The bytes of base58check text in the ledger's own alphabet, without their checksum, or what is wrong with it. */
const decode = (text: string): Result.Result<Uint8Array, string> => {
  const foreign = foreignCharacterFault(text, foreignCharacter)
  if (foreign !== undefined) return Result.fail(foreign)
  const bytes = base58xrp.decode(text)
  const body = bytes.slice(0, -checksumLength)
  const checksum = sha256(sha256(body)).slice(0, checksumLength)
  return checksum.every((byte, index) => byte === bytes[body.length + index])
    ? Result.succeed(body)
    : Result.fail(checksumFault)
}

/** An address of a main or a test network that has a tag, or a place for one, within it (XLS-5). */
const xAddress = /^[XT][1-9A-HJ-NP-Za-km-z]{46}$/
const flagAt = 2 + accountLength

const explainXAddress = (text: string): string =>
  Result.match(decode(text), {
    onFailure: (fault) => fault,
    onSuccess: (bytes) =>
      bytes[flagAt] === 0
        ? "it is an X-address; use its classic address, which begins with r"
        : "it is an X-address with a tag, which no provider can pay with: without its tag the money would be lost; use " +
          "the address of an account of your own, which needs no tag",
  })

/**
 * A classic address of the XRP Ledger: base58check in the ledger's alphabet, of 0 and 20 bytes. It names no network. An
 * address with a tag is refused: a payment without the tag is lost at an exchange, and no provider carries one.
 */
export const checkXrpl = (text: string): Result.Result<Uint8Array, string> => {
  if (xAddress.test(text)) return Result.fail(explainXAddress(text))
  if (/^r[a-zA-Z0-9]+[:?]/.test(text)) {
    return Result.fail(
      "there is a tag beside it, which no provider can pay with: without its tag the money would be lost",
    )
  }
  if (!text.startsWith("r")) return Result.fail("an address of the XRP Ledger begins with r")
  return Result.flatMap(
    decode(text),
    (bytes) =>
      bytes.length !== 1 + accountLength || bytes[0] !== accountVersion
        ? Result.fail(lengthFault)
        : bytes.every((byte) => byte === 0)
        ? Result.fail("it is the account of zeros, which has no owner")
        : Result.succeed(bytes.slice(1)),
  )
}
