import { keccak_256 } from "@noble/hashes/sha3.js"
import { createHash } from "node:crypto"
import { type Chain, chainFacts } from "#domain/chains/Chain.ts"

// The rules of addresses, written down once more from the chains' own documents and without the libraries that the
// service reads addresses with: base58check (Bitcoin wiki, Zcash protocol 5.6.1, XRP Ledger "Base58 Encodings"), BIP 173,
// BIP 350, and the CashAddr specification of 2017.

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest()

const bitcoinAlphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
const ledgerAlphabet = "rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz"
const wordAlphabet = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"

const toBase58 = (bytes: Uint8Array, alphabet: string): string => {
  let number = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  let text = ""
  for (; number > 0n; number /= 58n) text = `${alphabet[Number(number % 58n)]}${text}`
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return (alphabet[0] ?? "").repeat(zeros < 0 ? bytes.length : zeros) + text
}

const fromBase58 = (text: string, alphabet: string): Uint8Array | undefined => {
  let number = 0n
  for (const letter of text) {
    const digit = alphabet.indexOf(letter)
    if (digit < 0) return undefined
    number = number * 58n + BigInt(digit)
  }
  const bytes: Array<number> = []
  for (; number > 0n; number /= 256n) bytes.unshift(Number(number % 256n))
  const zeros = [...text].findIndex((letter) => letter !== alphabet[0])
  return Uint8Array.from([...new Array<number>(zeros < 0 ? text.length : zeros).fill(0), ...bytes])
}

const withSum = (body: Uint8Array): Uint8Array =>
  Uint8Array.from([...body, ...sha256(sha256(body)).slice(0, 4)])

/** The body of base58check text; undefined where its sum is wrong. */
const checked = (text: string, alphabet: string): Uint8Array | undefined => {
  const bytes = fromBase58(text, alphabet)
  const body = bytes?.slice(0, -4)
  return body !== undefined && bytes !== undefined && `${withSum(body)}` === `${bytes}` ? body : undefined
}

/** The polynomial sum of five-bit words, by its generators. */
const sumOf = (words: ReadonlyArray<number>, generators: ReadonlyArray<bigint>, bits: bigint): bigint => {
  let sum = 1n
  for (const word of words) {
    const top = sum >> (bits - 5n)
    sum = ((sum & ((1n << (bits - 5n)) - 1n)) << 5n) ^ BigInt(word)
    generators.forEach((generator, index) => {
      if ((top >> BigInt(index)) % 2n === 1n) sum ^= generator
    })
  }
  return sum
}

const bechGenerators = [0x3b6a57b2n, 0x26508e6dn, 0x1ea119fan, 0x3d4233ddn, 0x2a1462b3n]
const cashGenerators = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n]

const toWords = (bytes: Uint8Array): ReadonlyArray<number> => {
  const bits = [...bytes].flatMap((byte) => [...byte.toString(2).padStart(8, "0")])
  const words: Array<number> = []
  for (let at = 0; at < bits.length; at += 5) {
    words.push(Number.parseInt(bits.slice(at, at + 5).join("").padEnd(5, "0"), 2))
  }
  return words
}

/** Undefined where the bits that fill the last word are too many, or not zeros. */
const fromWords = (words: ReadonlyArray<number>): Uint8Array | undefined => {
  const bits = words.map((word) => word.toString(2).padStart(5, "0")).join("")
  const rest = bits.slice(bits.length - bits.length % 8)
  if (rest.length > 4 || rest.includes("1")) return undefined
  return Uint8Array.from(
    { length: Math.floor(bits.length / 8) },
    (_, at) => Number.parseInt(bits.slice(8 * at, 8 * at + 8), 2),
  )
}

const read = (text: string): ReadonlyArray<number> => [...text].map((letter) => wordAlphabet.indexOf(letter))
const write = (words: ReadonlyArray<number>): string => words.map((word) => wordAlphabet[word]).join("")
const sums = (sum: bigint, count: number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, at) => Number((sum >> BigInt(5 * (count - 1 - at))) % 32n))

const prefixOf = (prefix: string): ReadonlyArray<number> => [
  ...[...prefix].map((letter) => letter.charCodeAt(0) >> 5),
  0,
  ...[...prefix].map((letter) => letter.charCodeAt(0) % 32),
]
const constantOf = (version: number): bigint => version === 0 ? 1n : 0x2bc830a3n

const toSegwit = (prefix: string, version: number, program: Uint8Array): string => {
  const words = [version, ...toWords(program)]
  const sum = sumOf([...prefixOf(prefix), ...words, 0, 0, 0, 0, 0, 0], bechGenerators, 30n) ^
    constantOf(version)
  return `${prefix}1${write([...words, ...sums(sum, 6)])}`
}

