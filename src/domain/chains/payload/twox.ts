import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"

/** The state chain's hashes of storage keys: xxHash of 64 bits, by its public specification. */

const word = 64
const primes = [
  0x9e3779b185ebca87n,
  0xc2b2ae3d27d4eb4fn,
  0x165667b19e3779f9n,
  0x85ebca77c2b2ae63n,
  0x27d4eb2f165667c5n,
] as const
const [first, second, third, fourth, fifth] = primes

const wrap = (value: bigint): bigint => BigInt.asUintN(word, value)
const rotate = (value: bigint, bits: bigint): bigint => wrap(value << bits) | value >> (BigInt(word) - bits)

const littleEndian = (bytes: Uint8Array): bigint =>
  bytes.reduceRight((value, byte) => value << 8n | BigInt(byte), 0n)

const round = (lane: bigint, input: bigint): bigint =>
  wrap(rotate(wrap(lane + wrap(input * second)), 31n) * first)

const stripe = 32

/** The hash of all whole stripes, in four lanes; inputs that are shorter than one have none. */
const ofStripes = (bytes: Uint8Array, seed: bigint): bigint => {
  if (bytes.length < stripe) return wrap(seed + fifth)
  let lanes = [seed + first + second, seed + second, seed, seed - first].map(wrap)
  for (let at = 0; at + stripe <= bytes.length; at += stripe) {
    lanes = lanes.map((lane, index) =>
      round(lane, littleEndian(bytes.subarray(at + 8 * index, at + 8 * index + 8)))
    )
  }
  const turns = [1n, 7n, 12n, 18n]
  const sum = wrap(lanes.reduce((sum, lane, index) => sum + rotate(lane, turns[index] ?? 0n), 0n))
  return lanes.reduce((hash, lane) => wrap((hash ^ round(0n, lane)) * first + fourth), sum)
}

const xxHash64 = (bytes: Uint8Array, seed: bigint): bigint => {
  let hash = wrap(ofStripes(bytes, seed) + BigInt(bytes.length))
  let at = bytes.length - bytes.length % stripe
  for (; at + 8 <= bytes.length; at += 8) {
    hash ^= round(0n, littleEndian(bytes.subarray(at, at + 8)))
    hash = wrap(rotate(hash, 27n) * first + fourth)
  }
  if (at + 4 <= bytes.length) {
    hash ^= wrap(littleEndian(bytes.subarray(at, at + 4)) * first)
    hash = wrap(rotate(hash, 23n) * second + third)
    at += 4
  }
  for (const byte of bytes.subarray(at)) hash = wrap(rotate(hash ^ wrap(BigInt(byte) * fifth), 11n) * first)
  hash = wrap((hash ^ hash >> 33n) * second)
  hash = wrap((hash ^ hash >> 29n) * third)
  return hash ^ hash >> 32n
}

/** A hash of 64 bits, the lowest byte first. */
const twox = (bytes: Uint8Array, seed: bigint): Uint8Array => {
  const hash = xxHash64(bytes, seed)
  return Uint8Array.from({ length: 8 }, (_, index) => Number(hash >> BigInt(8 * index) & 0xffn))
}

/** The hash that a map's keys begin with, before the key itself (`Twox64Concat`). */
export const twox64 = (bytes: Uint8Array): Uint8Array => twox(bytes, 0n)

/** The hash that stands for the name of a module or of an item of its storage. */
export const twox128 = (name: string): Uint8Array => {
  const bytes = utf8ToBytes(name)
  return concatBytes(twox(bytes, 0n), twox(bytes, 1n))
}
