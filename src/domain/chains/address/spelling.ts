import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, concatBytes, hexToBytes } from "@noble/hashes/utils.js"
import { base58, base58xrp, bech32, bech32m } from "@scure/base"
import { Result } from "effect"
import { chainFacts, chains } from "../catalogue/Catalogue.ts"
import { encodeCashAddr, readCashAddr } from "./BitcoinFamily.ts"
import { withChecksum } from "./Evm.ts"
import { decodeSs58, encodeSs58 } from "./Ss58.ts"

/** Text that spells bytes: an account, a key, a hash or a signature, without prefix, version and checksum. */
export interface Spelling {
  readonly bytes: Uint8Array
  /** Spells bytes of the same length in the same form, with a checksum of their own. */
  readonly write: (bytes: Uint8Array) => string
}

type Read = (text: string) => Spelling | undefined

const accountLength = 20
/** A signature in hexadecimal with 0x; the time to decode base58 grows with the square of the length. */
const longest = 130
const hexForm = /^(?<prefix>(?:0[xX])?(?:41(?=[0-9a-fA-F]{40}$))?)(?<digits>[0-9a-fA-F]+)$/

/** Hexadecimal text in the capitals of another one: an account in mixed ones has the checksum of EIP-55. */
const inCapitalsOf = (like: string, text: string): string => {
  if (like === like.toLowerCase()) return text
  if (like === like.toUpperCase()) return text.toUpperCase()
  return text.length === 2 * accountLength ? withChecksum(`0x${text}`).slice(2) : text
}

/** Hexadecimal, with or without 0x, or the byte 41 of Tron; without 0x, digits alone are a number. */
const readHex: Read = (text) => {
  const { digits = "", prefix = "" } = hexForm.exec(text)?.groups ?? {}
  const isBytes = [accountLength, 32, 64].includes(digits.length / 2)
  return !isBytes || prefix === "" && !/[a-fA-F]/.test(digits) ? undefined : {
    bytes: hexToBytes(digits),
    write: (bytes) => `${prefix}${inCapitalsOf(digits, bytesToHex(bytes))}`,
  }
}

/** Bech32 with any prefix: a witness program behind its version, or bytes. */
const bech32With = (coder: typeof bech32 | typeof bech32m): Read => (text) => {
  const decoded = coder.decodeUnsafe(text, false)
  if (decoded === undefined) return undefined
  const { prefix, words } = decoded
  const program = coder.fromWordsUnsafe(words.slice(1))
  const isWitness = program !== undefined && [accountLength, 32].includes(program.length)
  const version = isWitness ? words.slice(0, 1) : []
  const bytes = isWitness ? program : coder.fromWordsUnsafe(words)
  return bytes === undefined ? undefined : {
    bytes: Uint8Array.from(bytes),
    write: (bytes) => {
      const written = coder.encode(prefix, [...version, ...coder.toWords(bytes)], false)
      return text === text.toLowerCase() ? written : written.toUpperCase()
    },
  }
}

const cashPrefixes = (): ReadonlyArray<string> =>
  chains().map((chain) => chainFacts(chain).family).flatMap((family) =>
    family._tag === "bitcoin" ? Object.values(family.forms).flatMap(({ cashAddr }) => cashAddr ?? []) : []
  )

/** CashAddr without its prefix, which is before it in texts. */
const readCash: Read = (text) => {
  const found = Result.getOrUndefined(readCashAddr(cashPrefixes(), text))
  return found && {
    bytes: found.payee.hash,
    write: (hash) => encodeCashAddr(found.prefix, { ...found.payee, hash }).slice(found.prefix.length + 1),
  }
}

const inBase58 = (coder: typeof base58, text: string): Uint8Array =>
  Result.getOrElse(Result.try(() => coder.decode(text)), () => new Uint8Array())

/** Base58check: an account behind its version, with the checksum of Bitcoin. */
const readChecked = (coder: typeof base58): Read => (text) => {
  const body = inBase58(coder, text).slice(0, -4)
  const version = body.slice(0, -accountLength)
  const bytes = body.slice(-accountLength)
  const write = (account: Uint8Array) => {
    const whole = concatBytes(version, account)
    return coder.encode(concatBytes(whole, sha256(sha256(whole)).slice(0, 4)))
  }
  return version.length > 0 && version.length < 3 && write(bytes) === text ? { bytes, write } : undefined
}

const readSs58: Read = (text) => {
  const decoded = Result.getOrUndefined(decodeSs58(text))
  return decoded && { bytes: decoded.publicKey, write: (key) => encodeSs58(decoded.prefix, key) }
}

/** A key, a hash or a signature in base58 without a checksum. */
const readBase58: Read = (text) => {
  const bytes = inBase58(base58, text)
  return [32, 64].includes(bytes.length) ? { bytes, write: base58.encode } : undefined
}

const readers = [
  readHex,
  bech32With(bech32),
  bech32With(bech32m),
  readChecked(base58),
  readChecked(base58xrp),
  // It reads the former addresses of Bitcoin Cash as well, which are base58check.
  readCash,
  readSs58,
  readBase58,
]

/** How text spells bytes, in any form of the chains' addresses, hashes and signatures; undefined where it does not. */
export const spellingOf: Read = (text) => {
  if (text.length > longest) return undefined
  for (const read of readers) {
    const spelling = read(text)
    if (spelling !== undefined) return spelling
  }
  return undefined
}
