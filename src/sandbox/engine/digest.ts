import { sha256 } from "@noble/hashes/sha2.js"
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"

/** The bytes with which everything that the sandbox names begins, so that it is recognised. */
const mark = Uint8Array.of(0x5a, 0x4d, 0xb0)

/** 32 bytes that the seed and the name decide, and nothing else. */
export const digest = (seed: string, ...name: ReadonlyArray<string | number>): Uint8Array =>
  sha256(utf8ToBytes(JSON.stringify([seed, ...name])))

/** As `digest`, `length` bytes up to 64, the first three of which are the mark. */
export const markedDigest = (
  length: number,
  seed: string,
  ...name: ReadonlyArray<string | number>
): Uint8Array =>
  concatBytes(mark, digest(seed, "first", ...name), digest(seed, "second", ...name)).slice(0, length)