/** Version and program of segwit text in one case. */
const fromSegwit = (prefix: string, text: string) => {
  const lower = text.toLowerCase()
  if (!lower.startsWith(`${prefix}1`) || (text !== lower && text !== text.toUpperCase())) return undefined
  const words = read(lower.slice(prefix.length + 1))
  const [version = 99] = words
  if (text.length > 90 || words.includes(-1) || words.length < 7) return undefined
  if (sumOf([...prefixOf(prefix), ...words], bechGenerators, 30n) !== constantOf(version)) return undefined
  const program = fromWords(words.slice(1, -6))
  return program === undefined ? undefined : { version, program }
}

const cashPrefixOf = (prefix: string): ReadonlyArray<number> => [
  ...[...prefix].map((letter) => letter.charCodeAt(0) % 32),
  0,
]

const toCash = (prefix: string, kind: number, hash: Uint8Array): string => {
  const words = toWords(Uint8Array.of(kind * 8, ...hash))
  const sum = sumOf([...cashPrefixOf(prefix), ...words, 0, 0, 0, 0, 0, 0, 0, 0], cashGenerators, 40n) ^ 1n
  return `${prefix}:${write([...words, ...sums(sum, 8)])}`
}

const isCash = (prefix: string, text: string): boolean => {
  const lower = text.toLowerCase()
  if (text !== lower && text !== text.toUpperCase()) return false
  const words = read(lower.startsWith(`${prefix}:`) ? lower.slice(prefix.length + 1) : lower)
  if (words.includes(-1) || sumOf([...cashPrefixOf(prefix), ...words], cashGenerators, 40n) !== 1n) {
    return false
  }
  const [version = 255, ...hash] = fromWords(words.slice(0, -8)) ?? []
  // Tokens' addresses (kinds 2 and 3) are refused on purpose. A script may be hashed with 32 bytes.
  return version === 0 && hash.length === 20 || version === 8 && hash.length === 20 ||
    version === 11 && hash.length === 32
}

/** Random bytes that are the same in each run. */
export const makeBytes = (seed: string) => {
  let count = 0
  return (length: number): Uint8Array =>
    sha256(new TextEncoder().encode(`${seed} ${count++}`)).slice(0, length)
}

const versions: {
  readonly [Name in Chain]?: readonly [key: ReadonlyArray<number>, script: ReadonlyArray<number>]
} = {
  Bitcoin: [[0x00], [0x05]],
  Litecoin: [[0x30], [0x32]],
  Dogecoin: [[0x1e], [0x16]],
  Zcash: [[0x1c, 0xb8], [0x1c, 0xbd]],
  Dash: [[0x4c], [0x10]],
  Tron: [[0x41], [0x41]],
}
const segwit: { readonly [Name in Chain]?: string } = { Bitcoin: "bc", Litecoin: "ltc" }

/** A main-network address of the chain, of random bytes; undefined where this file knows nothing of its rules. */
export const addressFor = (chain: Chain, bytes: (length: number) => Uint8Array): string | undefined => {
  const [choice = 0] = bytes(1)
  const prefix = segwit[chain]
  if (prefix !== undefined && choice % 3 === 0) return toSegwit(prefix, 0, bytes(choice % 2 === 0 ? 20 : 32))
  const version = versions[chain]?.[choice % 2]
  if (version !== undefined) {
    return toBase58(withSum(Uint8Array.from([...version, ...bytes(20)])), bitcoinAlphabet)
  }
  if (chain === "BitcoinCash") return toCash("bitcoincash", choice % 2, bytes(20))
  if (chain === "XrpLedger") return toBase58(withSum(Uint8Array.from([0, ...bytes(20)])), ledgerAlphabet)
  return chainFacts(chain).family._tag === "evm" ? `0x${bytes(20).toHex()}` : undefined
}

/** Whether a node of the chain takes a text for an address of the main network, apart from forms that are refused on purpose. */
export const isAddress = (chain: Chain, text: string): boolean => {
  const prefix = segwit[chain]
  if (prefix !== undefined && text.toLowerCase().startsWith(`${prefix}1`)) {
    const found = fromSegwit(prefix, text)
    // Taproot needs a point of the curve, which random bytes are half of the time: none are made here.
    return found !== undefined && found.version === 0 && [20, 32].includes(found.program.length)
  }
  if (chain === "BitcoinCash") return isCash("bitcoincash", text)
  if (chain === "XrpLedger") {
    const body = checked(text, ledgerAlphabet)
    return body?.length === 21 && body[0] === 0
  }
  const known = versions[chain]
  if (known !== undefined) {
    const body = checked(text, bitcoinAlphabet)
    return known.some((version) =>
      body?.length === version.length + 20 && version.every((byte, at) => body[at] === byte)
    )
  }
  if (!/^0x[0-9a-fA-F]{40}$/.test(text) || /^0x0+$/.test(text)) return false
  const digits = text.slice(2)
  const lower = digits.toLowerCase()
  if (digits === lower || digits === digits.toUpperCase()) return true
  // EIP-55: a letter is a capital where its place in the hash of the small ones is 8 or more.
  const hash = keccak_256(new TextEncoder().encode(lower)).toHex()
  return [...digits].every((letter, at) =>
    letter === (Number.parseInt(hash[at] ?? "0", 16) >= 8 ? letter.toUpperCase() : letter.toLowerCase())
  )
}
