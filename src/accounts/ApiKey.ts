import { sha256 } from "@noble/hashes/sha2.js"
import { base58 } from "@scure/base"
import { Redacted } from "effect"
import { timingSafeEqual } from "node:crypto"

/** A key is as good as a password: what has fewer characters can be guessed (operation.md BOOTSTRAP_API_KEY). */
export const minimumKeyLength = 24

/** 192 bits. */
const randomByteCount = 24

/** A new key that cannot be guessed: `sb_` and 32 or 33 characters of base58. */
export const generateKey = (): Redacted.Redacted<string> =>
  Redacted.make(`sb_${base58.encode(crypto.getRandomValues(new Uint8Array(randomByteCount)))}`)

/** What is kept of a key: its SHA-256. Keys are random, so there is nothing for a slower hash to protect. */
export const hashKey = (key: Redacted.Redacted<string>): Uint8Array =>
  sha256(new TextEncoder().encode(Redacted.value(key)))

/** Compares two hashes in a time that does not tell where they differ. */
export const sameHash = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length && timingSafeEqual(left, right)
