import { blake2b } from "@noble/hashes/blake2.js"
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { base58 } from "@scure/base"
import { Result } from "effect"
import { checksumFault, decodeBase58, lengthFault } from "./Base58.ts"

const publicKeyLength = 32
const checksumLength = 2
const firstTwoBytePrefix = 64
const prefixLimit = 2 ** 14

/** The parts of an ss58 address; the prefix is its network (0 Polkadot, 42 any, 2112 Chainflip). */
export interface Ss58 {
  readonly prefix: number
  /** 32 bytes. */
  readonly publicKey: Uint8Array
}

/** A prefix up to 63 takes one byte; above, its 14 bits are spread over two, the first from 64 to 127. */
const prefixBytes = (prefix: number): Uint8Array =>
  prefix < firstTwoBytePrefix
    ? Uint8Array.of(prefix)
    : Uint8Array.of(0x40 | ((prefix >> 2) & 0x3f), (prefix >> 8) | ((prefix & 0x03) << 6))

const readPrefix = (first: number, second: number): number =>
  first < firstTwoBytePrefix ? first : ((first & 0x3f) << 2) | (second >> 6) | ((second & 0x3f) << 8)

const checksumOf = (body: Uint8Array): Uint8Array =>
  blake2b(concatBytes(utf8ToBytes("SS58PRE"), body)).slice(0, checksumLength)

/** The ss58 address of a 32-byte key, prefix 0 to 16383; throws a RangeError for other input. */
export const encodeSs58 = (prefix: number, publicKey: Uint8Array): string => {
  if (!Number.isInteger(prefix) || prefix < 0 || prefix >= prefixLimit) {
    throw new RangeError(`An ss58 prefix is a whole number from 0 to ${prefixLimit - 1}, not ${prefix}`)
  }
  if (publicKey.length !== publicKeyLength) {
    throw new RangeError(`An ss58 public key has ${publicKeyLength} bytes, not ${publicKey.length}`)
  }
  const body = concatBytes(prefixBytes(prefix), publicKey)
  return base58.encode(concatBytes(body, checksumOf(body)))
}

/** The parts of ss58 text with any prefix, or what is wrong with it. A prefix has only one valid spelling. */
export const decodeSs58 = (text: string): Result.Result<Ss58, string> =>
  Result.gen(function* () {
    const bytes = yield* decodeBase58(text)
    const [first = 0, second = 0] = bytes
    if (first >= 2 * firstTwoBytePrefix) return yield* Result.fail("it does not begin with an ss58 prefix")
    const prefixLength = first < firstTwoBytePrefix ? 1 : 2
    if (bytes.length !== prefixLength + publicKeyLength + checksumLength) {
      return yield* Result.fail(lengthFault)
    }
    const prefix = readPrefix(first, second)
    const publicKey = bytes.slice(prefixLength, prefixLength + publicKeyLength)
    return encodeSs58(prefix, publicKey) === text ? { prefix, publicKey } : yield* Result.fail(checksumFault)
  })

const hexPublicKey = /^0x[0-9a-fA-F]{64}$/

/** A Polkadot or Asset Hub address: ss58 of any prefix, or a hex key (chainflip/wire.md 5). */
export const checkPolkadot = (text: string): Result.Result<unknown, string> => {
  if (!text.startsWith("0x")) return decodeSs58(text)
  return hexPublicKey.test(text)
    ? Result.succeed(text)
    : Result.fail("it must be an ss58 address, or 0x followed by 64 hexadecimal digits")
}
