import { sha256 } from "@noble/hashes/sha2.js"
import { createBase58check } from "@scure/base"
import { Result } from "effect"
import { checksumFault, foreignCharacterFault, lengthFault } from "./Base58.ts"

// Addresses of Bitcoin Cash (CashAddr, its specification of 2017). Hand-written for @bitauth/libauth, which has them beside
// a virtual machine, wallets and four engines in WebAssembly: 10 MB for what stands below.

const alphabet = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
const foreignCharacter = new RegExp(`[^${alphabet}]`, "u")
const checksumWords = 8
const generators = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n]

const polymod = (words: ReadonlyArray<number>): bigint =>
  words.reduce((state, word) => {
    const top = state >> 35n
    const shifted = ((state & 0x07ffffffffn) << 5n) ^ BigInt(word)
    return generators.reduce(
      (sum, generator, bit) => (top >> BigInt(bit)) & 1n ? sum ^ generator : sum,
      shifted,
    )
  }, 1n) ^ 1n

/** The five lower bits of each letter, and a zero. */
const prefixWords = (prefix: string): ReadonlyArray<number> =>
  [...prefix].map((letter) => letter.charCodeAt(0) & 0x1f).concat(0)

/** Bytes of five-bit words; undefined where the bits that are left over are not zeros, or make a word of their own. */
const toBytes = (words: ReadonlyArray<number>): Uint8Array | undefined => {
  const bits = words.map((word) => word.toString(2).padStart(5, "0")).join("")
  const whole = bits.length - bits.length % 8
  if (bits.length - whole >= 5 || bits.slice(whole).includes("1")) return undefined
  return Uint8Array.from(
    { length: whole / 8 },
    (_, index) => Number.parseInt(bits.slice(8 * index, 8 * index + 8), 2),
  )
}

const toWords = (bytes: Uint8Array): ReadonlyArray<number> => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("")
  return Array.from(
    { length: Math.ceil(bits.length / 5) },
    (_, index) => Number.parseInt(bits.slice(5 * index, 5 * index + 5).padEnd(5, "0"), 2),
  )
}

/** The kinds of payees by the four bits of a version byte that name them. */
const kinds = ["keyHash", "scriptHash"] as const
/** The bytes of a hash by the three lower bits of a version byte. */
const hashLengths = [20, 24, 28, 32, 40, 48, 56, 64]

/** Who is paid: a public key by its hash, or a script. */
export interface CashPayee {
  readonly kind: typeof kinds[number]
  readonly hash: Uint8Array
}

const payeeOf = (bytes: Uint8Array): Result.Result<CashPayee, string> => {
  const [version = 0x80, ...hash] = bytes
  const kind = kinds[version >> 3]
  if (version >> 3 === 2 || version >> 3 === 3) {
    return Result.fail("it is an address for tokens; use the one that begins with q or p")
  }
  if (kind === undefined) return Result.fail("it is of a kind that Bitcoin Cash does not have")
  // A script may be hashed with 32 bytes, a key with 20 alone.
  const isOfLength = hash.length === hashLengths[version & 7] &&
    (hash.length === 20 || kind === "scriptHash" && hash.length === 32)
  return isOfLength ? Result.succeed({ kind, hash: Uint8Array.from(hash) }) : Result.fail(lengthFault)
}

/** The payee of an address, which may lack its prefix, or what is wrong with it. */
export const decodeCashAddr = (prefix: string, text: string): Result.Result<CashPayee, string> => {
  const lower = text.toLowerCase()
  if (text !== lower && text !== text.toUpperCase()) return Result.fail("it mixes capital and small letters")
  const bare = lower.startsWith(`${prefix}:`) ? lower.slice(prefix.length + 1) : lower
  const foreign = foreignCharacterFault(bare, foreignCharacter)
  if (foreign !== undefined) return Result.fail(foreign)
  const words = [...bare].map((letter) => alphabet.indexOf(letter))
  if (words.length <= checksumWords) return Result.fail(lengthFault)
  if (polymod([...prefixWords(prefix), ...words]) !== 0n) return Result.fail(checksumFault)
  const bytes = toBytes(words.slice(0, -checksumWords))
  return bytes === undefined ? Result.fail(lengthFault) : payeeOf(bytes)
}

export const encodeCashAddr = (prefix: string, { hash, kind }: CashPayee): string => {
  const version = kinds.indexOf(kind) << 3 | hashLengths.indexOf(hash.length)
  const payload = toWords(Uint8Array.of(version, ...hash))
  const sum = polymod([...prefixWords(prefix), ...payload, ...new Array<number>(checksumWords).fill(0)])
  const checksum = Array.from(
    { length: checksumWords },
    (_, index) => Number(sum >> BigInt(5 * (checksumWords - 1 - index)) & 0x1fn),
  )
  return `${prefix}:${[...payload, ...checksum].map((word) => alphabet[word]).join("")}`
}

const base58check = createBase58check(sha256)
/** The version bytes that Bitcoin Cash has had from Bitcoin. */
const legacyKinds: ReadonlyMap<number, CashPayee["kind"]> = new Map([[0x00, "keyHash"], [0x05, "scriptHash"]])

/** An address's payee in any form of the chain, as upstreams send; customers' are CashAddr alone. */
export const readCashPayee = (prefix: string, text: string): Result.Result<CashPayee, string> =>
  Result.orElse(decodeCashAddr(prefix, text), (fault) =>
    Result.flatMap(
      Result.try({ try: () => base58check.decode(text), catch: () => fault }),
      ([version = 0xff, ...hash]) => {
        const kind = legacyKinds.get(version)
        return kind === undefined || hash.length !== 20
          ? Result.fail(fault)
          : Result.succeed({ kind, hash: Uint8Array.from(hash) })
      },
    ))

/** A payee, and the prefix of its network. */
interface CashAddress {
  readonly prefix: string
  readonly payee: CashPayee
}

/** As `readCashPayee`, with the first of the prefixes that an address fits: one without a prefix does not say its network. */
export const readCashAddr = (
  prefixes: ReadonlyArray<string>,
  text: string,
): Result.Result<CashAddress, string> =>
  prefixes.reduce<Result.Result<CashAddress, string>>(
    (found, prefix) =>
      Result.orElse(found, () => Result.map(readCashPayee(prefix, text), (payee) => ({ prefix, payee }))),
    Result.fail("it has no prefix"),
  )
